package io.jverbs.rsocket;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.memory.Iomaps;
import io.jverbs.rsocket.protocol.ConnectData;
import io.jverbs.rsocket.protocol.ControlQueue;
import io.jverbs.rsocket.protocol.IomapEntry;
import io.jverbs.rsocket.protocol.SendQueue;
import io.jverbs.rsocket.protocol.SendSequence;
import io.jverbs.rsocket.protocol.StreamState;
import io.jverbs.rsocket.protocol.TargetSgl;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The direction to the peer: copies the bytes of the program to the send buffer, and posts data messages. One thread at
 * a time writes. Thread-safe.
 */
final class StreamWriter {
    /** No message is shorter because the send buffer is almost full: then the writer waits; as in librdmacm. */
    private static final int LOW_WATER = 2048;

    private final StreamConnection stream;
    private final StreamQueuePair qp;
    private final ConnectData peer;
    private final SendSequence sequence;
    private final TargetSgl target;
    private final SendQueue sends;
    private final Iomaps iomaps;
    private final ByteBuffer bytes;
    private final MemorySegment segment;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile boolean shut;
    /** The number of the latest iomap message. */
    private long latestIomap = -1;
    /**
     * Whether a message may be half posted: after an Error, bytes would be missing, or be sent twice. It is set and
     * cleared without a call, since another Error can come between the first one and the failure of the stream.
     */
    private boolean unfinished;

    StreamWriter(StreamConnection stream, StreamQueuePair qp, ConnectData peer, SendSequence sequence,
            TargetSgl target, SendQueue sends, Iomaps iomaps) {
        this.stream = stream;
        this.qp = qp;
        this.peer = peer;
        this.sequence = sequence;
        this.target = target;
        this.sends = sends;
        this.iomaps = iomaps;
        this.bytes = qp.memory().sendBuffer();
        this.segment = qp.memory().sendSegment();
    }

    /** Returns whether a write returns something else than 0. */
    boolean isReady() {
        return !stream.state().isWritable() || shut
                || (iomaps.hasUnsent() ? canSendIomap() : possible(LOW_WATER) > 0);
    }

    /** Returns how many bytes the next message can have; 0 if it must wait, also for an entry of the iomap. */
    private int possible(int wanted) {
        return sequence.isAvailable() && !iomaps.hasUnsent() ? (int) Math.min(free(wanted), target.available()) : 0;
    }

    /** Returns how many bytes of the send buffer the next request can use; 0 if it must wait. */
    private int free(int wanted) {
        if (sends.freeEntries() == 0 || sends.freeBytes() < Math.min(wanted, LOW_WATER)) {
            return 0;
        }
        return Math.min(Math.min(wanted, StreamQueuePair.MAX_TRANSFER), sends.contiguousBytes());
    }

    /** As {@link #possible}, after it has processed what has completed if that was 0. */
    private int next(int wanted) {
        int possible = possible(wanted);
        if (possible == 0) {
            stream.tryProgress();
            possible = possible(wanted);
        }
        return possible;
    }

    /** Writes as much as there is room for; returns the number of bytes. */
    int write(ByteBuffer from) throws IOException {
        lock.lock();
        try {
            requireWritable();
            int total = 0;
            while (from.hasRemaining()) {
                int part = next(from.remaining());
                if (part == 0) {
                    break;
                }
                bytes.put(sends.offset(), from, from.position(), part);
                unfinished = true;
                try {
                    post(part);
                    from.position(from.position() + part);
                    unfinished = false;
                } finally {
                    requireFinished();
                }
                total += part;
            }
            return result(total);
        } finally {
            lock.unlock();
        }
    }

    /** Writes as much of a part of a segment as there is room for; returns the number of bytes. */
    long write(MemorySegment from, long offset, long length) throws IOException {
        lock.lock();
        try {
            requireWritable();
            long total = 0;
            while (total < length) {
                int part = next((int) Math.min(length - total, Integer.MAX_VALUE));
                if (part == 0) {
                    break;
                }
                MemorySegment.copy(from, offset + total, segment, sends.offset(), part);
                unfinished = true;
                try {
                    post(part);
                    total += part;
                    unfinished = false;
                } finally {
                    requireFinished();
                }
            }
            if (total == 0) {
                requireWritable();
            }
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Writes as much of several buffers as there is room for; a message has the bytes of all that fit. */
    long write(ByteBuffer[] from, int offset, int length) throws IOException {
        lock.lock();
        try {
            requireWritable();
            long total = 0;
            int first = offset;
            int end = offset + length;
            while (true) {
                while (first < end && !from[first].hasRemaining()) {
                    first++;
                }
                int part = first == end ? 0 : next(remaining(from, first, end));
                if (part == 0) {
                    break;
                }
                copy(from, first, part);
                unfinished = true;
                try {
                    post(part);
                    advance(from, first, end, part);
                    unfinished = false;
                } finally {
                    requireFinished();
                }
                total += part;
            }
            if (total == 0) {
                requireWritable();
            }
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many bytes buffers have, at most those of the longest message. */
    private static int remaining(ByteBuffer[] from, int first, int end) {
        long sum = 0;
        for (int i = first; i < end && sum < StreamQueuePair.MAX_TRANSFER; i++) {
            sum += from[i].remaining();
        }
        return (int) Math.min(sum, StreamQueuePair.MAX_TRANSFER);
    }

    /** Copies the next bytes of buffers to the send buffer. */
    private void copy(ByteBuffer[] from, int first, int length) {
        int done = 0;
        for (int i = first; done < length; i++) {
            int part = Math.min(length - done, from[i].remaining());
            bytes.put(sends.offset() + done, from[i], from[i].position(), part);
            done += part;
        }
    }

    /** Moves the positions of buffers over the bytes that were copied. A buffer may be there twice. */
    private static void advance(ByteBuffer[] from, int first, int end, int length) {
        int done = 0;
        for (int i = first; i < end && done < length; i++) {
            int part = Math.min(length - done, from[i].remaining());
            from[i].position(from[i].position() + part);
            done += part;
        }
    }

    private int result(int total) throws IOException {
        if (total == 0) {
            requireWritable();
        }
        return total;
    }

    /** Throws why nothing can be written any more, and sends the entries of the iomap that are not sent yet. */
    private void requireWritable() throws IOException {
        stream.requireOpen();
        requireFinished();
        if (shut) {
            throw new IllegalStateException("the output of " + stream + " was shut down");
        }
        if (!stream.state().isWritable() && stream.state() != StreamState.CONNECTING) {
            throw ended();
        }
        while (iomaps.hasUnsent() && sendIomap()) {
            // the next one
        }
    }

    /** Returns why nothing can be written, or throws it. */
    private RdmaStreamException ended() throws RdmaStreamException {
        stream.requireNoFailure();
        return new RdmaStreamException(Reason.PEER_CLOSED, stream.toString(),
                "the peer has closed the stream, and does not read what is written");
    }

    /** Posts the next bytes, which are in the send buffer; throws if that fails. */
    private void post(int length) throws RdmaStreamException {
        long number = sends.next();
        int offset = sends.offset();
        long address = target.address();
        int key = target.key();
        sequence.take(length);
        target.advance(length);
        posted(qp.postData(offset, length, address, key, number, sends.take(length)));
    }

    /** Fails the stream, and throws why, if a request was not posted. */
    private void posted(int errno) throws RdmaStreamException {
        if (errno != 0) {
            stream.failed("posting a message", new VerbsException("post_send", Errno.of(errno),
                    "the queue pair does not accept the request"));
            throw ended();
        }
    }

    /** Fails the stream if a message may be half posted. */
    private void requireFinished() {
        if (unfinished) {
            stream.fail(new RdmaStreamException(Reason.DEVICE_FAILED, stream.toString(), "an Error has ended a write"));
        }
    }

    /** Sends the next entry of the iomap, if there is room; returns whether it was sent. */
    private boolean sendIomap() throws RdmaStreamException {
        if (!canSendIomap()) {
            stream.tryProgress();
        }
        if (!canSendIomap()) {
            return false;
        }
        int at = qp.memory().controlOffset(ControlQueue.ENTRIES);
        unfinished = true;
        try {
            int index = iomaps.takeNext(bytes.slice(at, IomapEntry.BYTES).order(peer.byteOrder()));
            if (index < 0) {
                unfinished = false;
                return false;
            }
            latestIomap = sends.next();
            sequence.take(0);
            sends.take(0);
            posted(qp.postIomap(at, peer.iomapAddress() + (long) index * IomapEntry.BYTES, peer.targetSgl().key(),
                    index, latestIomap));
            unfinished = false;
            return true;
        } finally {
            requireFinished();
        }
    }

    /** Returns whether the entry before is sent, whose memory the next one uses, and there is room. */
    private boolean canSendIomap() {
        return sends.isCompleted(latestIomap) && sends.freeEntries() > 0 && sequence.isAvailable();
    }

    /** Sends the entries of the iomap that are not sent yet, as many as there is room for. */
    void sendIomaps() throws IOException {
        lock.lock();
        try {
            requireWritable();
        } finally {
            lock.unlock();
        }
    }

    /** Writes as much to the buffers that the peer has mapped as there is room for; returns the number of bytes. */
    int writeAt(ByteBuffer from, long offset) throws IOException {
        lock.lock();
        try {
            requireWritable();
            int total = 0;
            while (from.hasRemaining()) {
                IomapEntry entry = iomaps.find(offset + total);
                if (entry == null) {
                    break;
                }
                int wanted = (int) Math.min(from.remaining(), entry.remaining(offset + total));
                int part = free(wanted);
                if (part == 0) {
                    stream.tryProgress();
                    part = free(wanted);
                }
                if (part == 0) {
                    return result(total);
                }
                bytes.put(sends.offset(), from, from.position(), part);
                unfinished = true;
                try {
                    long number = sends.next();
                    int at = sends.offset();
                    posted(qp.postWrite(at, part, entry.memory().address() + offset + total - entry.offset(),
                            entry.memory().key(), number, sends.take(part)));
                    from.position(from.position() + part);
                    unfinished = false;
                } finally {
                    requireFinished();
                }
                total += part;
            }
            if (total == 0 && from.hasRemaining()) {
                throw new IllegalArgumentException(
                        "offset " + offset + " is in no buffer that the peer has mapped: it must map one before");
            }
            return total;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the output, after what is written. */
    void shutdown() {
        end(StreamState.Event.SHUTDOWN_OUTPUT);
    }

    /** Ends both directions, after what is written. */
    void close() {
        end(StreamState.Event.CLOSE);
    }

    private void end(StreamState.Event event) {
        lock.lock();
        try {
            shut = true;
            requireFinished();
            stream.change(event);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no thread is in the middle of a write. */
    void awaitIdle() {
        lock.lock();
        lock.unlock();
    }
}
