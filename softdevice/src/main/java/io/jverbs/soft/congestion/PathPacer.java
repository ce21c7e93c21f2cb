package io.jverbs.soft.congestion;

import io.jverbs.soft.queue.SpinLock;

/**
 * Makes packets of a path wait as its {@link PacingControl} says: requests by a timer of the {@link PathWindow},
 * READ responses by a timer of their responder. Packets that have to wait reserve their time when they begin to wait,
 * so that all are sent in that order: neither requests nor responses can take the time of the others. Guarded by the
 * window's lock.
 */
public final class PathPacer {
    /** The maximum time of a timer. The pause is computed again after that, because the rate may have grown. */
    static final long MAX_PAUSE_NANOS = 10_000_000;
    /** The time of a timer is a multiple of this, so that there are few different ones; being late loses no rate. */
    static final long PAUSE_STEP_NANOS = 50_000;

    private final SpinLock lock;
    private final PacingControl control;
    /** Whether a timer is set for the end of a pause of requests. */
    private boolean timerSet;
    /** The cost of all packets that were granted or reserved. */
    private long total;
    /** The cost that is reserved for requests, 0 if none is. */
    private long reserved;
    /** The ticket of that reservation. */
    private long ticket;

    PathPacer(SpinLock lock, PacingControl control) {
        this.lock = lock;
        this.control = control;
    }

    /** {@return whether packets may have to wait although there is room} */
    boolean isPaced() {
        assert lock.isHeldByCurrentThread();
        return control.isPaced();
    }

    /**
     * {@return how many READ response packets a responder may reserve at once} While packets have to wait, they are
     * few, so that the responders and the requests of a path take turns.
     *
     * @param wanted the number of packets that are due
     */
    public int packetsAtOnce(int wanted) {
        lock.lock();
        try {
            return limit(wanted);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Reserves the sending of READ responses, which the responder's path governs as the requests that it sends; returns
     * a ticket for {@link #pause}.
     *
     * @param now the time in nanoseconds
     * @param packets the number of packets
     * @param mtu the path MTU
     */
    public long reserveResponses(long now, int packets, int mtu) {
        lock.lock();
        try {
            return add(packets * PathWindow.cost(mtu), now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns how long packets have to wait that were reserved, in nanoseconds. After that time, it may be longer.
     *
     * @param reservation the ticket of the reservation
     * @param now the time in nanoseconds
     */
    public long pause(long reservation, long now) {
        lock.lock();
        try {
            return pauseOf(reservation, now);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Gives back what {@link #reserveResponses} reserved and what is not used.
     *
     * @param now the time in nanoseconds
     * @param packets the number of packets
     * @param mtu the path MTU
     */
    public void returnResponses(long now, int packets, int mtu) {
        lock.lock();
        try {
            add(-packets * PathWindow.cost(mtu), now);
        } finally {
            lock.unlock();
        }
    }

    /** {@return how many of a number of packets may be granted or reserved at once} */
    int limit(int packets) {
        assert lock.isHeldByCurrentThread();
        return control.isPaced() ? Math.min(packets, PathWindow.QUANTUM) : packets;
    }

    /** Grants a cost, which is negative if it is given back; returns the cost of what was granted before. */
    private long add(long cost, long now) {
        assert lock.isHeldByCurrentThread();
        long before = total;
        total += cost;
        control.granted(cost, now);
        return before;
    }

    private long pauseOf(long reservation, long now) {
        assert lock.isHeldByCurrentThread();
        long all = control.isPaced() ? control.pause(now) : 0;
        long pause = all > 0 ? all - control.nanos(total - reservation) : 0;
        return pause <= 0
                ? 0
                : Math.min(Math.ceilDiv(pause, PAUSE_STEP_NANOS) * PAUSE_STEP_NANOS, MAX_PAUSE_NANOS);
    }

    /**
     * Returns how long the next requests have to wait, 0 if packets are not paced; if they have to wait, they have a
     * reservation from then.
     *
     * @param cost the cost to reserve if they have to wait
     */
    long pauseRequests(long cost, long now) {
        assert lock.isHeldByCurrentThread();
        if (reserved == 0) {
            if (control.pause(now) == 0) {
                return 0;
            }
            ticket = add(cost, now);
            reserved = cost;
        }
        return pauseOf(ticket, now);
    }

    /** Records that requests may be sent, in place of those that have a reservation. */
    void granted(long cost, long now) {
        assert lock.isHeldByCurrentThread();
        long instead = reserved;
        reserved = 0;
        add(cost - instead, now);
    }

    /** Records that requests that were granted are not sent. */
    void returned(long cost, long now) {
        assert lock.isHeldByCurrentThread();
        add(-cost, now);
    }

    /**
     * Starts the timer for the end of a pause of requests, unless it runs. The caller does not hold the lock of the
     * window.
     */
    void startTimer(PathWindowUser user, long pause, Runnable atEnd) {
        lock.lock();
        boolean start = !timerSet;
        timerSet = true;
        lock.unlock();
        if (start) {
            try {
                user.timers().set(pause, atEnd);
            } catch (RuntimeException | Error e) {
                // the next share that waits starts it
                lock.lock();
                timerSet = false;
                lock.unlock();
                throw e;
            }
        }
    }

    /** Records that the timer has expired. */
    void timerExpired() {
        assert lock.isHeldByCurrentThread();
        timerSet = false;
    }
}
