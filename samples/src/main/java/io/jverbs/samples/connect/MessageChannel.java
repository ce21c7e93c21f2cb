package io.jverbs.samples.connect;

import io.jverbs.samples.console.SampleFailure;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Transfers messages between the two sides of a test. The receiver knows the length of the next message. Not
 * thread-safe.
 */
public interface MessageChannel extends AutoCloseable {
    /**
     * Sends a message.
     *
     * @param message the message
     * @throws SampleFailure if the connection has failed
     */
    void send(byte[] message);

    /**
     * Waits for the next message.
     *
     * @param part the name of the message, for errors
     * @param length its length in bytes
     * @param timeout the time to wait, null for no limit
     * @return the message
     * @throws SampleFailure if the message does not arrive in time or not at all, or if it has another length; the text
     *         names the part and what has arrived of it
     */
    byte[] receive(String part, int length, Duration timeout);

    /** {@return whether the peer has closed the connection} Consumes no messages. */
    boolean isPeerGone();

    /** {@return whether messages are SENDs over a connection of rdma_cm; otherwise they are bytes over TCP} */
    boolean usesRdmaCm();

    /** {@return the address of this side} */
    InetSocketAddress own();

    /** {@return the address of the peer} */
    InetSocketAddress peer();

    /**
     * Ends the connection, and waits until the peer does the same or until the time is up.
     *
     * @param sentLast whether this side had the last word of the test, so that the peer waits for it to end the
     *            connection
     * @param timeout the time to wait
     */
    void finish(boolean sentLast, Duration timeout);

    /** Closes the connection. A second call has no effect. */
    @Override
    void close();
}
