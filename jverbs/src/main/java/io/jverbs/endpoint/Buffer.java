package io.jverbs.endpoint;

import java.lang.foreign.MemorySegment;

/**
 * A registered buffer for a message to send without a copy; see {@link Endpoint#buffer}. Write the message at the
 * beginning of {@link #segment}, and pass the buffer to a method that sends it. Afterwards it belongs to the endpoint
 * again. Not thread-safe.
 *
 * <p>
 * The object is used again for later buffers: do not use it after it was sent or closed.
 *
 * {@snippet :
 * Buffer buffer = endpoint.buffer();
 * buffer.segment().set(ValueLayout.JAVA_LONG, 0, 42);
 * endpoint.send(buffer, 8);
 * }
 */
public final class Buffer implements AutoCloseable {
    private final int index;
    private final MemorySegment segment;
    private Connection connection;
    private boolean held;

    Buffer(int index, MemorySegment segment) {
        this.index = index;
        this.segment = segment;
    }

    void attach(Connection user) {
        connection = user;
        held = false;
    }

    int index() {
        return index;
    }

    boolean isHeld() {
        return held;
    }

    void held(boolean isHeld) {
        held = isHeld;
    }

    boolean isOf(MessageExchange user) {
        return held && connection.exchange() == user;
    }

    /**
     * {@return the memory of the buffer, as long as the longest message}
     *
     * @throws IllegalStateException if the buffer was sent or closed
     */
    public MemorySegment segment() {
        if (!held) {
            throw new IllegalStateException("the buffer was sent or closed");
        }
        return segment;
    }

    /** Gives the buffer back without sending it. Has no effect if it was sent or closed. */
    @Override
    public void close() {
        connection.exchange().release(this);
    }

    @Override
    public String toString() {
        return "buffer " + index + " of " + segment.byteSize() + " bytes" + (held ? "" : ", sent or closed");
    }
}
