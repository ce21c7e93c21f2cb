package io.jverbs.bench.waiting;

import java.io.IOException;

/** One end of a connection between the two processes. Its thread blocks until a message arrives. Not thread-safe. */
interface ConnectionEnd {
    /**
     * Sends a message and waits for the reply.
     *
     * @throws InterruptedException if the thread is interrupted; the connection may be closed then
     * @throws IOException if the connection fails
     */
    void request() throws IOException, InterruptedException;

    /**
     * Waits for a message and replies to it.
     *
     * @throws InterruptedException if the thread is interrupted; the connection may be closed then
     * @throws IOException if the connection fails
     */
    void respond() throws IOException, InterruptedException;
}
