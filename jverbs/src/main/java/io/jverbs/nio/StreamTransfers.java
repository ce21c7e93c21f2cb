package io.jverbs.nio;

import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import java.io.IOException;
import java.net.SocketOption;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/** Transfers over a stream. One thread at a time reads, and one writes, as in the JDK's channels. Thread-safe. */
final class StreamTransfers implements SocketTransfers {
    private static final int END = -1;
    private static final Duration NO_LIMIT = Duration.ofDays(365);

    private final RdmaSocketChannel channel;
    private final RdmaStream stream;
    private final StreamSocketOptions options;
    private final ReentrantLock readLock = new ReentrantLock();
    private final ReentrantLock writeLock = new ReentrantLock();
    private volatile boolean inputShut;
    private volatile boolean outputShut;

    StreamTransfers(RdmaSocketChannel channel, RdmaStream stream, StreamSocketOptions options) {
        this.channel = channel;
        this.stream = stream;
        this.options = options;
    }

    RdmaStream stream() {
        return stream;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        readLock.lock();
        try {
            channel.requireOpen();
            boolean isBlocking = channel.isBlocking();
            int count = 0;
            try {
                channel.beginTransfer(isBlocking);
                if (inputShut) {
                    return END;
                }
                requireWritable(into);
                count = readPart(into, isBlocking);
            } finally {
                channel.endTransfer(isBlocking, count > 0);
            }
            return count <= 0 && inputShut ? END : count;
        } finally {
            readLock.unlock();
        }
    }

    @Override
    public long read(ByteBuffer[] into, int offset, int length) throws IOException {
        readLock.lock();
        try {
            channel.requireOpen();
            boolean isBlocking = channel.isBlocking();
            long count = 0;
            try {
                channel.beginTransfer(isBlocking);
                if (inputShut) {
                    return END;
                }
                for (int i = offset; i < offset + length; i++) {
                    requireWritable(into[i]);
                }
                count = readParts(into, offset, length, isBlocking);
            } finally {
                channel.endTransfer(isBlocking, count > 0);
            }
            return count <= 0 && inputShut ? END : count;
        } finally {
            readLock.unlock();
        }
    }

    /** Fills the buffers with what has arrived; only for the first byte it waits. */
    private long readParts(ByteBuffer[] into, int offset, int length, boolean isBlocking) throws IOException {
        long total = 0;
        for (int i = offset; i < offset + length; i++) {
            if (into[i].hasRemaining()) {
                int count = total == 0 ? readPart(into[i], isBlocking) : readMore(into[i]);
                total += count;
                if (count <= 0 || into[i].hasRemaining()) {
                    break;
                }
            }
        }
        return total;
    }

    /** Reads what has arrived, after other bytes: the end of the stream or a failure is left to the next read. */
    private int readMore(ByteBuffer into) {
        try {
            return Math.max(0, stream.tryRead(into));
        } catch (IOException | IllegalStateException e) {
            return 0;
        }
    }

    private static void requireWritable(ByteBuffer into) {
        if (into.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private int readPart(ByteBuffer into, boolean isBlocking) throws IOException {
        if (!into.hasRemaining()) {
            return 0;
        }
        try {
            return isBlocking ? stream.read(into) : stream.tryRead(into);
        } catch (InterruptedException e) {
            channel.interrupted();
            return 0;
        } catch (IllegalStateException e) {
            throw closed(e);
        } catch (RdmaStreamException e) {
            throw SocketExceptions.transfer(e);
        }
    }

    /** Returns what a transfer throws when the stream was closed: by the channel, or with the context. */
    private IOException closed(IllegalStateException cause) {
        return channel.isOpen()
                ? SocketExceptions.of(cause.getMessage(), cause)
                : new AsynchronousCloseException();
    }

    @Override
    public int write(ByteBuffer from) throws IOException {
        writeLock.lock();
        try {
            channel.requireOpen();
            boolean isBlocking = channel.isBlocking();
            int start = from.position();
            try {
                channel.beginTransfer(isBlocking);
                writePart(from, isBlocking);
            } catch (IOException e) {
                if (from.position() == start || !channel.isOpen()) {
                    throw e;
                }
                // the next write throws it
            } finally {
                channel.endTransfer(isBlocking, from.position() > start);
            }
            return from.position() - start;
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public long write(ByteBuffer[] from, int offset, int length) throws IOException {
        writeLock.lock();
        try {
            channel.requireOpen();
            boolean isBlocking = channel.isBlocking();
            long wanted = remaining(from, offset, length);
            long written = 0;
            try {
                channel.beginTransfer(isBlocking);
                requireOutput();
                written = gather(from, offset, length, isBlocking ? wanted : 0);
            } catch (IOException e) {
                written = wanted - remaining(from, offset, length);
                if (written == 0) {
                    throw e;
                }
                // the next write throws it
            } finally {
                channel.endTransfer(isBlocking, written > 0);
            }
            return written;
        } finally {
            writeLock.unlock();
        }
    }

    private static long remaining(ByteBuffer[] from, int offset, int length) {
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            sum += from[i].remaining();
        }
        return sum;
    }

    /**
     * Writes as much of several buffers as there is room for; waits until a number of bytes is written, or no buffer
     * has more: one that is there twice may be moved by its second part.
     */
    private long gather(ByteBuffer[] from, int offset, int length, long required) throws IOException {
        long done = 0;
        try {
            done = stream.tryWrite(from, offset, length);
            while (done < required && remaining(from, offset, length) > 0) {
                stream.awaitWritable(NO_LIMIT);
                done += stream.tryWrite(from, offset, length);
            }
        } catch (InterruptedException e) {
            channel.interrupted();
        } catch (IllegalStateException e) {
            requireOutput();
            throw closed(e);
        } catch (RdmaStreamException e) {
            throw SocketExceptions.transfer(e);
        }
        return done;
    }

    private void requireOutput() throws AsynchronousCloseException {
        if (outputShut) {
            throw new AsynchronousCloseException();
        }
    }

    /** Writes as much as there is room for; if it blocks, everything. */
    private void writePart(ByteBuffer from, boolean isBlocking) throws IOException {
        requireOutput();
        if (!from.hasRemaining()) {
            return;
        }
        try {
            if (isBlocking) {
                stream.write(from);
            } else {
                stream.tryWrite(from);
            }
        } catch (InterruptedException e) {
            channel.interrupted();
        } catch (IllegalStateException e) {
            requireOutput();
            throw closed(e);
        } catch (RdmaStreamException e) {
            throw SocketExceptions.transfer(e);
        }
    }

    @Override
    public int read(byte[] into, int offset, int length, long nanos) throws IOException {
        Objects.checkFromIndexSize(offset, length, into.length);
        if (length == 0) {
            return 0;
        }
        readLock.lock();
        try {
            requireBlocking();
            ByteBuffer buffer = ByteBuffer.wrap(into, offset, length);
            int count = 0;
            try {
                channel.beginTransfer(true);
                if (inputShut) {
                    return END;
                }
                if (nanos > 0) {
                    awaitReadable(nanos);
                }
                count = readPart(buffer, true);
            } finally {
                channel.endTransfer(true, count > 0);
            }
            return count <= 0 && inputShut ? END : count;
        } finally {
            readLock.unlock();
        }
    }

    private void requireBlocking() throws ClosedChannelException {
        channel.requireOpen();
        if (!channel.isBlocking()) {
            throw new IllegalBlockingModeException();
        }
    }

    private void awaitReadable(long nanos) throws IOException {
        try {
            if (!stream.awaitReadable(Duration.ofNanos(nanos))) {
                throw new SocketTimeoutException("Read timed out");
            }
        } catch (InterruptedException e) {
            channel.interrupted();
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (length == 0) {
            return;
        }
        writeLock.lock();
        try {
            requireBlocking();
            ByteBuffer buffer = ByteBuffer.wrap(from, offset, length);
            try {
                channel.beginTransfer(true);
                writePart(buffer, true);
            } finally {
                channel.endTransfer(true, !buffer.hasRemaining());
            }
        } finally {
            writeLock.unlock();
        }
    }

    @Override
    public int available() throws IOException {
        try {
            return inputShut ? 0 : stream.available();
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void shutdownInput() throws IOException {
        inputShut = true;
        try {
            stream.shutdownInput();
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public void shutdownOutput() throws IOException {
        outputShut = true;
        try {
            stream.shutdownOutput();
        } catch (IllegalStateException e) {
            throw closed(e);
        }
    }

    @Override
    public boolean isInputShut() {
        return inputShut;
    }

    @Override
    public boolean isOutputShut() {
        return outputShut;
    }

    @Override
    public <T> void setOption(SocketOption<T> option, T value) {
        options.set(option, value);
    }

    @Override
    public <T> T getOption(SocketOption<T> option) {
        return option == RdmaSocketOptions.STREAM_COUNTERS
                ? option.type().cast(stream.counters())
                : options.get(option, stream.options());
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
        return StreamSocketOptions.SUPPORTED;
    }

    /** Closes the stream; waits for the peer only if the channel blocks and lingers. */
    @Override
    public void close() {
        if (options.resets()) {
            BackgroundCloses.abort(stream);
        } else if (channel.isBlocking() && options.lingers()) {
            stream.close();
        } else {
            BackgroundCloses.close(stream);
        }
    }
}
