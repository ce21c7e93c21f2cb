package io.jverbs.ibverbs;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.MemoryWindow;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendWorkRequest;
import io.jverbs.VerbsException;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.ffm.DataPathCalls;
import io.jverbs.ffm.NativeMemory;
import io.jverbs.ibverbs.Drivers.Unbinding;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import io.jverbs.spi.SendWrLayout;
import java.lang.ref.Reference;

/**
 * The data path of a native context: each post or poll is one call into the driver, with the address of the request in
 * memory. Only requests on which a driver would crash are checked before: a datagram without an address handle, a bind
 * without a window or a region, and opcodes whose arguments a request cannot carry. Its fields do not change; any
 * thread may call any method.
 */
final class NativeDataPath implements DataPath {
    private static final int SEND_WITH_INV = WrOpcode.SEND_WITH_INV.code();
    private static final int BIND_MW = WrOpcode.BIND_MW.code();
    private static final int EINVAL = Errno.EINVAL.code();

    private final DataPathCalls calls;
    private final Unbinding unbinding;

    NativeDataPath(DataPathCalls calls, Unbinding unbinding) {
        this.calls = calls;
        this.unbinding = unbinding;
    }

    @Override
    public long postSend(Handle.Qp handle, SendWorkRequest head) {
        NativeHandle.Qp qp = (NativeHandle.Qp) handle;
        long address = qp.uncheckedAddress();
        if (!head.isPlain() || address == 0) {
            return postChecked(qp, head);
        }
        int errno = calls.postSend(address, head.address(), head.badWrAddress());
        Reference.reachabilityFence(head);
        return errno == 0 ? POSTED : DataPath.failed(positive(errno), 0);
    }

    /**
     * Checks the requests of a chain and posts those before the first one that is not safe, as ibv_post_send(3)
     * requires. The chain is cut before that request for the duration of the call. All requests are checked, because a
     * driver may have more room than it reports; a cyclic chain is posted until the queue of the driver is full.
     */
    private long postChecked(NativeHandle.Qp qp, SendWorkRequest head) {
        SendWorkRequest last = null;
        SendWorkRequest request = head;
        // Brent's algorithm: a cycle comes back to the last request whose position is a power of two
        SendWorkRequest mark = null;
        int nextMark = 1;
        int good = 0;
        while (request != null && request != mark && isSafe(qp, request)) {
            last = request;
            good++;
            if (good == nextMark) {
                mark = request;
                nextMark <<= 1;
            }
            request = request.next();
        }
        if (last == null) {
            return DataPath.failed(EINVAL, 0);
        }
        boolean cut = request != null && request != mark;
        if (cut) {
            NativeMemory.putLong(last.address() + SendWrLayout.NEXT, 0);
        }
        long result;
        try {
            result = post(qp, head);
        } finally {
            if (cut) {
                NativeMemory.putLong(last.address() + SendWrLayout.NEXT, request.address());
            }
        }
        updateWindowKeys(head, result == POSTED ? good : DataPath.index(result));
        return cut && result == POSTED ? DataPath.failed(EINVAL, good) : result;
    }

    private long post(NativeHandle.Qp qp, SendWorkRequest head) {
        int errno = calls.postSend(qp.nativeAddress(), head.address(), head.badWrAddress());
        Reference.reachabilityFence(head);
        if (errno == 0) {
            return POSTED;
        }
        long failed = NativeMemory.getLong(head.badWrAddress());
        int index = 0;
        for (SendWorkRequest request = head; request != null; request = request.next(), index++) {
            if (request.address() == failed) {
                return DataPath.failed(positive(errno), index);
            }
        }
        return DataPath.failed(positive(errno), 0);
    }

    private boolean isSafe(NativeHandle.Qp qp, SendWorkRequest request) {
        int opcode = request.rawOpcode();
        if (opcode < 0 || opcode > SEND_WITH_INV) {
            return false;
        }
        if (opcode == BIND_MW) {
            return isSafeBind(request);
        }
        return !qp.datagram() || request.addressHandle() != null;
    }

    private boolean isSafeBind(SendWorkRequest request) {
        MemoryWindow window = request.memoryWindow();
        MemoryRegion region = request.bindRegion();
        return window != null && (region != null || prepareUnbind(request));
    }

    /**
     * Writes the region pointer that the driver expects into an unbind request. Returns false if the request does not
     * unbind, or if it is not known what the driver expects.
     */
    private boolean prepareUnbind(SendWorkRequest request) {
        if (unbinding == Unbinding.REFUSED || request.memory().get(JAVA_LONG, SendWrLayout.BIND_LENGTH) != 0) {
            return false;
        }
        NativeMemory.putLong(request.address() + SendWrLayout.BIND_MR,
                unbinding == Unbinding.NULL_REGION ? 0 : EmptyRegion.ADDRESS);
        return true;
    }

    /** Stores the new keys of type 2 windows once their binds are posted; libibverbs leaves that to the program. */
    private static void updateWindowKeys(SendWorkRequest head, int posted) {
        SendWorkRequest request = head;
        for (int i = 0; i < posted; i++, request = request.next()) {
            if (request.rawOpcode() == BIND_MW) {
                ((NativeHandle.Mw) request.memoryWindow().handle())
                        .rkey(request.memory().get(JAVA_INT, SendWrLayout.BIND_RKEY));
            }
        }
    }

    @Override
    public long postReceive(Handle.Qp qp, ReceiveWorkRequest head) {
        int errno = calls.postRecv(((NativeHandle.Qp) qp).nativeAddress(), head.address(), head.badWrAddress());
        Reference.reachabilityFence(head);
        return errno == 0 ? POSTED : failed(errno, head);
    }

    @Override
    public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
        int errno = calls.postSrqRecv(((NativeHandle.Srq) srq).nativeAddress(), head.address(), head.badWrAddress());
        Reference.reachabilityFence(head);
        return errno == 0 ? POSTED : failed(errno, head);
    }

    private static long failed(int errno, ReceiveWorkRequest head) {
        long failed = NativeMemory.getLong(head.badWrAddress());
        int index = 0;
        for (ReceiveWorkRequest request = head; request != null; request = request.next(), index++) {
            if (request.address() == failed) {
                return DataPath.failed(positive(errno), index);
            }
        }
        return DataPath.failed(positive(errno), 0);
    }

    /** Some drivers return -errno instead of the errno. */
    private static int positive(int errno) {
        return Math.abs(errno);
    }

    @Override
    public String explainSend(Handle.Qp qp, SendWorkRequest head, int errno) {
        return errno == EINVAL ? NativeRefusal.reason(unbinding, head.failed()) : null;
    }

    @Override
    public int poll(Handle.Cq cq, WorkCompletions completions, int max) {
        int count = calls.pollCq(((NativeHandle.Cq) cq).nativeAddress(), max, completions.address());
        Reference.reachabilityFence(completions);
        if (count < 0) {
            throw new VerbsException("poll_cq", Errno.EIO, "poll_cq of the driver returned " + count);
        }
        return count;
    }

    @Override
    public int requestNotification(Handle.Cq handle, boolean solicitedOnly) {
        NativeHandle.Cq cq = (NativeHandle.Cq) handle;
        return cq.hasChannel()
                ? positive(calls.reqNotifyCq(cq.nativeAddress(), solicitedOnly ? 1 : 0))
                : EINVAL;
    }
}
