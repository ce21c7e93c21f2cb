package io.jverbs.samples.perftest;

/**
 * So many messages of one size, sent with the same queue pairs as those before.
 *
 * @param size their length in bytes
 * @param iterations how many each sender sends
 * @param kind whether they count
 */
record Round(int size, int iterations, Kind kind) {
    boolean shown() {
        return kind == Kind.LAST;
    }

    /** What becomes of a round. The sides tell each other the place of the name in this list. */
    enum Kind {
        /** It does not count. */
        WARM_UP,
        /** The row comes after it, with all that counts since the row before. */
        LAST,
        /** It counts, and others follow before the row. */
        PART
    }
}
