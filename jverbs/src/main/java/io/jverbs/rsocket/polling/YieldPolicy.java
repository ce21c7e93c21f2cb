package io.jverbs.rsocket.polling;

/**
 * Decides when a thread that polls yields its processor, and when further polls do not pay. If the peer waits for that
 * processor, each further poll keeps it from sending, and a yield lets it send at once. If a program that computes
 * waits for it, a yield lasts as long as the system lets that program run, and a thread that blocks is woken earlier.
 * The policy learns from how long each yield lasts, and from whether it has brought what the thread waits for. Wrong
 * values after a race between threads only cost time, so there is no lock.
 */
final class YieldPolicy {
    /** How long a thread polls before a yield, at most. */
    static final long LONGEST_SPIN_NANOS = 16_000;
    /** The same while each yield brings what the thread waits for. */
    static final long SHORTEST_SPIN_NANOS = 500;
    /** If a yield is shorter, no other thread was waiting for the processor. */
    static final long SHORTEST_SWITCH_NANOS = 2_000;
    /** If a yield is longer, a thread that computes was waiting for the processor. */
    static final long LONG_YIELD_NANOS = 200_000;

    private long spinNanos = LONGEST_SPIN_NANOS;

    /**
     * {@return whether a thread yields now}
     *
     * @param nanos how long it has polled since it began, or since its latest yield
     */
    boolean mustYield(long nanos) {
        return nanos >= spinNanos;
    }

    /**
     * Notes the end of a yield.
     *
     * @param nanos how long it has lasted
     * @param reached whether the poll after it has reached what the thread waits for
     * @return whether further polls pay; if not, the thread blocks
     */
    boolean yielded(long nanos, boolean reached) {
        boolean isSwitch = nanos >= SHORTEST_SWITCH_NANOS && nanos <= LONG_YIELD_NANOS;
        if (isSwitch && reached) {
            spinNanos = Math.max(spinNanos / 4, SHORTEST_SPIN_NANOS);
        } else {
            spinNanos = Math.min(2 * spinNanos, LONGEST_SPIN_NANOS);
        }
        return nanos <= LONG_YIELD_NANOS;
    }
}
