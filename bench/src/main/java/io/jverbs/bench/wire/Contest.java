package io.jverbs.bench.wire;

import java.io.IOException;
import java.util.function.BooleanSupplier;

/** Something that two processes do together, one of which measures it. */
interface Contest extends AutoCloseable {
    /** At the side that measures: one operation. */
    void once() throws IOException;

    /** At the side that measures, before operations are timed: as many are begun as are under way at any time. */
    default void fill() throws IOException {
        // operations that wait for each other have nothing under way
    }

    /** At the side that measures, after operations were timed: what is under way is ended. */
    default void drain() throws IOException {
        // operations that wait for each other have nothing under way
    }

    /** At the other side: whatever that takes, until it is to stop. */
    void serve(BooleanSupplier stopped) throws IOException;

    @Override
    void close() throws IOException;
}
