package io.jverbs.endpoint;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A message that an endpoint has received, in a registered buffer. {@link #close} gives the buffer back, so that the
 * peer can send further messages: close each message. Not thread-safe.
 *
 * <p>
 * The object is used again for later messages: do not use it after it was closed.
 *
 * {@snippet :
 * try (Message message = endpoint.receive()) {
 *     if (message != null && message.isRequest()) {
 *         message.reply("you said " + message.text());
 *     }
 * }
 * }
 */
public final class Message implements AutoCloseable {
    private final int index;
    private final MemorySegment segment;
    private Connection connection;
    private int length;
    private int type;
    private long requestId;
    private boolean held;

    Message(int index, MemorySegment segment) {
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

    /** Notes what has arrived. */
    void arrived(int messageType, int messageLength, long id) {
        type = messageType;
        length = messageLength;
        requestId = id;
        held = true;
    }

    private void requireHeld() {
        if (!held) {
            throw new IllegalStateException("the message is closed");
        }
    }

    /** {@return the endpoint that has received the message} */
    public Endpoint endpoint() {
        return connection.endpoint();
    }

    /**
     * {@return the buffer, which begins with the message} It is as long as the longest message; what is after {@link
     * #length} is of earlier messages. Its memory is used for later messages when this one is closed.
     *
     * @throws IllegalStateException if the message is closed
     */
    public MemorySegment segment() {
        requireHeld();
        return segment;
    }

    /** {@return the length of the message in bytes} */
    public int length() {
        return length;
    }

    /**
     * {@return a copy of the message}
     *
     * @throws IllegalStateException if the message is closed
     */
    public byte[] bytes() {
        requireHeld();
        return segment.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
    }

    /**
     * {@return the message as text in UTF-8}
     *
     * @throws IllegalStateException if the message is closed
     */
    public String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    /** {@return whether the sender waits for a reply; see {@link Endpoint#call(MemorySegment)}} */
    public boolean isRequest() {
        return type == WireFormat.REQUEST;
    }

    /**
     * Sends the reply to this request. Waits as {@link Endpoint#send(MemorySegment)}. The message stays open.
     *
     * @param data the reply
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the reply is too long
     * @throws IllegalStateException if this message is no request, was replied to, or is closed
     */
    public void reply(MemorySegment data) throws InterruptedException {
        Objects.requireNonNull(data, "data");
        long id = replyId();
        connection.exchange().send(WireFormat.REPLY, id, data, null, data.byteSize());
        type = WireFormat.DATA;
    }

    /**
     * Sends the reply to this request from a buffer; see {@link Endpoint#send(Buffer, long)}.
     *
     * @param buffer the buffer with the reply
     * @param bytes the length of the reply
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the reply is too long
     * @throws IllegalStateException if this message is no request, was replied to, or is closed
     */
    public void reply(Buffer buffer, long bytes) throws InterruptedException {
        Objects.requireNonNull(buffer, "buffer");
        long id = replyId();
        connection.exchange().send(WireFormat.REPLY, id, null, buffer, bytes);
        type = WireFormat.DATA;
    }

    /**
     * Sends the reply to this request, as text in UTF-8.
     *
     * @param text the reply
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the reply is too long
     * @throws IllegalStateException if this message is no request, was replied to, or is closed
     */
    public void reply(String text) throws InterruptedException {
        reply(MemorySegment.ofArray(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8)));
    }

    private long replyId() {
        requireHeld();
        if (type != WireFormat.REQUEST) {
            throw new IllegalStateException("the message is not a request, or was replied to: use send");
        }
        return requestId;
    }

    /** Gives the buffer back. A second call has no effect. */
    @Override
    public void close() {
        connection.exchange().release(this);
    }

    @Override
    public String toString() {
        return held ? (isRequest() ? "request of " : "message of ") + length + " bytes" : "closed message";
    }
}
