package io.jverbs.soft.fabric.udp;

/**
 * How long the device's thread pauses between two checks of whether threads still poll. The longer they have polled,
 * the longer it pauses. If no processor is free, each check takes one from a thread that polls, and the system may
 * then let another program run for milliseconds: after pollers have lost their processors, the pauses are longer
 * still. Not thread-safe.
 */
final class CheckPause {
    static final long SHORTEST_NANOS = 2_000_000;
    /** The longest pause while pollers keep their processors. */
    static final long LONGEST_NANOS = 4_000_000;
    /** The longest pause while they lose them. A program that then stops polling has its packets received late. */
    static final long LONGEST_BUSY_NANOS = 16_000_000;
    /**
     * So many checks in a row without a loss end the longest pause. A poller beside a program that computes loses its
     * processor some 60 times a second, so that some intervals between two checks have no loss.
     */
    static final int CHECKS_WITHOUT_LOSS = 4;

    private long nanos = SHORTEST_NANOS;
    /** What the pause grows to. */
    private long limit = LONGEST_NANOS;
    /** How many checks without a loss have followed the latest one with a loss, while the limit is the longest. */
    private int withoutLoss;

    /** Returns the pause until the next check. */
    long nanos() {
        return nanos;
    }

    /**
     * Records the result of a check.
     *
     * @param polled whether threads have polled frequently since the last one
     * @param lostProcessor whether one of them has lost its processor since
     */
    void checked(boolean polled, boolean lostProcessor) {
        if (lostProcessor) {
            limit = Math.min(2 * limit, LONGEST_BUSY_NANOS);
            withoutLoss = 0;
        } else if (limit < LONGEST_BUSY_NANOS || ++withoutLoss == CHECKS_WITHOUT_LOSS) {
            limit = Math.max(limit / 2, LONGEST_NANOS);
        }
        nanos = polled ? Math.min(nanos + nanos / 4, limit) : Math.max(nanos / 2, SHORTEST_NANOS);
    }
}
