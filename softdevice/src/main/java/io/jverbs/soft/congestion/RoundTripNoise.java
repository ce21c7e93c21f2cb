package io.jverbs.soft.congestion;

/**
 * By how much the round-trip times of a path differ at random, as with a jitter of the links. The times of a queue
 * change slowly, or repeat after a few round trips when the windows of all paths through it grow and shrink together.
 * Therefore the times are compared with each of the latest eight before them, and the least mean difference counts. It
 * is noise if it is a large part of the times in several blocks in a row. All times are in nanoseconds. Guarded by the
 * lock of the {@link PathWindow}.
 */
final class RoundTripNoise {
    private static final int DISTANCES = 8;
    /** The number of round trips in a block. */
    private static final int BLOCK = 16;
    private static final int BLOCKS = 5;
    /** The least part of the times that is noise: one in so many. */
    private static final int PART = 5;
    /** The times of full windows exceed the shortest time by up to so many mean differences of small windows. */
    private static final int FACTOR = 6;
    private static final int AGING_SHIFT = 7;

    private final long[] latest = new long[DISTANCES];
    /** The differences in this block from the times before, by distance. */
    private final long[] differences = new long[DISTANCES];
    /** The number of times in this block; negative before the first block. */
    private int count = -DISTANCES;
    private int next;
    private long times;
    /** The number of blocks in a row in which there was noise. */
    private int blocks;
    /** The least mean difference in them. */
    private long least = Long.MAX_VALUE;
    private long noise;

    /** {@return how much longer than the shortest time a round trip may be without a queue} */
    long allowance() {
        return FACTOR * noise;
    }

    /** Lets the noise decrease, if no other is measured. */
    void age() {
        noise -= noise >> AGING_SHIFT;
    }

    /** Records a round-trip time. */
    void add(long nanos) {
        if (count >= 0) {
            for (int i = 0; i < DISTANCES; i++) {
                differences[i] += Math.abs(nanos - latest[next - i - 1 & DISTANCES - 1]);
            }
            times += nanos;
        }
        latest[next] = nanos;
        next = next + 1 & DISTANCES - 1;
        count++;
        if (count == BLOCK) {
            endBlock();
        }
    }

    private void endBlock() {
        long total = Long.MAX_VALUE;
        for (int i = 0; i < DISTANCES; i++) {
            total = Math.min(total, differences[i]);
            differences[i] = 0;
        }
        if (total * PART > times) {
            blocks++;
            least = Math.min(least, total / BLOCK);
        } else {
            blocks = 0;
        }
        if (blocks == BLOCKS) {
            noise = Math.max(noise, least);
            blocks = 0;
        }
        if (blocks == 0) {
            least = Long.MAX_VALUE;
        }
        count = 0;
        times = 0;
    }
}
