package io.jverbs.samples.perftest.run;

/**
 * A round: a number of messages of one size. All rounds use the same queue pairs.
 *
 * @param size the length of a message in bytes
 * @param iterations the number of messages of each sender
 * @param kind how the round is used
 */
public record Round(int size, int iterations, Kind kind) {
    boolean shown() {
        return kind == Kind.LAST;
    }

    /** How a round is used. The sides exchange the ordinal. */
    public enum Kind {
        /** Its result is discarded. */
        WARM_UP,
        /** Its result, with those of the preceding parts, is printed as a row. */
        LAST,
        /** Its result is part of the next row. */
        PART
    }
}
