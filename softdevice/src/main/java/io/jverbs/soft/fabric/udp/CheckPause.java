package io.jverbs.soft.fabric.udp;

/**
 * How long the device's thread pauses between two checks of whether threads still poll: about a quarter of the time for
 * which they have polled. Each check takes the processor from a thread that polls if no other is free: a round trip
 * then lasts some 50 microseconds longer, or milliseconds if the system lets another program run. When the threads have
 * stopped polling, packets are received late by a pause at most. Not thread-safe.
 */
final class CheckPause {
    static final long SHORTEST_NANOS = 2_000_000;
    static final long LONGEST_NANOS = 16_000_000;

    private long nanos = SHORTEST_NANOS;

    /** Returns the pause until the next check. */
    long nanos() {
        return nanos;
    }

    /**
     * Records the result of a check.
     *
     * @param polled whether threads have polled frequently since the last one
     */
    void checked(boolean polled) {
        nanos = polled ? Math.min(nanos + nanos / 4, LONGEST_NANOS) : Math.max(nanos / 2, SHORTEST_NANOS);
    }
}
