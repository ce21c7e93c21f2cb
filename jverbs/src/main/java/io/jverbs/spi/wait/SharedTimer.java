package io.jverbs.spi.wait;

import io.jverbs.spi.ServiceLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Ends the timed waits of all {@link TimedCondition}s. A wait that ends otherwise changes nothing here: the thread of
 * the timer wakes at the time at which that wait would have been over, and finds that there is nothing to do. The
 * first wait starts the thread. Thread-safe.
 */
final class SharedTimer {
    /** Instead of a time: no thread waits for the condition. */
    static final long NO_WAITS = -1;
    /** How long a condition for which no thread waits can stay in the list. */
    private static final long MAX_SLEEP_NANOS = 10_000_000_000L;
    /** Later than the end of any wait. */
    private static final long NEVER_NANOS = 2 * TimedCondition.MAX_SHARED_NANOS;

    private static final Queue<TimedCondition> ADDED = new ConcurrentLinkedQueue<>();
    /** When the thread must wake. */
    private static final AtomicLong WAKE_AT = new AtomicLong(System.nanoTime() + NEVER_NANOS);
    /** The time until which the thread sleeps, or has slept last. Written by the thread. */
    private static volatile long sleepsUntil = System.nanoTime();
    private static volatile Thread thread;

    // only the thread uses the fields below
    private final ServiceLoop loop = new ServiceLoop(SharedTimer.class, "The timer of waits");
    private final List<TimedCondition> conditions = new ArrayList<>();

    private SharedTimer() {}

    /** Adds a condition for which a thread is about to wait. */
    static void add(TimedCondition condition, long end) {
        if (thread == null) {
            start();
        }
        ADDED.add(condition);
        expireAt(end);
    }

    private static synchronized void start() {
        if (thread == null) {
            Thread made = ServiceLoop.unstarted("jverbs-wait-timer", SharedTimer.class, new SharedTimer()::run);
            made.start();
            thread = made;
        }
    }

    /** Makes the thread look at the conditions not later than at a time. */
    static void expireAt(long end) {
        lowerWakeAt(end);
        // until the thread has run: if an Error keeps one caller from waking it, the next one does
        if (end - sleepsUntil < 0) {
            LockSupport.unpark(thread);
        }
    }

    private static void lowerWakeAt(long time) {
        long present = WAKE_AT.get();
        while (time - present < 0 && !WAKE_AT.compareAndSet(present, time)) {
            present = WAKE_AT.get();
        }
    }

    private void run() {
        while (true) {
            try {
                loop.begin();
                long now = System.nanoTime();
                sleepsUntil = now;
                // before the conditions are read: what is added later makes it earlier again
                WAKE_AT.set(now + NEVER_NANOS);
                takeAdded();
                expire(now);
                if (!conditions.isEmpty()) {
                    lowerWakeAt(now + MAX_SLEEP_NANOS);
                }
                loop.passed();
                sleep();
            } catch (RuntimeException | Error e) {
                loop.failed(e);
            }
        }
    }

    private void sleep() {
        long until = WAKE_AT.get();
        sleepsUntil = until;
        // otherwise it was made earlier by a thread that may not have seen that this one sleeps
        if (WAKE_AT.get() == until) {
            LockSupport.parkNanos(this, until - System.nanoTime());
        }
    }

    private void takeAdded() {
        for (TimedCondition next = ADDED.peek(); next != null; next = ADDED.peek()) {
            conditions.add(next);
            ADDED.remove();
        }
    }

    private void expire(long now) {
        for (int i = conditions.size() - 1; i >= 0; i--) {
            long left = conditions.get(i).expire(now);
            if (left == NO_WAITS) {
                // the order does not matter; an Error in between leaves one twice
                conditions.set(i, conditions.getLast());
                conditions.removeLast();
            } else {
                lowerWakeAt(now + left);
            }
        }
    }
}
