package io.jverbs.soft.transport;

import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.wire.PacketBuffer;
import java.util.ArrayDeque;

/**
 * How much all reliable connections of a device have under way to one address: its socket buffer is one. Who finds no room waits
 * in line, and a connection that would go on waits behind it, so that all are served alike. Grows while all is well, halves when
 * packets are lost. Has a lock of its own, the last to take.
 */
public final class SharedWindow {
    private static final long LEAST = 2 * cost(PacketBuffer.MAX_PAYLOAD);
    /** A connection has at most so many packets under way while others wait. */
    private static final int QUANTUM = 4;
    /** While connections wait, what was sent one to two of these ago, and is not acknowledged, is taken for gone. */
    private static final long PERIOD_NANOS = 50_000_000;

    private final SpinLock lock = new SpinLock();
    private final ArrayDeque<Share> line = new ArrayDeque<>();
    private Capacity capacity;
    private long size;
    /** What is under way of shares that were active in this period, and of those that were in the one before. */
    private long taken;
    private long takenBefore;
    private long acknowledged;
    private long acknowledgedSinceLoss;
    private boolean watched;
    private int period;

    /** @param capacity what it can grow to, until something is lost */
    public SharedWindow(Capacity capacity) {
        this.capacity = capacity;
        size = capacity.shared();
        acknowledgedSinceLoss = size;
    }

    /** What it can grow to. */
    Capacity capacity() {
        lock.lock();
        try {
            return capacity;
        } finally {
            lock.unlock();
        }
    }

    /** What a packet of a path MTU takes. */
    static long cost(int mtu) {
        return 2L * mtu + 768;
    }

    /**
     * One connection's part; guarded by its requester's lock, and what others see of it by the window's. A packet that may leave is
     * granted; it counts from then until it is acknowledged.
     */
    static final class Share {
        private final SoftQp qp;
        private SharedWindow window;
        private long unit;
        private int granted;
        private int counted;
        private int period;
        private int progress;
        private boolean exempt;
        private boolean waits;

        Share(SoftQp qp) {
            this.qp = qp;
        }

        /** Takes over the way to the peer. */
        void join(SharedWindow shared, int mtu) {
            if (window != null) {
                leave();
            }
            window = shared;
            unit = cost(mtu);
            exempt = false;
        }

        /** Whether one more packet may leave; if not, the queue pair is resumed in its turn, or goes on with its next answer. */
        boolean admits(int wanted) {
            return exempt || granted > 0 || window.grant(this, wanted);
        }

        /** Whether only one more packet may leave without asking. */
        boolean isLast() {
            return exempt || granted == 1;
        }

        /** A packet has left. */
        void sent() {
            if (granted > 0) {
                granted--;
            }
        }

        /** Packets were acknowledged: the peer answers. */
        void acknowledged(int packets) {
            progress += packets;
            exempt = false;
        }

        /** Nothing more leaves for now, and so many packets are under way. */
        void settle(int underWay) {
            if (granted != 0 || progress != 0 || counted > underWay) {
                window.settle(this, underWay);
            }
        }

        /** Waits in line no more. */
        void stopWaiting() {
            if (waits) {
                window.leave(this);
            }
        }

        /** Nothing is under way, and nothing will be for now. */
        void leave() {
            stopWaiting();
            settle(0);
        }

        /** A peer that does not answer is tried with packets that do not count, as it must not hold up others. */
        void exempt() {
            exempt = true;
        }

        /** Packets are missing. */
        void lost() {
            window.lost();
        }
    }

    private boolean grant(Share share, int wanted) {
        boolean watch = false;
        lock.lock();
        try {
            renew(share);
            Share first = line.peekFirst();
            boolean contended = first != null && (first != share || line.size() > 1);
            int most = contended ? Math.min(wanted, QUANTUM - share.counted) : wanted;
            if (most <= 0) {
                // its own answers let it go on
                leaveLine(share);
                callNext();
                return false;
            }
            long room = size - taken - takenBefore;
            if (first != null && first != share || room < share.unit && taken + takenBefore > 0) {
                watch = enqueue(share);
                return false;
            }
            leaveLine(share);
            share.granted = Math.clamp(room / share.unit, 1, most);
            share.counted += share.granted;
            taken += share.granted * share.unit;
            callNext();
            return true;
        } finally {
            lock.unlock();
            if (watch) {
                watch(share.qp);
            }
        }
    }

    /** Whether the line is to be watched from now on. */
    private boolean enqueue(Share share) {
        if (!share.waits) {
            share.waits = true;
            line.addLast(share);
        }
        boolean first = !watched;
        watched = true;
        return first;
    }

    private void leaveLine(Share share) {
        if (share.waits) {
            share.waits = false;
            line.remove(share);
        }
    }

    /** Whoever does something counts for this period; what was forgotten stays so. */
    private void renew(Share share) {
        if (share.period != period) {
            if (share.period == period - 1) {
                takenBefore -= share.counted * share.unit;
                taken += share.counted * share.unit;
            } else {
                share.counted = 0;
                share.granted = 0;
            }
            share.period = period;
        }
    }

    private void settle(Share share, int underWay) {
        lock.lock();
        renew(share);
        int still = Math.min(share.counted - share.granted, underWay);
        taken -= (share.counted - still) * share.unit;
        share.counted = still;
        share.granted = 0;
        grow(share.progress * share.unit);
        share.progress = 0;
        callNext();
        lock.unlock();
    }

    private void grow(long bytes) {
        acknowledgedSinceLoss += bytes;
        acknowledged += bytes;
        if (acknowledged >= size) {
            acknowledged = 0;
            size = Math.min(size + cost(PacketBuffer.MAX_PAYLOAD), capacity.shared());
        }
    }

    private void leave(Share share) {
        lock.lock();
        leaveLine(share);
        callNext();
        lock.unlock();
    }

    private void lost() {
        lock.lock();
        if (acknowledgedSinceLoss >= size) {
            // once for all that were under way together
            size = Math.max(LEAST, size / 2);
            capacity = capacity.afterLoss();
            acknowledged = 0;
            acknowledgedSinceLoss = 0;
        }
        lock.unlock();
    }

    private void callNext() {
        Share next = line.peekFirst();
        if (next != null && (taken + takenBefore <= 0 || size - taken - takenBefore >= next.unit)) {
            next.qp.defer(SoftQp.RESUME_SEND);
        }
    }

    private void watch(SoftQp qp) {
        qp.around.timers().set(PERIOD_NANOS, () -> nextPeriod(qp));
    }

    private void nextPeriod(SoftQp qp) {
        lock.lock();
        watched = !line.isEmpty();
        boolean again = watched;
        takenBefore = taken;
        taken = 0;
        period++;
        callNext();
        lock.unlock();
        if (again) {
            watch(qp);
        }
        qp.agenda().run();
    }
}
