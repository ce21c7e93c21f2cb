package io.jverbs.rsocket;

import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until a stream has what a thread of the program needs. The thread polls for a time and blocks afterwards, until
 * the thread of the context, or another one, has processed something. Thread-safe.
 */
final class StreamWait {
    static final long NO_LIMIT = Long.MAX_VALUE;

    /** How often a thread polls before it looks at the clock. */
    private static final int POLLS = 16;
    /** How long a thread leads before it checks what needs no completion, as a failure of the connection manager. */
    private static final long LEAD_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final boolean HAS_ONE_PROCESSOR = Runtime.getRuntime().availableProcessors() == 1;

    /** What a thread waits for. */
    enum Goal {
        ESTABLISHED, READABLE, WRITABLE, ENDED
    }

    private final StreamConnection stream;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    /** Changes with everything that a thread may wait for. */
    private final AtomicInteger version = new AtomicInteger();
    private final AtomicInteger waiters = new AtomicInteger();
    /** By the ordinals of the goals. */
    private final SpinPolicy[] policies = new SpinPolicy[Goal.values().length];

    StreamWait(StreamConnection stream) {
        this.stream = stream;
        Arrays.setAll(policies, goal -> new SpinPolicy());
    }

    /** Notes a change, and wakes the threads that wait. Takes no lock if there are none. */
    void changed() {
        if (waiters.get() > 0) {
            version.incrementAndGet();
            lock.lock();
            try {
                changed.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private boolean holds(Goal goal) {
        StreamState state = stream.state();
        if (goal == Goal.ENDED) {
            return !state.isConnected();
        }
        if (stream.isClosed()) {
            return true;
        }
        return switch (goal) {
            case READABLE -> state != StreamState.CONNECTING && (state.isEnded() || stream.reader().isReady());
            case WRITABLE -> state != StreamState.CONNECTING && (state.isEnded() || stream.writer().isReady());
            default -> state != StreamState.CONNECTING;
        };
    }

    /** Waits for the end of a close; an interrupt ends the wait. */
    void awaitEnd(long nanos) {
        try {
            await(Goal.ENDED, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits; returns whether the goal is reached, or can no longer be; false after the time. */
    boolean await(Goal goal, long nanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        if (holds(goal)) {
            return true;
        }
        long start = System.nanoTime();
        SpinPolicy policy = policies[goal.ordinal()];
        long most = stream.options().spin().toNanos();
        if (most > 0 && policy.mustSpin()) {
            boolean isReached = spin(goal, start, Math.min(nanos, most));
            if (isReached || most <= nanos) {
                policy.spun(isReached);
            }
            if (isReached) {
                return true;
            }
        }
        return block(goal, nanos == NO_LIMIT ? NO_LIMIT : start + nanos - System.nanoTime());
    }

    /** Polls until the goal is reached, or for a time; returns whether it is. */
    private boolean spin(Goal goal, long start, long nanos) {
        for (int polls = 1;; polls++) {
            stream.tryProgress();
            if (holds(goal)) {
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

    private boolean block(Goal goal, long nanos) throws InterruptedException {
        EventLeader leader = stream.device().leader();
        boolean mayLead = goal != Goal.ESTABLISHED && !Thread.currentThread().isVirtual();
        long left = nanos;
        waiters.incrementAndGet();
        leader.beginWait();
        try {
            while (true) {
                int seen = version.get();
                boolean isLeader = mayLead && leader.tryLead();
                try {
                    stream.arm();
                    if (holds(goal)) {
                        return true;
                    }
                    if (left <= 0) {
                        return false;
                    }
                    left = isLeader ? lead(leader, left) : follow(leader, seen, left);
                } finally {
                    if (isLeader) {
                        leader.resign();
                    }
                }
            }
        } finally {
            waiters.decrementAndGet();
            leader.endWait();
            if (leader.isNeeded()) {
                stream.device().wake();
            }
        }
    }

    /** Waits for an event of any stream; returns the time that is left. */
    private long lead(EventLeader leader, long nanos) throws InterruptedException {
        long start = System.nanoTime();
        try {
            leader.await(Math.min(nanos, LEAD_NANOS));
        } catch (IllegalStateException e) {
            if (!stream.device().context().isClosed()) {
                throw e;
            }
            stream.contextClosed();
        }
        return nanos == NO_LIMIT ? NO_LIMIT : nanos - (System.nanoTime() - start);
    }

    private long follow(EventLeader leader, int seen, long nanos) throws InterruptedException {
        if (leader.isNeeded()) {
            stream.device().wake();
        }
        return sleep(seen, nanos);
    }

    /** Blocks until something has changed since a version, or for a time; returns the time that is left. */
    private long sleep(int seen, long nanos) throws InterruptedException {
        long left = nanos;
        lock.lock();
        try {
            while (version.get() == seen && left > 0) {
                if (nanos == NO_LIMIT) {
                    changed.await();
                } else {
                    left = changed.awaitNanos(left);
                }
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the nanoseconds of a time that a program gives. */
    static long nanos(Duration timeout) {
        Objects.requireNonNull(timeout, "timeout");
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return TimeUnit.DAYS.toNanos(1) * 365;
        }
    }
}
