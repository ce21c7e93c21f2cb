package io.jverbs.bench.streams;

import java.io.Closeable;
import java.io.IOException;

/** Messages of one length that a thread exchanges with that of the other side. Not thread-safe. */
interface Messages extends Closeable {
    /**
     * Sends a message.
     *
     * @throws IOException if the socket fails
     */
    void send() throws IOException;

    /**
     * Waits for a message.
     *
     * @throws IOException if the socket fails or is closed
     */
    void receive() throws IOException;
}
