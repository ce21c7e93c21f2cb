package io.jverbs.rsocket;

import io.jverbs.rsocket.memory.StreamMemory;
import io.jverbs.rsocket.protocol.ReceiveBuffer;
import io.jverbs.rsocket.protocol.StreamState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The direction to this side: copies what has arrived to the program. One thread at a time reads. Thread-safe. */
final class StreamReader {
    /** What a read returns at the end of the stream. */
    static final int END = -1;

    private static final Logger LOG = LoggerFactory.getLogger(StreamReader.class);

    private final StreamConnection stream;
    private final ReceiveBuffer receive;
    private final ByteBuffer bytes;
    private final MemorySegment segment;
    private final ReentrantLock lock = new ReentrantLock();
    /** Whether this side has ended the input; changed under the lock, so that no read is in progress. */
    private volatile boolean shut;
    /** Whether the peer has ended its output: all its bytes have arrived. */
    private volatile boolean peerEnded;

    StreamReader(StreamConnection stream, StreamMemory memory, ReceiveBuffer receive) {
        this.stream = stream;
        this.receive = receive;
        this.bytes = memory.receiveBuffer();
        this.segment = memory.receiveSegment();
    }

    /** Returns whether a read returns something else than 0. */
    boolean isReady() {
        return receive.available() > 0 || shut || peerEnded || !stream.state().isReadable();
    }

    /** Returns how many bytes have arrived and are not read. */
    int arrived() {
        return shut ? 0 : receive.available();
    }

    /** Reads what is there; returns the number of bytes, or END. */
    int read(ByteBuffer into) throws IOException {
        lock.lock();
        try {
            int available = available();
            if (available <= 0) {
                return available;
            }
            int total = Math.min(into.remaining(), available);
            int position = into.position();
            int first = Math.min(total, receive.contiguous());
            into.put(position, bytes, receive.offset(), first);
            into.put(position + first, bytes, 0, total - first);
            boolean isRead = false;
            try {
                into.position(position + total);
                receive.read(total);
                isRead = true;
            } finally {
                if (!isRead) {
                    into.position(position);
                }
            }
            updateCredits();
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Reads what is there to a part of a segment; returns the number of bytes, or END. */
    int read(MemorySegment into, long offset, long length) throws IOException {
        lock.lock();
        try {
            int available = available();
            if (available <= 0) {
                return available;
            }
            int total = (int) Math.min(length, available);
            int first = Math.min(total, receive.contiguous());
            MemorySegment.copy(segment, receive.offset(), into, offset, first);
            MemorySegment.copy(segment, 0, into, offset + first, total - first);
            receive.read(total);
            updateCredits();
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bytes there are, 0 or END; throws if the stream has failed. */
    private int available() throws IOException {
        stream.requireOpen();
        if (shut) {
            return END;
        }
        int available = receive.available();
        if (available == 0) {
            stream.tryProgress();
            available = receive.available();
        }
        if (available == 0 && (peerEnded || !stream.state().isReadable())) {
            // what had arrived before the state has changed
            available = receive.available();
            if (available == 0) {
                if (!peerEnded) {
                    stream.requireNoFailure();
                }
                return END;
            }
        }
        return available;
    }

    /** Notes that the peer has ended its output; later failures of the stream do not change what reads return. */
    void peerHasEnded() {
        peerEnded = true;
    }

    /** Grants credits if that is due. An Error ends this, but not the read, which has taken its bytes. */
    private void updateCredits() {
        if (receive.isUpdateDue()) {
            try {
                stream.progress();
            } catch (Error e) {
                LOG.warn("{} has not granted credits to its peer; it does so with the next read", stream, e);
            }
        }
    }

    /** Ends the input. */
    void shutdown() {
        lock.lock();
        try {
            shut = true;
            stream.discardInput();
            stream.change(StreamState.Event.SHUTDOWN_INPUT);
        } finally {
            lock.unlock();
        }
        stream.raiseEvent();
    }

    /** Ends the input because the stream is closed. */
    void close() {
        lock.lock();
        try {
            shut = true;
            stream.discardInput();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the calling thread holds the lock; for assertions alone. */
    boolean isLocked() {
        return lock.isHeldByCurrentThread();
    }

    /** Waits until no thread is in the middle of a read. */
    void awaitIdle() {
        lock.lock();
        lock.unlock();
    }
}
