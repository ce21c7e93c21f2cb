package io.jverbs.rsocket.datagram;

import io.jverbs.CompletionQueue;
import io.jverbs.rsocket.polling.PollingWait;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Waits until a socket has what a thread of the program needs. The thread polls for a time and blocks afterwards: one
 * of those that wait leads, which waits for an event of the completion queues, and the others follow, which wait until
 * something has changed. Thread-safe.
 */
final class DatagramWait {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final Duration LEAD = Duration.ofSeconds(1);
    private static final long LEAD_NANOS = LEAD.toNanos();

    private final DatagramTransport transport;
    /** The lock of the socket, which guards the fields below. */
    private final ReentrantLock lock;
    private final Condition changed;
    private boolean hasLeader;

    /** What a thread waits for. */
    final class Goal {
        private final BooleanSupplier reached;
        private final PollingWait polling = new PollingWait(this::poll);

        private Goal(BooleanSupplier reached) {
            this.reached = reached;
        }

        /** Returns whether it is reached, or can no longer be; the lock is held. */
        private boolean isOver() {
            assert lock.isHeldByCurrentThread();
            return transport.isClosed() || reached.getAsBoolean();
        }

        private boolean poll() {
            lock.lock();
            try {
                transport.poll();
                return isOver();
            } finally {
                lock.unlock();
            }
        }
    }

    DatagramWait(DatagramTransport transport, ReentrantLock lock) {
        this.transport = transport;
        this.lock = lock;
        changed = lock.newCondition();
    }

    /** Creates a goal, from whether it is reached; this is called with the lock held. */
    Goal goal(BooleanSupplier reached) {
        return new Goal(reached);
    }

    /** Wakes the threads that follow; the lock is held. */
    void changed() {
        assert lock.isHeldByCurrentThread();
        changed.signalAll();
    }

    /** Waits; returns whether the goal is reached, or the socket is closed; false after the time. */
    boolean await(Goal goal, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long start = System.nanoTime();
        return goal.poll() || goal.polling.await(nanos, transport.options().spin().toNanos())
                || block(goal, start, nanos);
    }

    private boolean block(Goal goal, long start, long nanos) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                transport.poll();
                if (goal.isOver()) {
                    return true;
                }
                long left = nanos == NO_LIMIT ? NO_LIMIT : nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                if (hasLeader) {
                    changed.awaitNanos(Math.min(left, LEAD_NANOS));
                } else {
                    lead(goal, left);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for an event, for a time, without the lock. What happens after the queues were armed raises an event, and
     * they are polled until they are empty before the wait.
     */
    private void lead(Goal goal, long nanos) throws InterruptedException {
        assert lock.getHoldCount() == 1;
        hasLeader = true;
        try {
            transport.arm();
            transport.poll();
            if (goal.isOver()) {
                return;
            }
            lock.unlock();
            try {
                awaitEvent(nanos);
            } finally {
                lock.lock();
            }
        } finally {
            hasLeader = false;
            changed.signalAll();
        }
    }

    private void awaitEvent(long nanos) throws InterruptedException {
        CompletionQueue raised = null;
        try {
            raised = transport.device().channel().awaitEvent(nanos >= LEAD_NANOS ? LEAD : Duration.ofNanos(nanos));
        } catch (IllegalStateException e) {
            if (!transport.isClosed()) {
                throw e;
            }
        } finally {
            // a close of the socket waits for this, while it does not hold the lock
            if (raised != null) {
                raised.acknowledgeEvents(1);
            }
        }
    }
}
