package io.jverbs.samples.rsocket;

import java.io.IOException;

/** Accepts streams. */
interface StreamListener extends AutoCloseable {
    /** Waits for the next stream. */
    ByteStream accept() throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
