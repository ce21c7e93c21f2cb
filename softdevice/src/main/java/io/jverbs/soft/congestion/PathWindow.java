package io.jverbs.soft.congestion;

import io.jverbs.soft.queue.SpinLock;

/**
 * A window that reliable connections share because their packets arrive in the same socket buffer. Each destination
 * address has one, which bounds what all connections of a device have in flight to it. The device itself has one, which
 * bounds the response data that its READs have requested and that has not arrived.
 *
 * <p>
 * A connection that finds no room, or that {@link PathPacer} makes wait, waits in a FIFO queue. A connection that has
 * sent and wants to send more waits at the end of that queue, so that all are served equally. A {@link
 * CongestionControl} determines the size of the window.
 *
 * <p>
 * Each connection has a {@link Share}. The window is guarded by a lock of its own, which is the last lock to take.
 */
public final class PathWindow {
    /** The number of packets that a connection may have in flight while others wait. */
    static final int QUANTUM = 4;
    /** A period of the {@link PacketsInFlight}. */
    private static final long PERIOD_NANOS = 50_000_000;

    private final SpinLock lock = new SpinLock();
    private final PathWindowWaiters waiters = new PathWindowWaiters();
    private final CongestionControl control;
    private final PathPacer pacer;
    private final PacketsInFlight inFlight = new PacketsInFlight();
    /** Whether a timer is set for the end of the period, as it is while connections wait. */
    private boolean timerSet;
    private final ReadResponseRate silentPeerRate = new ReadResponseRate();

    /**
     * Makes a window of the maximum size, for a path that leaves the host.
     *
     * @param capacity gives the maximum size of the window, until packets are lost
     * @param type determines the size after that
     */
    public PathWindow(PathCapacity capacity, CongestionControlType type) {
        this(capacity, type, false);
    }

    /** As the other constructor, for a path that leaves the host or does not. */
    public PathWindow(PathCapacity capacity, CongestionControlType type, boolean withinHost) {
        control = type.create(capacity, withinHost);
        pacer = control instanceof PacingControl pacing ? new PathPacer(lock, pacing) : null;
    }

    /** The capacity, which gives the maximum size of the window. */
    public PathCapacity capacity() {
        lock.lock();
        try {
            return control.capacity();
        } finally {
            lock.unlock();
        }
    }

    /** The number of packets of a path MTU that a connection may have in flight if there is no other connection. */
    public int packets(int mtu) {
        PathCapacity present = capacity();
        return Math.min(present.packets(mtu), (int) (present.shared() / cost(mtu)));
    }

    /** {@return what makes requests and READ responses wait although there is room; null if nothing does} */
    public PathPacer pacer() {
        return pacer;
    }

    /** The rate at which READ responses are sent to the address while no requests arrive from it. */
    public ReadResponseRate silentPeerRate() {
        return silentPeerRate;
    }

    /** The bytes of a socket buffer that a packet of a path MTU is assumed to take. */
    static long cost(int mtu) {
        return 2L * mtu + 768;
    }

    /**
     * One connection's share of the window. A packet that may be sent is granted; it counts as in flight from then
     * until it is acknowledged. Guarded by the requester's lock; the fields that other connections read are also
     * guarded by the window's lock.
     */
    public static final class Share {
        /**
         * Whether the share waits in the queue of the window. Changed with the window's lock held.
         * <pre>
         * state      no room    room for the first in the queue   granted, or leaves the queue
         * NO_WAIT    WAITING    -                                 -
         * WAITING    -          CALLED, its user is resumed       NO_WAIT
         * CALLED     WAITING    its user is resumed again         NO_WAIT
         * </pre>
         * {@code exempt} is independent of this state.
         */
        private enum Turn {
            /** It does not wait. */
            NO_WAIT,
            /** It waits. */
            WAITING,
            /** It waits and is the first in the queue, and there was room for what it needs. */
            CALLED
        }

        private final PathWindowUser user;
        private PathWindow window;
        /** The cost of one packet; see {@link #cost}. */
        private long unit;
        /** The number of packets that are granted and not sent. */
        private int granted;
        /** The number of packets that count as in flight; includes those granted and not sent. */
        private int counted;
        /** The period in which the share was active last. */
        private int period;
        /** The number of packets acknowledged since the share was settled; the window counts those that it granted. */
        private int progress;
        /** The round-trip time measured since the share was settled, or {@link RoundTripTime#NONE}. */
        private long roundTrip = RoundTripTime.NONE;
        /** When it ended. */
        private long measuredAt;
        /** Whether the packets of this connection do not count. */
        private boolean exempt;
        /** The neighbours in the queue of waiting connections. */
        Share before;
        Share after;
        /** The number of packets for which there must be room when the turn of this share comes. */
        private int needs = 1;
        private volatile Turn turn = Turn.NO_WAIT;
        /** Called when a pause of the window ends. */
        private Runnable pauseEnds;

        public Share(PathWindowUser user) {
            this.user = user;
        }

        /** Joins the window of a path. */
        public void join(PathWindow shared, int mtu) {
            if (window != null) {
                leave();
            }
            window = shared;
            pauseEnds = () -> shared.endPause(user);
            unit = cost(mtu);
            exempt = false;
        }

        /**
         * Whether one more packet may be sent. If not, the queue pair is resumed when its turn comes, or continues when
         * its next acknowledgement arrives.
         */
        public boolean admits(int wanted) {
            return exempt || granted > 0 || window.grant(this, wanted);
        }

        /**
         * Whether a number of additional packets may be in flight, all of them or none. If not, the queue pair is
         * resumed when its turn comes.
         */
        public boolean admitsAll(int packets) {
            return exempt || window.grantAll(this, packets);
        }

        /** Whether a request for room may succeed: the share does not wait, or its turn has come. */
        public boolean mayRequest() {
            return turn != Turn.WAITING;
        }

        /** Whether only one more packet may be sent before room must be requested again. */
        public boolean isLast() {
            return exempt || granted == 1;
        }

        /** Records that a packet was sent. */
        public void sent() {
            if (granted > 0) {
                granted--;
            }
        }

        /** Records that packets were acknowledged; the peer responds, so its packets count again. */
        public void acknowledged(int packets) {
            progress += packets;
            exempt = false;
        }

        /** Records a round-trip time and when it ended, which the window learns when the share is settled. */
        public void roundTrip(long nanos, long now) {
            roundTrip = nanos;
            measuredAt = now;
        }

        /** Gives back grants that are not used now, and adjusts the share to the number of packets in flight. */
        public void settle(int present) {
            if (granted != 0 || progress != 0 || counted > present) {
                window.settle(this, present);
            }
        }

        /** Leaves the queue of waiting connections. */
        public void stopWaiting() {
            if (turn != Turn.NO_WAIT) {
                window.leave(this);
            }
        }

        /** Leaves the window for now: no packet is in flight. */
        public void leave() {
            stopWaiting();
            settle(0);
        }

        /** Stops counting the packets to a peer that does not respond, so that it does not hold up other peers. */
        public void exempt() {
            exempt = true;
        }

        /** Records that packets were lost. */
        public void lost() {
            window.lost();
        }
    }

    private boolean grant(Share share, int wanted) {
        boolean startTimer = false;
        long pause = 0;
        lock.lock();
        try {
            renew(share);
            long now = pacer == null ? 0 : share.user.timers().nanoTime();
            Share first = waiters.peekFirst();
            boolean contended = first != null && (first != share || waiters.size() > 1);
            long room = control.size() - inFlight.total();
            // while they only wait for the end of a pause, there is room for all
            boolean limited = contended && (pacer == null || !pacer.isPaced() || room < QUANTUM * share.unit);
            int max = limited ? Math.min(wanted, QUANTUM - share.counted) : wanted;
            if (max <= 0) {
                // the connection continues when its own packets are acknowledged
                dequeue(share);
                callNext();
                return false;
            }
            boolean waits = first != null && first != share || room < share.unit && inFlight.total() > 0;
            pause = waits || pacer == null ? 0 : pacer.pauseRequests(QUANTUM * share.unit, now);
            if (waits || pause > 0) {
                startTimer = enqueue(share);
                return false;
            }
            dequeue(share);
            share.granted = Math.clamp(room / share.unit, 1, pacer == null ? max : pacer.limit(max));
            share.counted += share.granted;
            inFlight.add(share.granted * share.unit);
            if (pacer != null) {
                pacer.granted(share.granted * share.unit, now);
            }
            callNext();
            return true;
        } finally {
            lock.unlock();
            if (startTimer) {
                startPeriodTimer(share.user);
            }
            if (pause > 0) {
                pacer.startTimer(share.user, pause, share.pauseEnds);
            }
        }
    }

    private boolean grantAll(Share share, int packets) {
        boolean startTimer = false;
        lock.lock();
        try {
            renew(share);
            Share first = waiters.peekFirst();
            share.needs = packets;
            if (first != null && first != share || !hasRoom(share)) {
                startTimer = enqueue(share);
                return false;
            }
            dequeue(share);
            share.counted += packets;
            inFlight.add(packets * share.unit);
            callNext();
            return true;
        } finally {
            lock.unlock();
            if (startTimer) {
                startPeriodTimer(share.user);
            }
        }
    }

    /** Whether there is room for what a share needs. If the window is empty, it has room for any number of packets. */
    private boolean hasRoom(Share share) {
        assert lock.isHeldByCurrentThread();
        long used = inFlight.total();
        return used <= 0 || control.size() - used >= share.needs * share.unit;
    }

    /** Adds a share to the waiting ones, unless it waits already; returns whether the period timer must be started. */
    private boolean enqueue(Share share) {
        assert lock.isHeldByCurrentThread();
        boolean isNew = share.turn == Share.Turn.NO_WAIT;
        share.turn = Share.Turn.WAITING;
        if (isNew) {
            waiters.addLast(share);
        }
        boolean start = !timerSet;
        timerSet = true;
        return start;
    }

    private void dequeue(Share share) {
        assert lock.isHeldByCurrentThread();
        if (share.turn != Share.Turn.NO_WAIT) {
            share.turn = Share.Turn.NO_WAIT;
            waiters.remove(share);
        }
    }

    /** Marks a share as active in this period. Packets that were assumed to be lost are not counted again. */
    private void renew(Share share) {
        assert lock.isHeldByCurrentThread();
        if (!inFlight.renew(share.period, share.counted * share.unit)) {
            share.counted = 0;
            share.granted = 0;
        }
        share.period = inFlight.period();
    }

    private void settle(Share share, int present) {
        lock.lock();
        try {
            int sent = share.counted - share.granted;
            renew(share);
            int remaining = Math.min(share.counted - share.granted, present);
            inFlight.add(-(share.counted - remaining) * share.unit);
            long unused = share.granted * share.unit;
            long acknowledged = Math.min(share.progress, sent - remaining) * share.unit;
            long roundTrip = share.roundTrip;
            // before the calls, which may fail: nothing is recorded twice
            share.counted = remaining;
            share.granted = 0;
            share.progress = 0;
            share.roundTrip = RoundTripTime.NONE;
            if (unused > 0 && pacer != null) {
                pacer.returned(unused, share.user.timers().nanoTime());
            }
            if (roundTrip != RoundTripTime.NONE) {
                control.roundTrip(roundTrip, share.measuredAt);
            }
            control.acknowledged(acknowledged);
            callNext();
        } finally {
            lock.unlock();
        }
    }

    private void leave(Share share) {
        lock.lock();
        try {
            dequeue(share);
            callNext();
        } finally {
            lock.unlock();
        }
    }

    private void lost() {
        lock.lock();
        try {
            control.lost();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records that a CNP arrived for a connection of the path.
     *
     * @param now the time in nanoseconds
     * @return whether it has an effect
     */
    public boolean notified(long now) {
        lock.lock();
        try {
            return control.notified(now);
        } finally {
            lock.unlock();
        }
    }

    /** Resumes the first waiting connection if there is room for what it needs. */
    private void callNext() {
        assert lock.isHeldByCurrentThread();
        Share next = waiters.peekFirst();
        if (next != null && hasRoom(next)) {
            next.turn = Share.Turn.CALLED;
            next.user.resumeSend();
        }
    }

    private void startPeriodTimer(PathWindowUser user) {
        // does not change until this timer expires
        int ending = inFlight.period();
        try {
            user.timers().set(PERIOD_NANOS, () -> nextPeriod(user, ending));
        } catch (RuntimeException | Error e) {
            // the next share that waits starts it
            lock.lock();
            timerSet = false;
            lock.unlock();
            throw e;
        }
    }

    private void endPause(PathWindowUser user) {
        lock.lock();
        try {
            pacer.timerExpired();
            callNext();
        } finally {
            lock.unlock();
            user.runDeferred();
        }
    }

    /** Ends a period. It may be called again for the same period if it has failed. */
    private void nextPeriod(PathWindowUser user, int ending) {
        boolean again = false;
        lock.lock();
        try {
            if (ending == inFlight.period()) {
                timerSet = false;
                inFlight.endPeriod();
            }
            again = !timerSet && !waiters.isEmpty();
            timerSet |= again;
            callNext();
        } finally {
            lock.unlock();
            try {
                if (again) {
                    startPeriodTimer(user);
                }
            } finally {
                user.runDeferred();
            }
        }
    }
}
