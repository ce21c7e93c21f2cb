package io.jverbs.rsocket;

import io.jverbs.rsocket.polling.PollingWait;
import io.jverbs.rsocket.protocol.StreamState;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits until a stream has what a thread of the program needs. The thread polls for a time and blocks afterwards: one
 * thread of those that wait leads, which waits for events of all streams, and the others follow, which wait until
 * something of their stream has changed. Thread-safe.
 */
final class StreamWait {
    static final long NO_LIMIT = Long.MAX_VALUE;

    /** How often a step is taken that others depend on, if it fails. */
    private static final int ATTEMPTS = 2;

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
    /** How often a thread has blocked. */
    private final AtomicLong blocks = new AtomicLong();
    /** The bits of {@link RdmaStream#requestNotification} of which none was ready yet; 0 for no request. */
    private final AtomicInteger requested = new AtomicInteger();
    private volatile Runnable notification;
    /** By the ordinals of the goals. */
    private final PollingWait[] pollings = new PollingWait[Goal.values().length];

    StreamWait(StreamConnection stream) {
        this.stream = stream;
        for (Goal goal : Goal.values()) {
            pollings[goal.ordinal()] = new PollingWait(() -> poll(goal));
        }
    }

    /** Returns whether threads block, or are about to. */
    boolean hasWaiters() {
        return waiters.get() > 0;
    }

    /** Returns how often a thread has blocked. */
    long blocks() {
        return blocks.get();
    }

    /** Notes a change, notifies the program, and wakes the threads that wait. Takes no lock if there are none. */
    void changed() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                notifyIfReady();
                break;
            } catch (RuntimeException | Error e) {
                // once more; then the next change notifies the program
            }
        }
        wake();
    }

    /** Wakes the threads that wait; returns whether there are some. An Error does not end this: they would hang. */
    boolean wake() {
        if (!hasWaiters()) {
            return false;
        }
        version.incrementAndGet();
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                signal();
                break;
            } catch (RuntimeException | Error e) {
                // once more
            }
        }
        return true;
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns what {@link RdmaStream#ready} returns. */
    int ready() {
        boolean isEnded = stream.isClosed() || stream.state().isEnded();
        return (holds(Goal.READABLE) ? RdmaStream.READABLE : 0) | (holds(Goal.WRITABLE) ? RdmaStream.WRITABLE : 0)
                | (isEnded ? RdmaStream.ENDED : 0);
    }

    /** Runs a notification when one of the bits is ready that is not yet; returns those that are. */
    int requestNotification(int bits, Runnable whenReady) {
        int ready = replaceRequest(bits, whenReady);
        if (ready == bits) {
            return ready;
        }
        stream.arm();
        if (stream.device().leader().isNeeded()) {
            stream.device().wake();
        }
        notifyIfReady();
        return ready;
    }

    /** Replaces the request before, which is notified first if it is due: another thread may wait for that. */
    private int replaceRequest(int bits, Runnable whenReady) {
        EventLeader leader = stream.device().leader();
        while (true) {
            notifyIfReady();
            int before = requested.get();
            int ready = ready();
            if ((before & ready) != 0) {
                continue;
            }
            notification = whenReady;
            leader.beginNotification();
            boolean isReplaced = requested.compareAndSet(before, bits & ~ready);
            if (!isReplaced || before != 0) {
                leader.endNotification();
            }
            if (isReplaced) {
                if ((bits & ~ready) == 0) {
                    leader.endNotification();
                }
                return ready & bits;
            }
        }
    }

    private void notifyIfReady() {
        int wanted = requested.get();
        if (wanted != 0 && (ready() & wanted) != 0 && requested.compareAndSet(wanted, 0)) {
            boolean isDone = false;
            try {
                notification.run();
                isDone = true;
            } finally {
                if (isDone || !requested.compareAndSet(0, wanted)) {
                    stream.device().leader().endNotification();
                }
            }
        }
    }

    /** After an event, which disarms the completion queue: arms it again if a notification is still requested. */
    void eventProcessed() {
        if (requested.get() != 0) {
            stream.arm();
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
        if (pollings[goal.ordinal()].await(nanos, stream.options().spin().toNanos())) {
            return true;
        }
        return block(goal, nanos == NO_LIMIT ? NO_LIMIT : start + nanos - System.nanoTime());
    }

    private boolean poll(Goal goal) {
        stream.tryProgress();
        return holds(goal);
    }

    /**
     * Blocks until the goal is reached, or for a time; returns whether it is. What happens after the version was read
     * changes it, or raises an event, because the queue is armed and polled until it is empty before each wait.
     */
    private boolean block(Goal goal, long nanos) throws InterruptedException {
        EventLeader leader = stream.device().leader();
        boolean mayLead = !Thread.currentThread().isVirtual();
        long start = System.nanoTime();
        blocks.incrementAndGet();
        waiters.incrementAndGet();
        leader.beginWait();
        try {
            while (true) {
                int seen = version.get();
                // before it is established, no event says that it is
                boolean isLeader = mayLead && stream.state() != StreamState.CONNECTING && leader.tryLead();
                stream.arm();
                if (holds(goal)) {
                    return true;
                }
                long left = nanos == NO_LIMIT ? NO_LIMIT : nanos - (System.nanoTime() - start);
                if (left <= 0) {
                    return false;
                }
                if (version.get() != seen) {
                    continue;
                }
                if (isLeader) {
                    lead(leader, left);
                } else {
                    follow(leader, mayLead && stream.state() != StreamState.CONNECTING, seen, left);
                }
                if (holds(goal)) {
                    return true;
                }
            }
        } finally {
            waiters.decrementAndGet();
            leader.endWait();
            leader.resign();
            if (leader.isNeeded() && !leader.wakeSuccessor()) {
                stream.device().wake();
            }
        }
    }

    /** Waits for an event of any stream, for a time. */
    private void lead(EventLeader leader, long nanos) throws InterruptedException {
        try {
            leader.lead(stream, nanos);
        } catch (IllegalStateException e) {
            if (!stream.device().context().isClosed()) {
                throw e;
            }
            stream.contextClosed();
        }
    }

    /** Waits until something of the stream has changed since a version, for a time, or until no thread leads. */
    private void follow(EventLeader leader, boolean mayLead, int seen, long nanos) throws InterruptedException {
        if (mayLead) {
            leader.offer(this);
        }
        if (leader.isNeeded()) {
            if (mayLead) {
                return;
            }
            stream.device().wake();
        }
        sleep(seen, nanos);
    }

    /** Blocks until something has changed since a version, or for a time. */
    private void sleep(int seen, long nanos) throws InterruptedException {
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
