package io.jverbs.rsocket.datagram;

import io.jverbs.CompletionQueue;
import io.jverbs.rsocket.polling.SpinPolicy;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until a socket has what a thread of the program needs. The thread polls for a time and blocks afterwards: one
 * of those that wait leads, which waits for an event of the completion queues, and the others follow, which wait until
 * something has changed. Thread-safe.
 */
final class DatagramWait {
    static final long NO_LIMIT = Long.MAX_VALUE;

    private static final Duration LEAD = Duration.ofSeconds(1);
    private static final long LEAD_NANOS = LEAD.toNanos();
    /** How often a thread polls before it looks at the clock. */
    private static final int POLLS = 16;
    private static final boolean HAS_ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    /** What a thread waits for. */
    enum Goal {
        /** A message has arrived. */
        READABLE,
        /** A queue pair has room for a message. */
        WRITABLE
    }

    private final DatagramTransport transport;
    /** The lock of the socket, which guards the fields below. */
    private final ReentrantLock lock;
    private final Condition changed;
    private boolean hasLeader;
    /** By the ordinals of the goals. */
    private final SpinPolicy[] policies = new SpinPolicy[Goal.values().length];

    DatagramWait(DatagramTransport transport, ReentrantLock lock) {
        this.transport = transport;
        this.lock = lock;
        changed = lock.newCondition();
        Arrays.setAll(policies, goal -> new SpinPolicy());
    }

    /** Wakes the threads that follow; the lock is held. */
    void changed() {
        assert lock.isHeldByCurrentThread();
        changed.signalAll();
    }

    /**
     * Waits; returns whether the goal is reached, or the socket is closed; false after the time.
     *
     * @param queuePair the queue pair that must have room; null for all
     */
    boolean await(Goal goal, DatagramQueuePair queuePair, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long start = System.nanoTime();
        if (pollOnce(goal, queuePair)) {
            return true;
        }
        SpinPolicy policy = policies[goal.ordinal()];
        long most = transport.options().spin().toNanos();
        if (most > 0 && policy.mustSpin()) {
            boolean isReached = spin(goal, queuePair, start, Math.min(nanos, most));
            if (isReached || most <= nanos) {
                policy.spun(isReached);
            }
            if (isReached) {
                return true;
            }
        }
        return block(goal, queuePair, start, nanos);
    }

    private boolean pollOnce(Goal goal, DatagramQueuePair queuePair) {
        lock.lock();
        try {
            transport.poll();
            return transport.holds(goal, queuePair);
        } finally {
            lock.unlock();
        }
    }

    /** Polls until the goal is reached, or for a time; returns whether it is. */
    private boolean spin(Goal goal, DatagramQueuePair queuePair, long start, long nanos) {
        for (int polls = 1;; polls++) {
            if (pollOnce(goal, queuePair)) {
                return true;
            }
            if (polls % POLLS == 0 && System.nanoTime() - start >= nanos) {
                return false;
            }
            if (HAS_ONE_PROCESSOR) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    private boolean block(Goal goal, DatagramQueuePair queuePair, long start, long nanos) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                transport.poll();
                if (transport.holds(goal, queuePair)) {
                    return true;
                }
                long left = nanos == NO_LIMIT ? NO_LIMIT : nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                if (hasLeader) {
                    changed.awaitNanos(Math.min(left, LEAD_NANOS));
                } else {
                    lead(goal, queuePair, left);
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
    private void lead(Goal goal, DatagramQueuePair queuePair, long nanos) throws InterruptedException {
        assert lock.getHoldCount() == 1;
        hasLeader = true;
        try {
            transport.arm();
            transport.poll();
            if (transport.holds(goal, queuePair)) {
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
