package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.KnownKey;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.Guarded;
import io.jverbs.soft.queue.ReceiveRing;
import io.jverbs.soft.queue.ReceiveWqe;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.spi.DataPath;
import java.lang.foreign.MemorySegment;

/**
 * Where a responder gets receive requests from, its own queue or a shared one, and how it fills and completes them. A request
 * is loaded first; it counts as used when it completes, so that one that a message did not fit serves the next. All but posting
 * happens under the responder's lock.
 */
final class ReceiveSide {
    private static final int RECV = WcOpcode.RECV.code();

    private final SoftQp qp;
    private final SoftSrq srq;
    private final ReceiveRing ring;
    private final CompletionQueueCore cq;
    /** As what the completion queue knows that this half puts, if it does not from the beginning, as with a shared queue. */
    private volatile Guarded claimed;
    private final Domain domain;
    private final ReceiveWqe loaded;
    private final SgeList target;
    private final KnownKey targets;
    /** A request of the shared queue was taken and is not used yet. */
    private boolean held;

    ReceiveSide(SoftQp qp) {
        this.qp = qp;
        this.srq = qp.parts.srq();
        this.cq = qp.parts.recvCq();
        this.domain = srq == null ? qp.parts.domain() : srq.domain();
        int maxSge = srq == null ? qp.parts.capabilities().maxRecvSge() : srq.maxSge();
        this.ring = srq == null ? new ReceiveRing(qp.parts.capabilities().maxRecvWr(), maxSge) : null;
        this.loaded = new ReceiveWqe(maxSge);
        this.target = new SgeList(Math.max(1, maxSge));
        this.targets = KnownKey.local(qp.around.regions(), domain, Access.LOCAL_WRITE);
    }

    boolean isShared() {
        return srq != null;
    }

    /** Adds requests to the queue pair's own queue; takes no lock of the responder. */
    long post(ReceiveWorkRequest head) {
        if (ring == null) {
            return DataPath.failed(ErrnoCode.EINVAL, 0);
        }
        if (claimed == null) {
            Guarded half = qp.responder.lock();
            cq.claim(half);
            claimed = half;
        }
        SpinLock lock = ring.postLock();
        long result = DataPath.POSTED;
        lock.lock();
        try {
            int state = qp.state();
            int index = 0;
            for (ReceiveWorkRequest request = head; request != null; request = request.next()) {
                boolean open = state != State.RESET && state != State.GONE;
                int errno = open ? ring.post(request.memory()) : ErrnoCode.EINVAL;
                if (errno != 0) {
                    result = DataPath.failed(errno, index);
                    break;
                }
                index++;
            }
            if (state == State.ERR) {
                // who entered the error flushes under this lock, either before us or after: before us means that we must see to ours
                qp.defer(SoftQp.FLUSH_RECEIVE);
            }
        } finally {
            lock.unlock();
        }
        return result;
    }

    /** Gets hold of the next request; false if there is none. */
    boolean load() {
        if (srq == null) {
            return ring.load(loaded);
        }
        if (!held) {
            held = srq.take(loaded);
        }
        return held;
    }

    /** How many bytes the loaded request has room for. */
    long room() {
        return SgeList.length(loaded.elements, 0, (int) loaded.sgeCount);
    }

    /** Looks up the loaded request's memory, as far as so many bytes reach; false if it may not be written. */
    boolean resolve(long bytes) {
        return target.resolve(qp.around.regions(), domain, Access.LOCAL_WRITE, loaded.elements, 0,
                (int) loaded.sgeCount,
                bytes);
    }

    /** Copies bytes to the loaded and resolved request; false if its memory is gone. Memory of the source that is gone is told in the message. */
    boolean place(Message message, SgeList from, long at, long length) {
        if (length == 0) {
            return true;
        }
        try {
            Copier.copy(from, 0, target, at, length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (from == message.data && !from.isAlive()) {
                message.dataValid = false;
                return true;
            }
            return false;
        }
    }

    /**
     * Takes all of a message of one piece into the next request; false, with nothing done but a request of a shared queue at hand,
     * if there is none, or it cannot hold it, or memory on either side is gone.
     */
    boolean takeAtOnce(MemorySegment from, long at, long length) {
        cq.approach(claimed);
        if (!load() || loaded.sgeCount != 1 || length > Words.firstUnsigned(loaded.elements[1])) {
            return false;
        }
        long address = loaded.elements[0];
        KeyEntry entry = targets.find(Words.second(loaded.elements[1]));
        if (entry == null || !entry.contains(address, length)) {
            return false;
        }
        try {
            Copier.copy(from, at, entry.segment(), entry.offsetOf(address), length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
    }

    /** Copies the next request, while the peer is at the message before it, so that the next message finds it near. */
    void prepare() {
        if (ring != null) {
            ring.prepare(loaded);
        }
    }

    /** Completes the loaded request. */
    void complete(int opcode, long bytes, int immediate, int sourceQp, int flags, boolean solicited) {
        cq.putSuccess(use(), opcode, (int) bytes, immediate, qp.number(), sourceQp, flags, solicited);
    }

    /** Completes the loaded request in error. */
    void completeInError(int status) {
        Journal.completionError(qp, true, loaded.wrId, status, 1);
        cq.putError(use(), status, RECV, qp.number());
    }

    private long use() {
        if (held) {
            // the posting side reads what lies beside it
            held = false;
        }
        if (ring != null) {
            ring.taken();
        }
        return loaded.wrId;
    }

    /** Completes all own requests as flushed, and one that was taken from a shared queue. */
    void flush() {
        int flushed = 0;
        long first = loaded.wrId;
        if (held) {
            flushed++;
            putFlushed();
        }
        if (ring != null) {
            ring.postLock().lock();
            try {
                while (ring.load(loaded)) {
                    first = flushed++ == 0 ? loaded.wrId : first;
                    putFlushed();
                }
            } finally {
                ring.postLock().unlock();
            }
        }
        if (flushed != 0) {
            Journal.completionError(qp, true, first, WcStatusCode.WR_FLUSH_ERR, flushed);
        }
    }

    private void putFlushed() {
        cq.putError(use(), WcStatusCode.WR_FLUSH_ERR, RECV, qp.number());
    }

    /** Drops all own requests without completions. */
    void clear() {
        held = false;
        if (ring != null) {
            ring.postLock().lock();
            ring.clear();
            ring.postLock().unlock();
        }
    }
}
