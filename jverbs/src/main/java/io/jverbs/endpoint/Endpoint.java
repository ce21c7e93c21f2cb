package io.jverbs.endpoint;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * One side of a connection that carries messages. {@link #connect} and {@link Listener#accept} return endpoints.
 *
 * <p>
 * Messages arrive completely, once, and in the order in which they were sent. A sender waits while the peer has no
 * buffer for its message: a slow receiver slows the sender down. Methods that wait can be interrupted, and can be
 * called from virtual threads. This class is thread-safe.
 *
 * <p>
 * The messages of an endpoint are either taken with {@link #receive}, or passed to a handler, see {@link #onMessage}.
 * A reply is passed to the thread or future that waits for it.
 *
 * {@snippet :
 * try (RdmaContext context = Verbs.open();
 *         Endpoint endpoint = Endpoint.connect(context, new InetSocketAddress("192.0.2.7", 7471))) {
 *     endpoint.send("hello");
 *     try (Message reply = endpoint.receive()) {
 *         System.out.println(reply.text());
 *     }
 * }
 * }
 *
 * <p>
 * After an unexpected end of the connection, methods throw {@link EndpointException}. Its reason says what happened:
 * {@link EndpointException.Reason#PEER_LOST} or {@link EndpointException.Reason#PEER_SILENT} if the process of the
 * peer has ended or its host is down. See {@link EndpointOptions.Builder#keepAlive} for the time within which this is
 * detected.
 */
public final class Endpoint implements AutoCloseable {
    private final MessageExchange exchange;
    private final Connection connection;

    Endpoint(MessageExchange exchange, Connection connection) {
        this.exchange = exchange;
        this.connection = connection;
    }

    /** Returns a timeout in nanoseconds; throws IllegalArgumentException if it is negative. */
    static long nanos(Duration timeout) {
        if (Objects.requireNonNull(timeout, "timeout").isNegative()) {
            throw new IllegalArgumentException("timeout " + timeout + " is negative");
        }
        try {
            return timeout.toNanos();
        } catch (ArithmeticException e) {
            return MessageExchange.NO_LIMIT;
        }
    }

    /**
     * Connects to a listener with {@link EndpointOptions#DEFAULT}.
     *
     * @param context the context of the device to use
     * @param address the address and port of the listener
     * @return the endpoint
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException as {@link #connect(RdmaContext, InetSocketAddress, EndpointOptions)}
     * @throws VerbsException as {@link #connect(RdmaContext, InetSocketAddress, EndpointOptions)}
     */
    public static Endpoint connect(RdmaContext context, InetSocketAddress address) throws InterruptedException {
        return connect(context, address, EndpointOptions.DEFAULT);
    }

    /**
     * Connects to a listener.
     *
     * @param context the context of the device to use
     * @param address the address and port of the listener
     * @param options the options
     * @return the endpoint
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the address cannot be reached, there is no listener, the listener rejects or is not
     *         one of endpoints, or the connect timeout expires
     * @throws VerbsException with EOPNOTSUPP if the device has no connection manager; with ENOMEM if a limit of the
     *         device is reached; with EINVAL if the address is not resolved
     * @throws IllegalStateException if the context is closed
     */
    public static Endpoint connect(RdmaContext context, InetSocketAddress address, EndpointOptions options)
            throws InterruptedException {
        Objects.requireNonNull(context, "context");
        Objects.requireNonNull(address, "address");
        Objects.requireNonNull(options, "options");
        EndpointDevice device = EndpointDevice.acquire(context);
        Connection made = null;
        boolean isConnected = false;
        try {
            made = Connection.ofClient(device, options, address);
            made.establishment().resolve(address);
            made.exchange().awaitEstablished(options.connectNanos());
            isConnected = true;
            return made.endpoint();
        } finally {
            if (made == null) {
                device.release();
            } else if (!isConnected) {
                made.end().close();
            }
        }
    }

    /** {@return the address and port of the peer} */
    public InetSocketAddress peerAddress() {
        return connection.peerAddress();
    }

    /** {@return the maximum length of a message to send, in bytes: the smaller message size of both sides} */
    public int maxMessageSize() {
        return connection.maxLength();
    }

    /** {@return whether messages can be sent: neither side has closed, and the connection has not failed} */
    public boolean isOpen() {
        return exchange.isOpen();
    }

    /**
     * Sends a copy of some memory as a message. Waits while all send buffers are in use, or the peer has no buffer.
     * When this method returns, the memory can be reused; the message may not have arrived.
     *
     * @param data the message, on the heap or not, at most {@link #maxMessageSize} bytes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the message is too long
     * @throws IllegalStateException if this endpoint is closed
     */
    public void send(MemorySegment data) throws InterruptedException {
        Objects.requireNonNull(data, "data");
        exchange.send(WireFormat.DATA, 0, data, null, data.byteSize());
    }

    /**
     * Sends text in UTF-8 as a message, as {@link #send(MemorySegment)}.
     *
     * @param text the message
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the message is too long
     * @throws IllegalStateException if this endpoint is closed
     */
    public void send(String text) throws InterruptedException {
        send(utf8(text));
    }

    /**
     * Sends a buffer as a message, without a copy. Waits while the peer has no buffer. The buffer belongs to the
     * endpoint afterwards, unless this method throws IllegalArgumentException or InterruptedException.
     *
     * @param buffer a buffer of this endpoint
     * @param length the length of the message, 0 to {@link #maxMessageSize}
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the message is too long, or the buffer is not an open one of this endpoint
     * @throws IllegalStateException if this endpoint is closed
     */
    public void send(Buffer buffer, long length) throws InterruptedException {
        exchange.send(WireFormat.DATA, 0, null, Objects.requireNonNull(buffer, "buffer"), length);
    }

    /**
     * Returns a registered buffer to write a message into. Waits while all send buffers are in use.
     *
     * @return the buffer; send or close it
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended
     * @throws IllegalStateException if this endpoint is closed
     */
    public Buffer buffer() throws InterruptedException {
        return exchange.buffer();
    }

    /**
     * Waits for the next message, without a limit.
     *
     * @return the message, which the caller closes; null if the peer has closed its endpoint and all of its messages
     *         were taken
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has failed and all messages that had arrived were taken
     * @throws IllegalStateException if this endpoint is closed, before or during the wait, or has a handler
     */
    public Message receive() throws InterruptedException {
        return exchange.receive(MessageExchange.NO_LIMIT);
    }

    /**
     * Waits for the next message.
     *
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return the message, which the caller closes; null if the timeout expired, or as for {@link #receive()}
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has failed and all messages that had arrived were taken
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this endpoint is closed, before or during the wait, or has a handler
     */
    public Message receive(Duration timeout) throws InterruptedException {
        return exchange.receive(nanos(timeout));
    }

    /**
     * Sends a request, a copy of some memory, and waits for its reply, without a limit. Several threads may wait for
     * replies at the same time.
     *
     * @param request the request, at most {@link #maxMessageSize} bytes
     * @return the reply, which the caller closes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended or ends before the reply arrives
     * @throws IllegalArgumentException if the request is too long
     * @throws IllegalStateException if this endpoint is closed
     */
    public Message call(MemorySegment request) throws InterruptedException {
        Objects.requireNonNull(request, "request");
        return exchange.call(request, null, request.byteSize(), MessageExchange.NO_LIMIT);
    }

    /**
     * Sends a request, a copy of some memory, and waits for its reply.
     *
     * @param request the request, at most {@link #maxMessageSize} bytes
     * @param timeout the maximum time to wait for the reply once the request is sent
     * @return the reply, which the caller closes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended or ends before the reply arrives; with {@link
     *         EndpointException.Reason#TIMED_OUT} if the timeout expires: the connection continues
     * @throws IllegalArgumentException if the request is too long, or the timeout is negative
     * @throws IllegalStateException if this endpoint is closed
     */
    public Message call(MemorySegment request, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(request, "request");
        return exchange.call(request, null, request.byteSize(), nanos(timeout));
    }

    /**
     * Sends text in UTF-8 as a request, and waits for its reply, as {@link #call(MemorySegment)}.
     *
     * @param request the request
     * @return the reply, which the caller closes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended or ends before the reply arrives
     * @throws IllegalArgumentException if the request is too long
     * @throws IllegalStateException if this endpoint is closed
     */
    public Message call(String request) throws InterruptedException {
        Objects.requireNonNull(request, "request");
        return call(utf8(request));
    }

    /**
     * Sends text in UTF-8 as a request, and waits for its reply, as {@link #call(MemorySegment, Duration)}.
     *
     * @param request the request
     * @param timeout the maximum time to wait for the reply once the request is sent
     * @return the reply, which the caller closes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended or ends before the reply arrives; with {@link
     *         EndpointException.Reason#TIMED_OUT} if the timeout expires: the connection continues
     * @throws IllegalArgumentException if the request is too long, or the timeout is negative
     * @throws IllegalStateException if this endpoint is closed
     */
    public Message call(String request, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(request, "request");
        return call(utf8(request), timeout);
    }

    /**
     * Sends a request from a buffer, and waits for its reply, without a limit; see {@link #send(Buffer, long)}.
     *
     * @param buffer a buffer of this endpoint
     * @param length the length of the request
     * @return the reply, which the caller closes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended or ends before the reply arrives
     * @throws IllegalArgumentException if the request is too long, or the buffer is not an open one of this endpoint
     * @throws IllegalStateException if this endpoint is closed
     */
    public Message call(Buffer buffer, long length) throws InterruptedException {
        return exchange.call(null, Objects.requireNonNull(buffer, "buffer"), length, MessageExchange.NO_LIMIT);
    }

    /**
     * Sends a request from a buffer, and waits for its reply; see {@link #send(Buffer, long)}.
     *
     * @param buffer a buffer of this endpoint
     * @param length the length of the request
     * @param timeout the maximum time to wait for the reply once the request is sent
     * @return the reply, which the caller closes
     * @throws InterruptedException if the thread is interrupted
     * @throws EndpointException if the connection has ended or ends before the reply arrives; with {@link
     *         EndpointException.Reason#TIMED_OUT} if the timeout expires: the connection continues
     * @throws IllegalArgumentException if the request is too long, the timeout is negative, or the buffer is not an
     *         open one of this endpoint
     * @throws IllegalStateException if this endpoint is closed
     */
    public Message call(Buffer buffer, long length, Duration timeout) throws InterruptedException {
        Objects.requireNonNull(buffer, "buffer");
        return exchange.call(null, buffer, length, nanos(timeout));
    }

    /**
     * Sends a request, a copy of some memory, and returns without waiting for the reply. The thread that polls
     * completes the future; see {@link MessageHandler} for what it may do. A reply that arrives after the future was
     * cancelled is dropped. Unlike {@link #call(MemorySegment) call}, this allocates memory: the future, and what the
     * program adds to it.
     *
     * @param request the request, at most {@link #maxMessageSize} bytes
     * @return completes with the reply, which the program must close; or with {@link EndpointException}
     * @throws InterruptedException if the thread is interrupted while it waits for a buffer
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the request is too long
     * @throws IllegalStateException if this endpoint is closed
     */
    public CompletableFuture<Message> request(MemorySegment request) throws InterruptedException {
        Objects.requireNonNull(request, "request");
        return exchange.request(request, null, request.byteSize());
    }

    /**
     * Sends a request from a buffer, and returns without waiting for the reply, as {@link #request(MemorySegment)}; see
     * {@link #send(Buffer, long)} for the buffer.
     *
     * @param buffer a buffer of this endpoint
     * @param length the length of the request
     * @return completes with the reply, which the program must close; or with {@link EndpointException}
     * @throws InterruptedException if the thread is interrupted while it waits for a buffer of the peer
     * @throws EndpointException if the connection has ended
     * @throws IllegalArgumentException if the request is too long, or the buffer is not an open one of this endpoint
     * @throws IllegalStateException if this endpoint is closed
     */
    public CompletableFuture<Message> request(Buffer buffer, long length) throws InterruptedException {
        return exchange.request(null, Objects.requireNonNull(buffer, "buffer"), length);
    }

    /**
     * Passes the messages that have arrived, and all later ones, to a handler.
     *
     * @param handler the handler
     * @throws IllegalStateException if this endpoint has a handler or is closed
     */
    public void onMessage(MessageHandler handler) {
        connection.calls().set(Objects.requireNonNull(handler, "handler"));
    }

    private static MemorySegment utf8(String text) {
        return MemorySegment.ofArray(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Closes this endpoint. Messages that were sent are delivered first; those of the peer that were not taken are
     * dropped. Waits until the device of the peer has acknowledged all messages, at most for {@link
     * EndpointOptions#closeTimeout}, except in a handler, where it returns at once. If the thread is interrupted,
     * messages may get lost. Threads that wait in a method of this endpoint throw {@link IllegalStateException}. A
     * second call only waits.
     */
    @Override
    public void close() {
        connection.end().close();
    }

    @Override
    public String toString() {
        return "endpoint, " + connection;
    }
}
