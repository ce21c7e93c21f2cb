package io.jverbs.rsocket;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.protocol.StreamState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;

/**
 * A stream of bytes in both directions over RDMA, as a TCP connection has them; see rsocket(7). The peer is another
 * {@code RdmaStream} or an rsocket of librdmacm.
 *
 * <p>
 * The methods whose names begin with {@code try} do not wait, and the others wait as long as they must. A transfer
 * copies the bytes once on each side, and allocates nothing. One thread can read while another one writes; two that
 * read at the same time take turns, and so do two that write. This class is thread-safe. If the peer violates the
 * protocol, the stream fails, with a message that says what the peer did. Bytes that have arrived before can still be
 * read.
 *
 * {@snippet :
 * try (RdmaStream stream = RdmaStream.connect(context, new InetSocketAddress("192.0.2.7", 7471))) {
 *     stream.write(request);
 *     stream.shutdownOutput();
 *     while (stream.read(response) >= 0) {
 *         process(response);
 *     }
 * }
 * }
 */
public final class RdmaStream implements AutoCloseable {
    /** A bit of {@link #ready}: {@link #tryRead} returns bytes or the end of the stream, or throws. */
    public static final int READABLE = 1;
    /** A bit of {@link #ready}: {@link #tryWrite} writes bytes, or throws. */
    public static final int WRITABLE = 1 << 1;
    /** A bit of {@link #ready}: both directions have ended. */
    public static final int ENDED = 1 << 2;

    private final StreamConnection connection;
    private final BlockingTransfers blocking;

    RdmaStream(StreamConnection connection) {
        this.connection = connection;
        this.blocking = new BlockingTransfers(this, connection);
    }

    /**
     * Connects with {@link RdmaStreamOptions#DEFAULT}.
     *
     * @param context the context of the device
     * @param address the address and port of the listener
     * @return the stream
     * @throws RdmaStreamException if the connection cannot be established
     * @throws InterruptedException if the thread is interrupted
     */
    public static RdmaStream connect(RdmaContext context, InetSocketAddress address)
            throws IOException, InterruptedException {
        return connect(context, address, RdmaStreamOptions.DEFAULT);
    }

    /**
     * Connects; see rconnect in rsocket(7).
     *
     * @param context the context of the device
     * @param address the address and port of the listener
     * @param options the options
     * @return the stream
     * @throws RdmaStreamException if the connection cannot be established
     * @throws InterruptedException if the thread is interrupted
     * @throws VerbsException if the resources of the device do not suffice, or it has no connection manager;
     *         with EOPNOTSUPP if the transport is iWARP
     * @throws IllegalStateException if the context is closed
     */
    public static RdmaStream connect(RdmaContext context, InetSocketAddress address, RdmaStreamOptions options)
            throws IOException, InterruptedException {
        return connect(context, null, address, options);
    }

    /**
     * Connects from a local address; see the method above.
     *
     * @param context the context of the device
     * @param source the local address and port, null for any
     * @param address the address and port of the listener
     * @param options the options
     * @return the stream
     * @throws RdmaStreamException if the connection cannot be established
     * @throws InterruptedException if the thread is interrupted
     * @throws VerbsException as the method above, and because of the source as {@link io.jverbs.cm.CmId#bind}
     * @throws IllegalStateException if the context is closed
     */
    public static RdmaStream connect(RdmaContext context, InetSocketAddress source, InetSocketAddress address,
            RdmaStreamOptions options) throws IOException, InterruptedException {
        return StreamClient.connect(context, source, address, options);
    }

    /**
     * Begins to connect from any local address; see the other method of this name.
     *
     * @param context the context of the device
     * @param address the address and port of the listener
     * @param options the options
     * @return the stream
     */
    public static RdmaStream beginConnect(RdmaContext context, InetSocketAddress address, RdmaStreamOptions options) {
        return beginConnect(context, null, address, options);
    }

    /**
     * Begins to connect, and does not wait. Until {@link #finishConnect} returns true, nothing can be read or written.
     *
     * @param context the context of the device
     * @param source the local address and port, null for any
     * @param address the address and port of the listener
     * @param options the options
     * @return the stream
     * @throws VerbsException as the method {@code connect} with these parameters
     * @throws IllegalStateException if the context is closed
     */
    public static RdmaStream beginConnect(RdmaContext context, InetSocketAddress source, InetSocketAddress address,
            RdmaStreamOptions options) {
        return StreamClient.begin(context, source, address, options);
    }

    /** Waits until the connection is established. */
    void awaitEstablished() throws IOException, InterruptedException {
        blocking.awaitEstablished();
    }

    /**
     * Returns whether the connection is established. Does not wait.
     *
     * @return false if it is not established yet
     * @throws RdmaStreamException if it could not be established
     * @throws IllegalStateException if this stream is closed
     */
    public boolean finishConnect() throws IOException {
        connection.requireOpen();
        connection.requireNoFailure();
        return connection.state() != StreamState.CONNECTING;
    }

    /**
     * Reads the bytes that have arrived. Does not wait.
     *
     * @param into where the bytes go, from its position to its limit; its position is advanced
     * @return the number of bytes; 0 if none has arrived or there is no room; -1 at the end of the stream
     * @throws RdmaStreamException if the stream has failed, and all bytes that had arrived are read
     * @throws IllegalStateException if this stream is closed
     * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
     */
    public int tryRead(ByteBuffer into) throws IOException {
        Objects.requireNonNull(into, "into");
        return isConnecting() ? 0 : connection.reader().read(into);
    }

    /**
     * Reads the bytes that have arrived. Does not wait.
     *
     * @param into where the bytes go
     * @param offset where the first one goes, in bytes
     * @param length the maximum number of bytes
     * @return the number of bytes; 0 if none has arrived or the length is 0; -1 at the end of the stream
     * @throws RdmaStreamException if the stream has failed, and all bytes that had arrived are read
     * @throws IndexOutOfBoundsException if the range is not within the segment; nothing is read
     * @throws IllegalArgumentException if the segment is read-only; nothing is read
     * @throws IllegalStateException if this stream is closed
     */
    public int tryRead(MemorySegment into, long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, Objects.requireNonNull(into, "into").byteSize());
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("the segment is read-only: give one that can be written");
        }
        return isConnecting() ? 0 : connection.reader().read(into, offset, length);
    }

    /**
     * Reads at least one byte. Waits until one has arrived.
     *
     * @param into where the bytes go, from its position to its limit; its position is advanced
     * @return the number of bytes; 0 only if there is no room; -1 at the end of the stream
     * @throws RdmaStreamException if the stream has failed, and all bytes that had arrived are read
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if this stream is closed, before or during the wait
     * @throws java.nio.ReadOnlyBufferException if the buffer is read-only
     */
    public int read(ByteBuffer into) throws IOException, InterruptedException {
        return blocking.read(into);
    }

    /**
     * Reads at least one byte. Waits until one has arrived.
     *
     * @param into where the bytes go, from its first byte on
     * @return the number of bytes; 0 only if the segment is empty; -1 at the end of the stream
     * @throws RdmaStreamException if the stream has failed, and all bytes that had arrived are read
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if this stream is closed, before or during the wait
     * @throws IllegalArgumentException if the segment is read-only
     */
    public int read(MemorySegment into) throws IOException, InterruptedException {
        return blocking.read(into);
    }

    /**
     * Writes as many bytes as the buffers of both sides have room for. Does not wait.
     *
     * @param from the bytes, from its position to its limit; its position is advanced
     * @return the number of bytes; 0 if there is no room
     * @throws RdmaStreamException if the stream has failed, or the peer has closed it
     * @throws IllegalStateException if this stream or its output is closed
     */
    public int tryWrite(ByteBuffer from) throws IOException {
        Objects.requireNonNull(from, "from");
        return isConnecting() ? 0 : connection.writer().write(from);
    }

    /**
     * Writes the bytes of several buffers one after the other, as {@link #tryWrite(ByteBuffer)}. Those of small buffers
     * share a message.
     *
     * @param from the buffers; their positions are advanced
     * @param offset the index of the first buffer
     * @param length the number of buffers
     * @return the number of bytes; 0 if there is no room
     * @throws RdmaStreamException if the stream has failed, or the peer has closed it
     * @throws IndexOutOfBoundsException if the range is not within the array; nothing is written
     * @throws IllegalStateException if this stream or its output is closed
     */
    public long tryWrite(ByteBuffer[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, Objects.requireNonNull(from, "from").length);
        for (int i = offset; i < offset + length; i++) {
            Objects.requireNonNull(from[i], "from");
        }
        return isConnecting() ? 0 : connection.writer().write(from, offset, length);
    }

    /**
     * Writes as many bytes as the buffers of both sides have room for. Does not wait.
     *
     * @param from the segment with the bytes
     * @param offset where the first one is, in bytes
     * @param length the number of bytes
     * @return the number of bytes that were written; 0 if there is no room
     * @throws RdmaStreamException if the stream has failed, or the peer has closed it
     * @throws IndexOutOfBoundsException if the range is not within the segment; nothing is written
     * @throws IllegalStateException if this stream or its output is closed
     */
    public long tryWrite(MemorySegment from, long offset, long length) throws IOException {
        Objects.checkFromIndexSize(offset, length, Objects.requireNonNull(from, "from").byteSize());
        return isConnecting() ? 0 : connection.writer().write(from, offset, length);
    }

    /**
     * Writes all bytes. Waits until there is room for them; the peer may not have got them yet.
     *
     * @param from the bytes, from its position to its limit; its position is advanced over what was written, also if
     *        this method throws
     * @throws RdmaStreamException if the stream fails, or the peer closes it
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if this stream or its output is closed, before or during the wait
     */
    public void write(ByteBuffer from) throws IOException, InterruptedException {
        blocking.write(from);
    }

    /**
     * Writes all bytes of a segment. Waits until there is room for them; the peer may not have got them yet.
     *
     * @param from the bytes
     * @throws RdmaStreamException if the stream fails, or the peer closes it
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if this stream or its output is closed, before or during the wait
     */
    public void write(MemorySegment from) throws IOException, InterruptedException {
        blocking.write(from);
    }

    /**
     * {@return what can be done without waiting: bits {@link #READABLE}, {@link #WRITABLE} and {@link #ENDED}; 0 while
     * the stream connects} Processes what has completed, and does not wait.
     *
     * @throws IllegalStateException if this stream is closed
     */
    public int ready() {
        connection.requireOpen();
        connection.tryProgress();
        return connection.waits().ready();
    }

    /**
     * Requests one notification, when one of the bits is ready that is not yet: what an event loop of many streams
     * needs, see rpoll(3). It replaces the request before, unless a bit of that is ready by now: then both
     * notifications come. It comes when the stream is closed, too.
     *
     * @param bits the bits of {@link #ready}; 0 for no notification
     * @param whenReady is run in any thread, which may hold locks of this stream: it must neither wait nor call methods
     *        of streams
     * @return those of the bits that are ready now, for which there is no notification
     */
    public int requestNotification(int bits, Runnable whenReady) {
        return connection.waits().requestNotification(bits, Objects.requireNonNull(whenReady, "whenReady"));
    }

    /**
     * {@return the number of bytes that have arrived and are not read; 0 if the input was shut down}
     *
     * @throws IllegalStateException if this stream is closed
     */
    public int available() {
        connection.requireOpen();
        connection.tryProgress();
        return connection.reader() == null ? 0 : connection.reader().arrived();
    }

    /**
     * Waits until {@link #tryRead} returns bytes or the end of the stream, or throws.
     *
     * @param timeout the maximum time; {@link Duration#ZERO} does not wait
     * @return false if the time has passed
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this stream is closed, before or during the wait
     */
    public boolean awaitReadable(Duration timeout) throws InterruptedException {
        return blocking.await(StreamWait.Goal.READABLE, StreamWait.nanos(timeout));
    }

    /**
     * Waits until {@link #tryWrite} writes bytes, or throws.
     *
     * @param timeout the maximum time; {@link Duration#ZERO} does not wait
     * @return false if the time has passed
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if this stream is closed, before or during the wait
     */
    public boolean awaitWritable(Duration timeout) throws InterruptedException {
        return blocking.await(StreamWait.Goal.WRITABLE, StreamWait.nanos(timeout));
    }

    /**
     * Ends the direction to the peer: when it has read everything, it reads the end of the stream. Does not wait for
     * the peer. A second call has no effect.
     *
     * @throws IllegalStateException if this stream is closed or not connected yet
     */
    public void shutdownOutput() {
        requireConnected().writer().shutdown();
    }

    /**
     * Ends the direction to this side: reads return -1, and what arrives is discarded. The peer does not notice. A
     * second call has no effect.
     *
     * @throws IllegalStateException if this stream is closed or not connected yet
     */
    public void shutdownInput() {
        requireConnected().reader().shutdown();
    }

    private StreamConnection requireConnected() {
        connection.requireOpen();
        if (connection.state() == StreamState.CONNECTING || connection.writer() == null) {
            throw new IllegalStateException(connection + " is not connected");
        }
        return connection;
    }

    /** Returns whether the connection is not established yet; throws if it could not be. */
    private boolean isConnecting() throws IOException {
        if (connection.state() != StreamState.CONNECTING && connection.writer() != null) {
            return false;
        }
        connection.requireOpen();
        connection.requireNoFailure();
        return true;
    }

    /** {@return how this program writes to the buffers that the peer maps, and lets the peer write to its own} */
    public RdmaStreamIomap iomap() {
        return new RdmaStreamIomap(connection);
    }

    /** {@return the options of this stream; its queues may be smaller than the program has asked for} */
    public RdmaStreamOptions options() {
        return connection.options();
    }

    /** {@return what this stream has sent and received until now, or until its end} */
    public RdmaStreamCounters counters() {
        return connection.statistics().counters();
    }

    /** {@return the address and port of this side; null if they are not known yet} */
    public InetSocketAddress localAddress() {
        return connection.establishment().id().localAddress();
    }

    /** {@return the address and port of the peer} */
    public InetSocketAddress peerAddress() {
        return connection.peerAddress();
    }

    /** {@return whether this side has not closed the stream, and it has not ended} */
    public boolean isOpen() {
        return !connection.isClosed() && !connection.state().isEnded();
    }

    /**
     * Closes the stream. What was written is delivered: this method waits until the device of the peer has acknowledged
     * it, at most for {@link RdmaStreamOptions#closeTimeout}; an interrupt ends the wait. Threads that wait in a method
     * of this stream throw {@link IllegalStateException}. A second call has no effect.
     */
    @Override
    public void close() {
        connection.close();
    }

    /**
     * Closes the stream without telling the peer: it fails with {@link RdmaStreamException.Reason#PEER_LOST}, and what
     * was written may be lost. Does not wait for the peer. Has no effect on a stream that is closed.
     */
    public void abort() {
        connection.abort();
    }

    @Override
    public String toString() {
        return connection.toString();
    }
}
