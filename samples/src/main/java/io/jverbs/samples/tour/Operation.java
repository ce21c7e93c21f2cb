package io.jverbs.samples.tour;

/** One kind of operation, to be done again and again: prepared and checked off the clock, run on it. For one thread. */
interface Operation extends AutoCloseable {

    /**
     * Makes everything ready, with data that no iteration had before.
     *
     * @param size the bytes of the payload
     * @param seed determines the data
     */
    void prepare(int size, long seed);

    /** Posts, and waits for every completion that comes of it. This is what is timed. */
    void run();

    /** Holds all that came against what was sent; throws {@link Mismatch}. */
    void check();

    @Override
    void close();
}
