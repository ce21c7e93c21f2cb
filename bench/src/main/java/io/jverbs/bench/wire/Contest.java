package io.jverbs.bench.wire;

import java.io.IOException;

/** Something that two processes do together, one of which measures it. */
interface Contest extends AutoCloseable {
    /** One round; both processes have met before. Returns the measured value, which is of no interest at the other side. */
    double round() throws IOException;

    @Override
    void close();
}
