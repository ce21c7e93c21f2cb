package io.jverbs.samples.tour.operation;

/** An operation of the tour. {@link #run} is timed, {@link #prepare} and {@link #check} are not. Not thread-safe. */
public interface Operation extends AutoCloseable {

    /**
     * Prepares the next iteration.
     *
     * @param size the length of the payload in bytes
     * @param seed determines the payload; differs in each iteration
     */
    void prepare(int size, long seed);

    /** Posts the requests, and waits for all their completions. */
    void run();

    /** Compares the received data with the sent data; throws {@link Mismatch}. */
    void check();

    @Override
    void close();
}
