package io.jverbs.bench.wire;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** A workload of two processes, one of which measures. Each process has an instance. Not thread-safe. */
interface Workload extends AutoCloseable {
    /** Performs one operation, on the measuring side. */
    void once() throws IOException;

    /** Starts as many operations as are in flight at any time, on the measuring side, before operations are timed. */
    default void fill() throws IOException {
        // nothing is in flight between operations that wait for a response
    }

    /** Completes the operations in flight, on the measuring side, after operations were timed. */
    default void drain() throws IOException {
        // nothing is in flight between operations that wait for a response
    }

    /** Performs the part of the other side until the supplier returns true. */
    void serve(BooleanSupplier stopped) throws IOException;

    @Override
    void close() throws IOException;
}
