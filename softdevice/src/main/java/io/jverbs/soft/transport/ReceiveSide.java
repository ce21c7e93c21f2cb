package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyCache;
import io.jverbs.soft.memory.KeyCheck;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.queue.CompletionQueueCore;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.Guarded;
import io.jverbs.soft.queue.ReceiveRing;
import io.jverbs.soft.queue.ReceiveWqe;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.spi.DataPath;
import java.lang.foreign.MemorySegment;

/**
 * The receive requests of a responder: takes them from the receive queue or from a shared receive queue, stores data in
 * their memory and completes them. A request is loaded first and is consumed when it completes; so a request that
 * cannot hold a message is used for the next one. Guarded by the responder's lock, except {@link #post}.
 */
public abstract sealed class ReceiveSide {
    private static final int RECV = WcOpcode.RECV.code();
    /** {@link #credits} counts at least so many receive requests, or half of the queue; of more, it may count fewer. */
    private static final int MANY = 256;

    final SoftQp qp;
    final CompletionQueueCore cq;
    /** The receive queue; null if the queue pair uses a shared one. */
    final ReceiveRing ring;
    /**
     * The lock with which {@link #post} has registered this half with the completion queue; null before the first post.
     * It stays null with a shared receive queue, where the half is registered when the queue pair is created.
     */
    volatile Guarded claimed;
    private final KeyCheck keys;
    final ReceiveWqe loaded;
    private final SgeList target;
    private final KeyCache targets;

    private ReceiveSide(SoftQp qp, KeyCheck keys, ReceiveRing ring, int maxSge) {
        this.qp = qp;
        this.cq = qp.parts().recvCq();
        this.keys = keys;
        this.ring = ring;
        this.loaded = new ReceiveWqe(maxSge);
        this.target = new SgeList(Math.max(1, maxSge));
        this.targets = KeyCache.local(keys, Access.LOCAL_WRITE);
    }

    /** Creates the receive side of a queue pair, which has a receive queue of its own or uses a shared one. */
    static ReceiveSide of(SoftQp qp) {
        SoftSrq srq = qp.parts().srq();
        return srq == null ? new OwnQueue(qp) : new SharedQueue(qp, srq);
    }

    /** Posts a chain of requests to the receive queue. Does not take the responder's lock. */
    abstract long post(ReceiveWorkRequest head);

    /** Loads the next request; returns false if there is none. */
    public abstract boolean load();

    /** Loads the next request in advance, so that it is in this core's cache when the next message arrives. */
    public abstract void prepare();

    /**
     * {@return the number of requests that are posted, for the credits of an ACK; {@link Aeth#NO_CREDITS} if the queue
     * is shared} If there are many, some may not be counted. If there is none, the next post defers
     * {@link SoftQp#CREDITS}.
     */
    public abstract int credits();

    /** Handles a message that is dropped because the loaded request cannot hold it. */
    public abstract void dropTooLong();

    /** Consumes the loaded request, whose completion was added. */
    abstract void consume();

    /**
     * Completes all requests of the receive queue, or the request that was taken from a shared receive queue, with
     * WR_FLUSH_ERR.
     */
    abstract void flush();

    /** Removes all requests of the receive queue without completions. */
    abstract void clear();

    /** {@return whether requests may have completed} */
    abstract boolean mayHaveCompleted();

    /** Removes the completions of this queue pair from the completion queue of receive requests. */
    final void removeCompletions() {
        assert qp.isLocked();
        if (mayHaveCompleted()) {
            cq.removeCompletions(qp.number(), qp.responder().lock());
        }
    }

    /** The number of bytes that the loaded request can hold. */
    public final long room() {
        return SgeList.length(loaded.elements, 0, (int) loaded.sgeCount);
    }

    /** Looks up the memory of the loaded request for a number of bytes; returns false if it may not be written. */
    public final boolean resolve(long bytes) {
        assert qp.responder().lock().isHeldByCurrentThread();
        return target.resolve(keys, Access.LOCAL_WRITE, loaded.elements, 0, (int) loaded.sgeCount, bytes);
    }

    /**
     * Copies data to the memory of the loaded and resolved request; returns false if that memory no longer exists. If
     * the memory of the message's own data no longer exists, the message records it and the result is true.
     */
    public final boolean place(Message message, SgeList from, long at, long length) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (length == 0) {
            return true;
        }
        try {
            Copier.copy(from, 0, target, at, length);
            return true;
        } catch (IllegalStateException | InternalError e) {
            if (from == message.data && !from.exists()) {
                message.loseData(e);
                return true;
            }
            qp.noteLostMemory(e);
            return false;
        }
    }

    /**
     * Copies a whole contiguous message to the memory of the next request, and completes it. Returns false if there is
     * no request, if it does not have exactly one scatter element, if it cannot hold the message, if its memory may not
     * be written, or if memory on either side no longer exists. Then nothing was changed, except that a request of a
     * shared receive queue may have been taken.
     *
     * <p>
     * A request that was not loaded in advance is read where it is in the receive queue. If it was, or is from
     * a shared receive queue, the program posts receives in advance, and another thread may be polling for their
     * completions: only then is the next entry of the completion queue prefetched.
     */
    public final boolean receiveDirectly(MemorySegment from, long at, long length, boolean solicited) {
        assert qp.responder().lock().isHeldByCurrentThread();
        long wrId;
        long address;
        long lengthKey;
        if (ring != null && !ring.isLoaded(loaded)) {
            int place = ring.oldest();
            if (place == ReceiveRing.NONE || !ring.hasOneSge(place)) {
                return false;
            }
            wrId = ring.wrId(place);
            address = ring.firstAddress(place);
            lengthKey = ring.firstLengthKey(place);
        } else {
            cq.prefetch(claimed);
            if (!load() || loaded.sgeCount != 1) {
                return false;
            }
            wrId = loaded.wrId;
            address = loaded.elements[0];
            lengthKey = loaded.elements[1];
        }
        if (length > Words.firstUnsigned(lengthKey)) {
            return false;
        }
        KeyEntry entry = targets.findLocal(Words.second(lengthKey), address, length);
        if (entry == null) {
            return false;
        }
        try {
            Copier.copy(from, at, entry.segment(), entry.offsetOf(address), length);
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
        complete(wrId, RECV, length, 0, 0, 0, solicited);
        return true;
    }

    /** Completes the loaded request successfully. */
    public final void complete(int opcode, long bytes, int immediate, int sourceQp, int flags, boolean solicited) {
        assert qp.responder().lock().isHeldByCurrentThread();
        complete(loaded.wrId, opcode, bytes, immediate, sourceQp, flags, solicited);
    }

    /** Completes the next request, which has a {@code wr_id}, successfully. */
    private void complete(long wrId, int opcode, long bytes, int immediate, int sourceQp, int flags,
            boolean solicited) {
        try {
            cq.putReceived(wrId, opcode, (int) bytes, immediate, qp.number(), sourceQp, flags, solicited, ring);
        } catch (Throwable e) {
            // no completion was added, but the message has been received: try once more
            cq.putReceived(wrId, opcode, (int) bytes, immediate, qp.number(), sourceQp, flags, solicited, ring);
        }
        consume();
    }

    /** Completes the loaded request in error. */
    public final void completeInError(int status) {
        assert qp.responder().lock().isHeldByCurrentThread();
        Journal.completionError(qp, true, loaded.wrId, status, 1);
        putError(status);
    }

    final void putError(int status) {
        try {
            cq.putReceiveError(loaded.wrId, status, RECV, qp.number(), ring);
        } catch (Throwable e) {
            // as in complete(): no completion was added, try once more
            cq.putReceiveError(loaded.wrId, status, RECV, qp.number(), ring);
        }
        consume();
    }

    /** The receive side of a queue pair that has a receive queue of its own. */
    private static final class OwnQueue extends ReceiveSide {
        /** So many requests need not be counted exactly; see {@link ReceiveRing#available}. */
        private final int enough;
        /** Whether the next post defers {@link SoftQp#CREDITS}. Written under the post lock. */
        private boolean reportsPost;

        OwnQueue(SoftQp qp) {
            super(qp, qp.responderKeys(), new ReceiveRing(qp.parts().capabilities().maxRecvWr(),
                    qp.parts().capabilities().maxRecvSge(), qp.parts().recvCq()),
                    qp.parts().capabilities().maxRecvSge());
            this.enough = Math.clamp(ring.capacity() / 2, 1, MANY);
        }

        @Override
        long post(ReceiveWorkRequest head) {
            if (claimed == null) {
                Guarded half = qp.responder().lock();
                cq.registerProducer(half);
                claimed = half;
            }
            SpinLock lock = ring.postLock();
            long result = DataPath.POSTED;
            int index = 0;
            lock.lock();
            try {
                int state = qp.state();
                boolean open = state != QpStateCode.RESET && state != QpStateCode.DESTROYED;
                int errno = open ? ring.post(head.memory()) : ErrnoCode.EINVAL;
                if (errno == 0) {
                    index = 1;
                    // a loop of its own, so that the code for a single request has none
                    for (ReceiveWorkRequest request = head.next(); request != null; request = request.next()) {
                        errno = ring.post(request.memory());
                        if (errno != 0) {
                            break;
                        }
                        index++;
                    }
                }
                if (errno != 0) {
                    qp.postErrors().clear();
                    result = DataPath.failed(errno, index);
                }
                if (state == QpStateCode.ERR) {
                    // the thread that entered ERR flushes under this lock, before or after this post: if before, these
                    // requests must be flushed, too
                    qp.defer(SoftQp.FLUSH_RECEIVE);
                }
                if (reportsPost && index != 0) {
                    // first: the work can be done at once, and lead to the next report
                    reportsPost = false;
                    qp.defer(SoftQp.CREDITS);
                }
            } catch (Throwable e) {
                if (index == 0) {
                    throw e;
                }
                qp.defer(SoftQp.FLUSH_RECEIVE | SoftQp.CREDITS);
                qp.postErrors().record(e);
                result = DataPath.failed(ErrnoCode.ENOMEM, index);
            } finally {
                lock.unlock();
            }
            return result;
        }

        @Override
        public boolean load() {
            assert qp.responder().lock().isHeldByCurrentThread();
            return ring.load(loaded);
        }

        @Override
        public void prepare() {
            assert qp.responder().lock().isHeldByCurrentThread();
            ring.prepare(loaded);
        }

        @Override
        public int credits() {
            assert qp.responder().lock().isHeldByCurrentThread();
            int available = (int) ring.available(enough);
            // read without the post lock: a thread that clears the flag has posted a request, and reports it later
            return available == 0 && !reportsPost ? reportPost() : available;
        }

        /** Lets the next post report itself, unless there was one meanwhile; returns the number of requests posted. */
        private int reportPost() {
            SpinLock lock = ring.postLock();
            lock.lock();
            try {
                int available = (int) ring.available(1);
                reportsPost = available == 0;
                return available;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void dropTooLong() {
            // the request is used for the next message
        }

        @Override
        void consume() {
            ring.taken();
        }

        @Override
        void flush() {
            assert qp.responder().lock().isHeldByCurrentThread();
            int flushed = 0;
            long first = loaded.wrId;
            ring.postLock().lock();
            try {
                while (ring.load(loaded)) {
                    first = flushed++ == 0 ? loaded.wrId : first;
                    putError(WcStatusCode.WR_FLUSH_ERR);
                }
            } finally {
                ring.postLock().unlock();
            }
            if (flushed != 0) {
                Journal.completionError(qp, true, first, WcStatusCode.WR_FLUSH_ERR, flushed);
            }
        }

        @Override
        void clear() {
            assert qp.responder().lock().isHeldByCurrentThread();
            ring.postLock().lock();
            ring.clear();
            reportsPost = false;
            ring.postLock().unlock();
        }

        @Override
        boolean mayHaveCompleted() {
            return claimed != null;
        }
    }

    /** The receive side of a queue pair that uses a shared receive queue. */
    private static final class SharedQueue extends ReceiveSide {
        private final SoftSrq srq;
        /** Whether a request was taken from the shared receive queue and is not completed. */
        private boolean held;

        SharedQueue(SoftQp qp, SoftSrq srq) {
            super(qp, qp.responderKeys().withDomain(srq.domain()), null, srq.maxSge());
            this.srq = srq;
        }

        @Override
        long post(ReceiveWorkRequest head) {
            return DataPath.failed(ErrnoCode.EINVAL, 0);
        }

        @Override
        public boolean load() {
            assert qp.responder().lock().isHeldByCurrentThread();
            if (!held) {
                held = srq.take(loaded);
            }
            return held;
        }

        @Override
        public void prepare() {
            // a request that is taken in advance would be missing to other queue pairs
        }

        @Override
        public int credits() {
            // other queue pairs may take the requests
            return Aeth.NO_CREDITS;
        }

        @Override
        public void dropTooLong() {
            completeInError(WcStatusCode.LOC_LEN_ERR);
        }

        @Override
        void consume() {
            held = false;
        }

        @Override
        void flush() {
            assert qp.responder().lock().isHeldByCurrentThread();
            if (held) {
                long id = loaded.wrId;
                putError(WcStatusCode.WR_FLUSH_ERR);
                Journal.completionError(qp, true, id, WcStatusCode.WR_FLUSH_ERR, 1);
            }
        }

        @Override
        void clear() {
            assert qp.responder().lock().isHeldByCurrentThread();
            held = false;
        }

        @Override
        boolean mayHaveCompleted() {
            return true;
        }
    }
}
