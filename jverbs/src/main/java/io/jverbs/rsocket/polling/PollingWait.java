package io.jverbs.rsocket.polling;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The part of a wait in which a thread polls. It ends when the thread has reached what it waits for, after a time, or
 * when a yield has shown that other threads need the processor for long. Thread-safe.
 */
public final class PollingWait {
    private final BooleanSupplier poll;
    private final LongSupplier clock;
    private final Runnable yield;
    private final SpinPolicy spins = new SpinPolicy();
    private final YieldPolicy yields = new YieldPolicy();

    /**
     * Creates a wait.
     *
     * @param poll polls, and returns whether the thread has reached what it waits for
     */
    public PollingWait(BooleanSupplier poll) {
        this(poll, System::nanoTime, Thread::yield);
    }

    /** Creates a wait with another clock, in nanoseconds, and another yield. */
    PollingWait(BooleanSupplier poll, LongSupplier clock, Runnable yield) {
        this.poll = poll;
        this.clock = clock;
        this.yield = yield;
    }

    /**
     * Polls, unless earlier waits have shown that it does not pay.
     *
     * @param nanos how long the thread waits at most
     * @param spinNanos how long it polls at most, 0 for not at all
     * @return whether it has reached what it waits for
     */
    public boolean await(long nanos, long spinNanos) {
        if (spinNanos <= 0 || !spins.mustSpin()) {
            return false;
        }
        long start = clock.getAsLong();
        long since = start;
        while (true) {
            if (poll.getAsBoolean()) {
                spins.spun(true);
                return true;
            }
            // each time: a poll of a device with sockets can take microseconds
            long now = clock.getAsLong();
            if (now - start >= Math.min(nanos, spinNanos)) {
                if (spinNanos <= nanos) {
                    spins.spun(false);
                }
                return false;
            }
            if (yields.mustYield(now - since)) {
                yield.run();
                since = clock.getAsLong();
                boolean isReached = poll.getAsBoolean();
                boolean pays = yields.yielded(since - now, isReached);
                if (isReached || !pays) {
                    spins.spun(pays);
                    return isReached;
                }
            }
            Thread.onSpinWait();
        }
    }
}
