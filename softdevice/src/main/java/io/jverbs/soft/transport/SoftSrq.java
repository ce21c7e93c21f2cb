package io.jverbs.soft.transport;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.PostErrors;
import io.jverbs.soft.queue.ReceiveRing;
import io.jverbs.soft.queue.ReceiveWqe;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;

/**
 * A shared receive queue, see ibv_create_srq(3). Posting is guarded by the post lock of the {@link ReceiveRing}. The
 * responders of many queue pairs take requests; they and the limit are guarded by the take lock.
 */
public final class SoftSrq extends DeferredWork implements Handle.Srq {
    private static final int LIMIT = 1;

    private final SoftPd domain;
    private final ReceiveRing ring;
    private final QpEvents events;
    private final SpinLock takeLock = new SpinLock();
    private final PostErrors postErrors = new PostErrors();
    private int limit;

    /**
     * Creates an empty shared receive queue.
     *
     * @param deferred the queue of deferred work
     * @param domain the protection domain that the scatter elements must belong to
     * @param capacity the number of requests that fit, a power of two
     * @param maxSge the maximum number of scatter elements of a request
     * @param limit the limit to arm, 0 for none
     * @param events receives the limit event
     */
    public SoftSrq(DeferredQueue deferred, SoftPd domain, int capacity, int maxSge, int limit, QpEvents events) {
        super(deferred);
        this.domain = domain;
        this.ring = new ReceiveRing(capacity, maxSge);
        this.limit = limit;
        this.events = events;
    }

    /** {@return the receiver of the limit event} */
    public QpEvents events() {
        return events;
    }

    /** {@return what ended posts to this queue} */
    public PostErrors postErrors() {
        return postErrors;
    }

    /** {@return the protection domain} */
    public SoftPd domain() {
        return domain;
    }

    /** {@return the number of requests that fit} */
    public int maxWr() {
        return ring.capacity();
    }

    /** {@return the maximum number of scatter elements of a request} */
    public int maxSge() {
        return ring.maxSge();
    }

    /**
     * Posts a chain of receive requests.
     *
     * @param head the first request
     * @return as {@link DataPath#postSharedReceive}
     */
    public long post(ReceiveWorkRequest head) {
        StackReserve.check();
        SpinLock lock = ring.postLock();
        int index = 0;
        lock.lock();
        try {
            for (ReceiveWorkRequest request = head; request != null; request = request.next()) {
                int errno = ring.post(request.memory());
                if (errno != 0) {
                    postErrors.clear();
                    return DataPath.failed(errno, index);
                }
                index++;
            }
            return DataPath.POSTED;
        } catch (Throwable e) {
            if (index == 0) {
                throw e;
            }
            postErrors.record(e);
            return DataPath.failed(ErrnoCode.ENOMEM, index);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes the oldest request; returns false if there is none. Raises the limit event if fewer requests than the limit
     * remain.
     */
    boolean take(ReceiveWqe into) {
        boolean found;
        takeLock.lock();
        try {
            found = ring.load(into);
            if (found) {
                ring.taken();
                if (limit > 0 && ring.size() < limit) {
                    limit = 0;
                    defer(LIMIT);
                }
            }
        } finally {
            takeLock.unlock();
        }
        return found;
    }

    /** {@return the armed limit, 0 if none is armed} */
    public int limit() {
        takeLock.lock();
        int armed = limit;
        takeLock.unlock();
        return armed;
    }

    /**
     * Arms the limit, see ibv_modify_srq(3). If fewer requests are posted already, the event is raised when the next
     * request is taken.
     *
     * @param newLimit the limit, 0 to disarm it
     */
    public void arm(int newLimit) {
        takeLock.lock();
        limit = newLimit;
        takeLock.unlock();
    }

    /**
     * Changes the capacity and keeps the requests.
     *
     * @param capacity the new capacity, a power of two
     * @param requested the capacity that the program requested, which must not be less than the number of requests that
     *        are posted
     * @return 0, or EINVAL with nothing changed if more requests are posted
     */
    public int resize(int capacity, int requested) {
        ring.postLock().lock();
        takeLock.lock();
        try {
            if (ring.size() > requested) {
                return ErrnoCode.EINVAL;
            }
            ring.resize(capacity);
            return 0;
        } finally {
            takeLock.unlock();
            ring.postLock().unlock();
        }
    }

    @Override
    protected void perform(int bits) {
        events.limitReached(this);
    }
}
