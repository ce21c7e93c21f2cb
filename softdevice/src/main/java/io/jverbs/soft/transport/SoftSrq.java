package io.jverbs.soft.transport;

import io.jverbs.ReceiveWorkRequest;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.queue.Deferral;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.ReceiveRing;
import io.jverbs.soft.queue.ReceiveWqe;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;

/** A shared receive queue: a ring whose takers, the responders of many queue pairs, take turns under the take lock. */
public final class SoftSrq extends Deferral implements Handle.Srq {
    private static final int LIMIT = 1;

    private final Domain domain;
    private final ReceiveRing ring;
    private final QpEvents events;
    private final SpinLock takeLock = new SpinLock();
    private int limit;

    /**
     * @param agenda where deferred work is listed
     * @param domain the protection domain that receive elements must belong to
     * @param capacity how many requests fit, a power of two
     * @param maxSge how many elements each may have
     * @param limit the limit to arm, 0 for none
     * @param events what is told of the limit
     */
    public SoftSrq(Agenda agenda, Domain domain, int capacity, int maxSge, int limit, QpEvents events) {
        super(agenda);
        this.domain = domain;
        this.ring = new ReceiveRing(capacity, maxSge);
        this.limit = limit;
        this.events = events;
    }

    /** {@return what is told of the limit} */
    public QpEvents events() {
        return events;
    }

    /** {@return the protection domain} */
    public Domain domain() {
        return domain;
    }

    /** {@return how many requests fit} */
    public int maxWr() {
        return ring.capacity();
    }

    /** {@return how many elements each may have} */
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
        SpinLock lock = ring.postLock();
        lock.lock();
        try {
            int index = 0;
            for (ReceiveWorkRequest request = head; request != null; request = request.next()) {
                int errno = ring.post(request.memory());
                if (errno != 0) {
                    return DataPath.failed(errno, index);
                }
                index++;
            }
            return DataPath.POSTED;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the oldest request; false if there is none. */
    boolean take(ReceiveWqe into) {
        takeLock.lock();
        boolean found = ring.load(into);
        boolean reached = false;
        if (found) {
            ring.taken();
            if (limit > 0 && ring.size() < limit) {
                limit = 0;
                reached = true;
            }
        }
        takeLock.unlock();
        if (reached) {
            defer(LIMIT);
        }
        return found;
    }

    /** {@return the armed limit, 0 if none} */
    public int limit() {
        takeLock.lock();
        int armed = limit;
        takeLock.unlock();
        return armed;
    }

    /**
     * Arms the limit; if fewer requests are posted already, the event comes with the next one taken.
     *
     * @param newLimit 0 disarms
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
     * @param asked the capacity asked for, which decides whether what is posted fits
     * @return 0, or EINVAL with nothing changed if it does not
     */
    public int resize(int capacity, int asked) {
        ring.postLock().lock();
        takeLock.lock();
        try {
            if (ring.size() > asked) {
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
