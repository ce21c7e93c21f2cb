package io.jverbs.soft.queue;

/**
 * Decides when a thread that polls an empty completion queue yields its processor. If the peer waits for that
 * processor, each further poll keeps it from sending, and a yield brings its packet at once. If a program that
 * computes waits for it, a yield lasts as long as the system lets that program run, and the packet of a peer on
 * another processor waits meanwhile. The policy therefore learns from how long each yield lasts, and from whether the
 * poll after it finds a completion.
 *
 * <p>
 * A yield is long, too, if the peer runs on the same processor and does not yield, because its own yields were long.
 * Then each of them finds completions only after it has lost its processor. From this, both learn to yield again.
 *
 * <p>
 * Not thread-safe: if several threads poll one queue, some yields come earlier or later, which does no harm. Times are
 * those of {@link System#nanoTime}.
 */
public final class YieldPolicy {
    /** How long polls find nothing before a yield, at most. */
    static final long LONGEST_SPIN_NANOS = 50_000;
    /** The same while each yield brings a completion. */
    static final long SHORTEST_SPIN_NANOS = 1_000;
    /** If a yield is shorter, no other thread was waiting for the processor. */
    static final long SHORTEST_SWITCH_NANOS = 2_000;
    /** If a yield is longer, a thread that computes was waiting for the processor. */
    static final long LONG_YIELD_NANOS = 200_000;
    /** The time without yields after the first long one. It doubles with each further one. */
    static final long SHORTEST_PAUSE_NANOS = 1_000_000;
    /** The longest time without yields after a long one. */
    static final long LONGEST_PAUSE_NANOS = 256_000_000;
    /** If two polls are further apart, the thread does other work between them. */
    static final long BETWEEN_POLLS_NANOS = 10_000;
    /** A spin that finds nothing for longer is long: a peer on another processor would have sent something. */
    static final long LONG_SPIN_NANOS = 200_000;
    /**
     * If completions were found so many times when the thread had lost its processor after a long spin, and none while
     * it was spinning, the peer has the same processor.
     */
    static final int SHARED_AFTER = 3;
    /** How long yields may be long then without an effect: until the peer has learned the same. */
    static final long SHARED_NANOS = 100_000_000;
    private static final long NEVER = -1;

    /** The number of completions that were polled before the present spin; NEVER if the next poll begins one. */
    private long polledBefore = NEVER;
    /** The time of the latest poll that found nothing. */
    private long latest;
    /** When the present spin began. */
    private long since;
    private long spinNanos = LONGEST_SPIN_NANOS;
    /** The time without yields after the latest one that was long; 0 if a later one has brought a completion. */
    private long pauseNanos;
    private long pauseEnd;
    /** Whether the present spin is long. */
    private boolean isLongSpin;
    /** How many times completions were found only when the thread had lost its processor, since it found others. */
    private int lateCompletions;
    /** Whether the peer had the same processor until a short time before {@link #sharedEnd}. */
    private boolean shared;
    private long sharedEnd;

    /** Creates a policy that knows of no yields. */
    YieldPolicy() {
        // the fields have their initial values
    }

    /** Records that a poll has found nothing, but has received packets or has left responses to the next poll. */
    public void progressed() {
        polledBefore = NEVER;
    }

    /**
     * Records that a poll has found and received nothing. Returns whether the thread yields now.
     *
     * @param polled the number of completions ever polled from the queue
     * @param now the time
     * @return whether it yields
     */
    public boolean mustYield(long polled, long now) {
        boolean isClose = now - latest <= BETWEEN_POLLS_NANOS;
        if (polled != polledBefore || !isClose) {
            polledBefore = polled;
            since = now;
        }
        latest = now;
        isLongSpin = now - since > LONG_SPIN_NANOS;
        return now - since >= spinNanos && (pauseNanos == 0 || now - pauseEnd >= 0);
    }

    /** Records that a poll has found completions. */
    public void found() {
        if (isLongSpin || lateCompletions != 0) {
            found(System.nanoTime());
        }
    }

    /** Records the same at a time. */
    void found(long now) {
        if (now - latest <= BETWEEN_POLLS_NANOS) {
            lateCompletions = 0;
        } else if (isLongSpin) {
            lateCompletions++;
        }
        // the next completions may have come with this one
        isLongSpin = false;
        if (lateCompletions == SHARED_AFTER) {
            lateCompletions = 0;
            pauseNanos = 0;
            shared = true;
            sharedEnd = now + SHARED_NANOS;
        }
    }

    /**
     * Records a yield.
     *
     * @param nanos how long it lasted
     * @param now its end
     * @param found whether the poll after it has found a completion
     */
    public void yielded(long nanos, long now, boolean found) {
        polledBefore = NEVER;
        shared &= now - sharedEnd < 0;
        if (nanos > LONG_YIELD_NANOS) {
            spinNanos = LONGEST_SPIN_NANOS;
            if (!shared) {
                pauseNanos = pauseNanos == 0 ? SHORTEST_PAUSE_NANOS : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
                pauseEnd = now + pauseNanos;
            }
        } else if (nanos < SHORTEST_SWITCH_NANOS || !found) {
            spinNanos = Math.min(2 * spinNanos, LONGEST_SPIN_NANOS);
        } else {
            spinNanos = Math.max(spinNanos / 4, SHORTEST_SPIN_NANOS);
            pauseNanos = 0;
        }
    }
}
