package io.jverbs.rsocket;

import io.jverbs.rsocket.StreamWait.Goal;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/** The methods of a stream that wait: they repeat those that do not, until these have done their work. Thread-safe. */
final class BlockingTransfers {
    private final RdmaStream stream;
    private final StreamConnection connection;

    BlockingTransfers(RdmaStream stream, StreamConnection connection) {
        this.stream = stream;
        this.connection = connection;
    }

    private void await(Goal goal) throws InterruptedException {
        connection.waits().await(goal, StreamWait.NO_LIMIT);
    }

    /** Waits until the stream is ready for a transfer, for a time; returns whether it is. */
    boolean await(Goal goal, long nanos) throws InterruptedException {
        connection.requireOpen();
        boolean isReached = connection.waits().await(goal, nanos);
        connection.requireOpen();
        return isReached;
    }

    /** Waits until the connection is established. */
    void awaitEstablished() throws IOException, InterruptedException {
        await(Goal.ESTABLISHED);
        stream.finishConnect();
    }

    /** Reads at least one byte. */
    int read(ByteBuffer into) throws IOException, InterruptedException {
        int count = stream.tryRead(into);
        while (count == 0 && into.hasRemaining()) {
            await(Goal.READABLE);
            count = stream.tryRead(into);
        }
        return count;
    }

    /** Reads at least one byte. */
    int read(MemorySegment into) throws IOException, InterruptedException {
        long size = Objects.requireNonNull(into, "into").byteSize();
        int count = stream.tryRead(into, 0, size);
        while (count == 0 && size > 0) {
            await(Goal.READABLE);
            count = stream.tryRead(into, 0, size);
        }
        return count;
    }

    /** Writes all bytes. */
    void write(ByteBuffer from) throws IOException, InterruptedException {
        stream.tryWrite(from);
        while (from.hasRemaining()) {
            await(Goal.WRITABLE);
            stream.tryWrite(from);
        }
    }

    /** Writes all bytes. */
    void write(MemorySegment from) throws IOException, InterruptedException {
        long size = Objects.requireNonNull(from, "from").byteSize();
        long done = stream.tryWrite(from, 0, size);
        while (done < size) {
            await(Goal.WRITABLE);
            done += stream.tryWrite(from, done, size - done);
        }
    }
}
