package io.jverbs.bench.process;

import java.io.Closeable;
import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A workload of two processes, one of which measures. Each process has an instance. Not thread-safe. */
public interface Workload extends Closeable {
    /**
     * Performs one operation, on the measuring side.
     *
     * @throws IOException if a socket fails
     */
    void once() throws IOException;

    /**
     * Performs one operation, or a part of it that takes far less than 10 ms, on the measuring side, before operations
     * are timed.
     *
     * @throws IOException if a socket fails
     */
    default void warmUp() throws IOException {
        once();
    }

    /**
     * Starts as many operations as are in flight at any time, on the measuring side, before operations are timed.
     *
     * @throws IOException if a socket fails
     */
    default void fill() throws IOException {
        // nothing is in flight between operations that wait for a response
    }

    /**
     * Completes the operations in flight, on the measuring side, after operations were timed.
     *
     * @throws IOException if a socket fails
     */
    default void drain() throws IOException {
        // nothing is in flight between operations that wait for a response
    }

    /**
     * Performs the part of the other side.
     *
     * @param stopped returns true when this method must return
     * @throws IOException if a socket fails
     */
    void serve(BooleanSupplier stopped) throws IOException;
}
