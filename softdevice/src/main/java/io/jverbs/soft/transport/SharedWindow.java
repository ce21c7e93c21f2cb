package io.jverbs.soft.transport;

import io.jverbs.soft.queue.SpinLock;
import java.util.ArrayDeque;

/**
 * How much all reliable connections of a device have under way to one address: its socket buffer is one. Who finds no room waits
 * in line, and a connection that would go on waits behind it, so that all are served alike. Grows while all is well, halves when
 * packets are lost. Has a lock of its own, the last to take.
 */
public final class SharedWindow {
    /** A packet takes about twice its size in the receiver's socket buffer, and a buffer of 208 KiB counts as double. */
    private static final long MOST = 24 * cost(4096);
    private static final long LEAST = 2 * cost(4096);
    /** So many packets at a time if others wait. */
    private static final int QUANTUM = 4;
    /** What was sent so long ago, while others wait and nothing is acknowledged, is no more in anybody's socket buffer. */
    private static final long STALL_NANOS = 10_000_000;

    private final SpinLock lock = new SpinLock();
    private final ArrayDeque<Share> line = new ArrayDeque<>();
    private long size = MOST;
    private long taken;
    private long given;
    private long givenSinceLoss = MOST;
    private boolean moved;
    private boolean watched;
    private volatile int age;

    /** What packets of a path MTU take. */
    static long cost(int mtu) {
        return 2L * mtu + 768;
    }

    /** One connection's part; guarded by its requester's lock. */
    static final class Share {
        private final SoftQp qp;
        private SharedWindow window;
        private long unit;
        private int packets;
        private int age;
        private boolean exempt;
        /** Whether it is in line: changes with the window's lock held too. */
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
            age = shared.age;
        }

        /** Whether one more packet may leave; if not, the queue pair is resumed when it is its turn. */
        boolean admits(int underWay, int wanted) {
            return exempt || packets > underWay || window.take(this, wanted);
        }

        /** Whether only one more packet may leave without asking. */
        boolean isLast(int underWay) {
            return exempt || packets == underWay + 1;
        }

        /** Says how many packets are under way. */
        void settle(int underWay) {
            if (window != null && (packets != underWay || age != window.age)) {
                window.settle(this, exempt ? 0 : underWay);
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
        void exempt(boolean silent) {
            exempt = silent;
        }

        /** Packets are missing. */
        void lost() {
            window.lost();
        }
    }

    private boolean take(Share share, int wanted) {
        boolean watch = false;
        lock.lock();
        try {
            renew(share);
            long room = (size - taken) / share.unit;
            boolean turn = line.isEmpty() || line.peekFirst() == share;
            if (!turn || room <= 0 && taken > 0) {
                watch = enqueue(share);
                return false;
            }
            if (share.waits) {
                line.removeFirst();
                share.waits = false;
            }
            long most = line.isEmpty() ? wanted : Math.min(wanted, QUANTUM);
            int packets = (int) Math.clamp(room, 1, most);
            share.packets += packets;
            taken += packets * share.unit;
            callNext();
            return true;
        } finally {
            lock.unlock();
            if (watch) {
                watch(share.qp);
            }
        }
    }

    private boolean enqueue(Share share) {
        if (!share.waits) {
            share.waits = true;
            line.addLast(share);
        }
        boolean first = !watched;
        watched = true;
        return first;
    }

    /** What a share had before the window forgot what was under way is gone. */
    private void renew(Share share) {
        if (share.age != age) {
            share.age = age;
            share.packets = 0;
        }
    }

    private void settle(Share share, int underWay) {
        lock.lock();
        renew(share);
        long less = (share.packets - underWay) * share.unit;
        share.packets = underWay;
        taken -= less;
        if (less > 0) {
            moved = true;
            grow(less);
            callNext();
        }
        lock.unlock();
    }

    private void grow(long less) {
        givenSinceLoss += less;
        given += less;
        if (given >= size) {
            given = 0;
            size = Math.min(size + cost(4096), MOST);
        }
    }

    private void leave(Share share) {
        lock.lock();
        share.waits = false;
        line.remove(share);
        callNext();
        lock.unlock();
    }

    private void lost() {
        lock.lock();
        if (givenSinceLoss >= size) {
            // once for all that were under way together
            size = Math.max(LEAST, size / 2);
            given = 0;
            givenSinceLoss = 0;
        }
        lock.unlock();
    }

    private void callNext() {
        Share next = line.peekFirst();
        if (next != null && (taken == 0 || size - taken >= next.unit)) {
            next.qp.defer(SoftQp.RESUME_SEND);
        }
    }

    private void watch(SoftQp qp) {
        qp.around.timers().set(STALL_NANOS, () -> look(qp));
    }

    private void look(SoftQp qp) {
        lock.lock();
        watched = !line.isEmpty();
        if (watched && !moved) {
            taken = 0;
            age = age + 1;
        }
        moved = false;
        boolean again = watched;
        callNext();
        lock.unlock();
        if (again) {
            watch(qp);
        }
        qp.agenda().run();
    }
}
