package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import io.jverbs.spi.WcLayout;
import io.jverbs.strict.Violation.Kind;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Looks at requests before they are posted, notes them, and looks at what they sent when they are over. */
final class StrictDataPath implements DataPath {
    private static final int RECEIVE_BIT = WcOpcode.RECV.code();

    private final StrictContext context;
    private final DataPath inner;
    private final StrictMode mode;
    private final Owed owed;

    StrictDataPath(StrictContext context, DataPath inner, StrictMode mode, Owed owed) {
        this.context = context;
        this.inner = inner;
        this.mode = mode;
        this.owed = owed;
    }

    @Override
    public long postSend(Handle.Qp handle, SendWorkRequest head) {
        StrictQp qp = context.tracked(handle);
        // more than fit need not be looked at
        int limit = handle.capabilities().maxSendWr() + 1;
        List<Violation> found;
        long result;
        qp.lock().lock();
        try {
            PostChecks checks = new PostChecks(mode, qp);
            SendWorkRequest request = head;
            for (int i = 0; request != null && i < limit; i++, request = request.next()) {
                checks.check(request);
            }
            int noted = 0;
            int taken = 0;
            try {
                for (request = head; request != null && noted < limit; request = request.next()) {
                    qp.posted(noted(qp, request));
                    noted++;
                }
                result = inner.postSend(handle, head);
                taken = result == POSTED ? noted : DataPath.index(result);
            } finally {
                for (int refused = noted - taken; refused > 0; refused--) {
                    qp.notPosted();
                }
            }
            found = PostChecks.taken(qp);
            qp.forgetWhatIsOver();
        } finally {
            qp.lock().unlock();
        }
        found.forEach(owed::report);
        return result;
    }

    private Request noted(StrictQp qp, SendWorkRequest request) {
        WrOpcode opcode = request.opcode();
        return new Request(request.wrId(), qp.completes(request.flags()), payload(request, opcode),
                sinks(request, opcode), PostChecks.takesReceive(opcode) ? context.claim(qp) : null,
                windowChange(qp, request, opcode));
    }

    private Payload payload(SendWorkRequest request, WrOpcode opcode) {
        return switch (opcode) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM ->
                (request.flags() & SendFlags.INLINE) != 0
                        ? null
                        : Payload.of(request, context.keys(), context.memory());
            default -> null;
        };
    }

    private Sinks sinks(SendWorkRequest request, WrOpcode opcode) {
        return switch (opcode) {
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD ->
                Sinks.of(request.memory(), SendWrLayout.SIZE, request.sgeCount(), context.keys(), context.memory());
            default -> null;
        };
    }

    private Sinks sinks(ReceiveWorkRequest request) {
        return Sinks.of(request.memory(), RecvWrLayout.SIZE, request.sgeCount(), context.keys(), context.memory());
    }

    private Windows.Change windowChange(StrictQp qp, SendWorkRequest request, WrOpcode opcode) {
        MemorySegment memory = request.memory();
        return switch (opcode) {
            case BIND_MW -> request.memoryWindow() == null
                    ? null
                    : context.windows().bound(request.memoryWindow().handle(),
                            memory.get(JAVA_INT, SendWrLayout.BIND_RKEY), Windows.howBound());
            case LOCAL_INV -> context.windows().invalidated(memory.get(JAVA_INT, SendWrLayout.IMM_DATA),
                    Windows.howInvalidated());
            case SEND_WITH_INV -> qp.peer() == null
                    ? null
                    : qp.peer().context().windows().invalidated(memory.get(JAVA_INT, SendWrLayout.IMM_DATA),
                            Windows.howInvalidated());
            default -> null;
        };
    }

    @Override
    public long postReceive(Handle.Qp handle, ReceiveWorkRequest head) {
        StrictQp qp = context.tracked(handle);
        int limit = handle.capabilities().maxRecvWr() + 1;
        qp.lock().lock();
        try {
            int count = 0;
            for (ReceiveWorkRequest each = head; each != null && count < limit; each = each.next()) {
                count++;
                if (!qp.hasSrq()) {
                    PostChecks.checkRoom(mode, qp.recvCq(), count);
                }
            }
            ReceiveWorkRequest each = head;
            for (int i = 0; i < count; i++, each = each.next()) {
                qp.receivePosted(each.wrId(), sinks(each));
            }
            int taken = 0;
            try {
                long result = inner.postReceive(handle, head);
                taken = result == POSTED ? count : DataPath.index(result);
                qp.receiveCount().posted(taken);
                return result;
            } finally {
                for (int i = taken; i < count; i++) {
                    qp.receiveNotPosted();
                }
            }
        } finally {
            qp.lock().unlock();
        }
    }

    @Override
    public long postSharedReceive(Handle.Srq srq, ReceiveWorkRequest head) {
        SharedReceives shared = context.tracked(srq);
        // whoever polls what becomes of them waits
        synchronized (shared) {
            long result = inner.postSharedReceive(srq, head);
            int count = 0;
            // what was posted has an end
            for (ReceiveWorkRequest each = head; each != null
                    && (result == POSTED || count < DataPath.index(result)); each = each.next()) {
                shared.posted(each.wrId(), sinks(each));
                count++;
            }
            shared.count().posted(count);
            return result;
        }
    }

    @Override
    public int poll(Handle.Cq handle, WorkCompletions completions, int max) {
        owed.pay();
        StrictCq cq = context.tracked(handle);
        List<Violation> found = new ArrayList<>();
        int count;
        cq.polling().lock();
        try {
            count = inner.poll(handle, completions, max);
            for (int i = 0; i < count; i++) {
                note(cq, completions.memory(), i * WcLayout.SIZE, found);
            }
        } finally {
            cq.polling().unlock();
        }
        found.forEach(owed::report);
        return count;
    }

    private void note(StrictCq cq, MemorySegment memory, long at, List<Violation> found) {
        StrictQp qp = context.numbered(memory.get(JAVA_INT, at + WcLayout.QP_NUM));
        if (qp == null) {
            return;
        }
        long wrId = memory.get(JAVA_LONG, at + WcLayout.WR_ID);
        boolean success = memory.get(JAVA_INT, at + WcLayout.STATUS) == 0;
        boolean opcodeSaysReceive = (memory.get(JAVA_INT, at + WcLayout.OPCODE) & RECEIVE_BIT) != 0;
        qp.lock().lock();
        try {
            if (success ? opcodeSaysReceive : qp.isReceive(cq, opcodeSaysReceive, wrId)) {
                qp.receiveCompleted(wrId);
            } else {
                qp.sendCompleted(success, wrId, request -> checkPayload(qp, request, found));
            }
        } finally {
            qp.lock().unlock();
        }
    }

    private static void checkPayload(StrictQp qp, Request request, List<Violation> found) {
        Payload payload = request.payload();
        if (payload != null && payload.isChanged()) {
            found.add(new Violation(Kind.PAYLOAD_CHANGED, "the " + payload.bytes()
                    + " bytes that the request with wrId " + request.wrId() + " of " + ConnectionChecks.name(qp)
                    + " sends were changed between its post here and its completion: what arrived may be either, or a mixture",
                    payload.place(),
                    "Leave the memory alone until the completion of the request, or of a later one, is polled; or send it"
                            + " with SendFlags.INLINE"));
        }
    }

    @Override
    public int requestNotification(Handle.Cq cq, boolean solicitedOnly) {
        return inner.requestNotification(cq, solicitedOnly);
    }
}
