package io.jverbs.endpoint;

import io.jverbs.endpoint.WorkQueues.ReceiveQueue;
import io.jverbs.endpoint.WorkQueues.SendQueue;
import io.jverbs.endpoint.polling.SpinPolicy;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until a connection has what a thread of the program needs. The thread polls for a time, if its
 * {@link SpinPolicy} says so, and blocks afterwards. In a handler, which the thread that polls has called, it polls all
 * the time. Thread-safe.
 */
final class ConnectionWait {
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long ESTABLISH_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** How often a thread polls before it looks at the clock. */
    private static final int POLLS = 8;

    /** What a thread waits for. */
    enum Goal {
        BUFFER, CREDIT, BUFFER_AND_CREDIT, MESSAGE, REPLY, ESTABLISHED, ENDED
    }

    private final Connection connection;
    private final ReentrantLock lock;
    private final Credits credits;
    private final SendQueue sends;
    private final ReceiveQueue receives;
    /** By the ordinals of the goals. A program can wait for messages for long, and for replies for a short time. */
    private final SpinPolicy[] policies = new SpinPolicy[Goal.values().length];

    ConnectionWait(Connection connection, Credits credits, SendQueue sends, ReceiveQueue receives) {
        this.connection = connection;
        this.lock = connection.lock();
        this.credits = credits;
        this.sends = sends;
        this.receives = receives;
        Arrays.setAll(policies, goal -> new SpinPolicy());
    }

    private boolean holds(Goal goal, Requests.Pending pending) {
        ConnectionState state = connection.state();
        if (state == ConnectionState.ENDED || !state.isAlive() && connection.device().isPolling()) {
            // in a handler, the last state cannot be reached
            return true;
        }
        if (goal == Goal.ENDED) {
            return false;
        }
        if (connection.isUserClosed()) {
            return true;
        }
        return switch (goal) {
            case BUFFER -> connection.isPeerClosed() || sends.hasBuffer();
            case CREDIT -> connection.isPeerClosed() || state == ConnectionState.ESTABLISHED && credits.available();
            case BUFFER_AND_CREDIT -> connection.isPeerClosed()
                    || state == ConnectionState.ESTABLISHED && credits.available() && sends.hasBuffer();
            case MESSAGE -> connection.isPeerClosed() || !receives.isEmpty() || connection.calls().hasHandler();
            case REPLY -> connection.isPeerClosed() || pending.reply() != null;
            case ESTABLISHED -> state == ConnectionState.ESTABLISHED;
            case ENDED -> false;
        };
    }

    /**
     * Waits; the lock is held once, and is released meanwhile.
     *
     * @return whether the goal, or the end of the connection, is reached; false after the time
     */
    boolean await(Goal goal, Requests.Pending pending, long nanos) throws InterruptedException {
        assert lock.getHoldCount() == 1;
        SpinPolicy policy = policies[goal.ordinal()];
        if (holds(goal, pending)) {
            policy.spun(true);
            return true;
        }
        int seen = connection.version();
        boolean isPolling = connection.device().isPolling();
        long spin = isPolling ? nanos : spinNanos(goal, policy);
        long start = System.nanoTime();
        lock.unlock();
        try {
            spin(goal, pending, seen, start, Math.min(nanos, spin), isPolling);
        } finally {
            try {
                lock.lock();
            } catch (Error e) {
                // the caller releases it
                lock.lock();
                throw e;
            }
        }
        boolean isReached = holds(goal, pending);
        if (!isPolling && spin > 0 && (isReached || spin <= nanos)) {
            policy.spun(isReached);
        }
        return isReached
                || !isPolling && block(goal, pending,
                        nanos == MessageExchange.NO_LIMIT ? nanos : start + nanos - System.nanoTime());
    }

    /** How long a thread polls. For a connection that is being established it polls longer: there are several steps. */
    private long spinNanos(Goal goal, SpinPolicy policy) {
        long spin = connection.options().spinNanos();
        if (spin == 0 || !policy.mustSpin()) {
            return 0;
        }
        return goal == Goal.ESTABLISHED ? Math.max(spin, ESTABLISH_NANOS) : spin;
    }

    /** Polls until the goal is reached, or for a time; once if the time is 0. */
    private void spin(Goal goal, Requests.Pending pending, int version, long start, long nanos, boolean isPolling)
            throws InterruptedException {
        if (!isPolling) {
            connection.device().completions().use();
        }
        if (goal == Goal.ESTABLISHED) {
            connection.device().events().use();
        }
        int seen = version;
        for (int polls = 1;; polls++) {
            poll(goal);
            int present = connection.version();
            if (present != seen) {
                seen = present;
                if (check(goal, pending)) {
                    return;
                }
            }
            if (nanos == 0 || polls % POLLS == 0) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
                long passed = System.nanoTime() - start;
                if (passed >= nanos) {
                    return;
                }
                if (isPolling && passed > connection.options().spinNanos()) {
                    LockSupport.parkNanos(this, NAP_NANOS);
                }
            }
            SpinPolicy.pause();
        }
    }

    private boolean check(Goal goal, Requests.Pending pending) {
        lock.lock();
        try {
            return holds(goal, pending);
        } finally {
            lock.unlock();
        }
    }

    private void poll(Goal goal) {
        try {
            connection.device().completions().poll();
            if (goal == Goal.ESTABLISHED) {
                connection.device().events().poll();
            }
        } catch (IllegalStateException e) {
            if (!connection.device().context().isClosed()) {
                throw e;
            }
            connection.end().contextClosed();
        }
    }

    private boolean block(Goal goal, Requests.Pending pending, long nanos) throws InterruptedException {
        CompletionProcessor completions = connection.device().completions();
        EventProcessor events = connection.device().events();
        completions.beginBlock();
        events.beginBlock();
        try {
            long left = nanos;
            while (!holds(goal, pending) && left > 0) {
                if (left == MessageExchange.NO_LIMIT) {
                    // without the timer that the JDK sets for a virtual thread
                    connection.changed().await();
                } else {
                    left = connection.changed().awaitNanos(left);
                }
            }
            return holds(goal, pending);
        } finally {
            events.endBlock();
            completions.endBlock();
        }
    }

    /** Waits until the connection has ended; an interrupt makes it end at once. The lock is held. */
    void awaitEnded() {
        assert lock.isHeldByCurrentThread();
        boolean interrupted = false;
        while (connection.state() != ConnectionState.ENDED) {
            try {
                await(Goal.ENDED, null, MessageExchange.NO_LIMIT);
            } catch (InterruptedException e) {
                interrupted = true;
                connection.end().begin(null);
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
