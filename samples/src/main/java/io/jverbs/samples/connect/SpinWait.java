package io.jverbs.samples.connect;

import java.util.function.LongSupplier;

/**
 * Yields the processor in a loop that polls until something arrives. Both sides, and a device in software, may share a
 * processor; then what the loop waits for happens only after a yield. It decides by time, as a poll takes ten
 * nanoseconds, some hundred if it looks for packets, and more if it is a system call. Not thread-safe.
 */
public final class SpinWait {
    /** For polls of memory and of completion queues: the clock takes about as long as a short poll. */
    public static final int SHORT_POLLS = 64;
    /** For polls of sockets, which are system calls. */
    public static final int SYSTEM_CALLS = 8;
    /** More than a response takes on an idle machine, so that the loops do not yield there. */
    private static final long NANOS_BETWEEN_YIELDS = 20_000;

    private final int pollsBetweenClockReads;
    private final LongSupplier clock;
    private final Runnable yields;
    /** The number of empty polls since something arrived. */
    private int polls;
    private long spinningSince;

    /**
     * Creates the wait of a loop.
     *
     * @param pollsBetweenClockReads the number of polls between two reads of the clock
     */
    public SpinWait(int pollsBetweenClockReads) {
        this(pollsBetweenClockReads, System::nanoTime, Thread::yield);
    }

    SpinWait(int pollsBetweenClockReads, LongSupplier clock, Runnable yields) {
        this.pollsBetweenClockReads = pollsBetweenClockReads;
        this.clock = clock;
        this.yields = yields;
    }

    /** Begins to wait. */
    public void begin() {
        polls = 0;
    }

    /**
     * Called after each poll that returned nothing.
     *
     * @return whether it has yielded, which is a time to check whether the peer still exists
     */
    public boolean idle() {
        Thread.onSpinWait();
        return ++polls % pollsBetweenClockReads == 0 && yieldIfLong();
    }

    private boolean yieldIfLong() {
        long now = clock.getAsLong();
        if (polls == pollsBetweenClockReads) {
            spinningSince = now;
        } else if (now - spinningSince > NANOS_BETWEEN_YIELDS) {
            yields.run();
            spinningSince = clock.getAsLong();
            return true;
        }
        return false;
    }
}
