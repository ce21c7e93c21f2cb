package io.jverbs.rsocket;

import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.VerbsException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Direct transfers of a stream: a side maps a buffer to an offset, and the peer writes to that offset; see riomap and
 * riowrite in rsocket(7). The owner of the buffer gets no notice: send one in the stream afterwards. This class is
 * thread-safe.
 */
public final class RdmaStreamIomap {
    private final StreamConnection connection;

    RdmaStreamIomap(StreamConnection connection) {
        this.connection = connection;
    }

    private StreamConnection connection() {
        connection.requireOpen();
        if (connection.iomaps() == null) {
            throw new IllegalStateException(connection + " is not connected");
        }
        return connection;
    }

    /**
     * Maps a buffer, so that the peer can write it. The peer learns of it before anything that is written afterwards.
     * If this method throws, the buffer is not mapped.
     *
     * <p>
     * Do not map again and again if the peer is an rsocket of librdmacm: it does not return the credit that the message
     * of a mapping takes. When as many buffers were mapped as it has credits, by default 384, writes wait without end.
     *
     * @param buffer native memory that is shared between threads, 1 to 2^32 - 1 bytes; it must stay valid
     * @param offset the offset that the first byte gets, at least 0
     * @throws IllegalArgumentException if the offset is negative, or the buffer is empty, too long, on the heap or
     *         confined to one thread
     * @throws VerbsException with ENOMEM if the peer has no entry left, by its {@link RdmaStreamOptions#iomapSize};
     *         otherwise as {@link io.jverbs.ProtectionDomain#registerMemory}
     * @throws RdmaStreamException if the stream has failed, or the peer has closed it
     * @throws IllegalStateException if the stream or its output is closed or it is not connected yet
     */
    public void map(MemorySegment buffer, long offset) throws IOException {
        long size = Objects.requireNonNull(buffer, "buffer").byteSize();
        if (size < 1 || size > 0xFFFF_FFFFL) {
            throw new IllegalArgumentException("the buffer has " + size + " bytes, which is outside 1..4294967295");
        }
        if (offset < 0 || offset > Long.MAX_VALUE - size) {
            throw new IllegalArgumentException(
                    "offset " + offset + " is outside 0.." + (Long.MAX_VALUE - size) + " for " + size + " bytes");
        }
        StreamConnection own = connection();
        MemoryRegion region = own.iomaps().map(own.queuePair().pd(), buffer, offset);
        if (region == null) {
            throw new VerbsException("riomap", Errno.ENOMEM,
                    "all entries of the iomap of the peer are used: unmap a buffer, or give it a larger iomapSize");
        }
        boolean isDone = false;
        try {
            own.writer().sendIomaps();
            isDone = true;
        } finally {
            if (!isDone) {
                own.iomaps().unmap(region);
            }
        }
    }

    /**
     * Ends a mapping. A write of the peer to it then fails the stream, because the peer is not told.
     *
     * @param buffer the mapped buffer
     * @throws IllegalArgumentException if it is not mapped
     * @throws IllegalStateException if the stream is closed or not connected yet
     */
    public void unmap(MemorySegment buffer) {
        Objects.requireNonNull(buffer, "buffer");
        if (!connection().iomaps().unmap(buffer)) {
            throw new IllegalArgumentException("the buffer at 0x" + Long.toHexString(buffer.address()) + " of "
                    + buffer.byteSize() + " bytes is not mapped");
        }
    }

    /**
     * Writes as many bytes to mapped buffers of the peer as there is room for in the send buffer. Does not wait.
     *
     * @param from the bytes, from its position to its limit; its position is advanced
     * @param offset the offset of the first byte
     * @return the number of bytes, up to where the mapped buffers end; 0 if there is no room
     * @throws RdmaStreamException if the stream has failed, or the peer has closed it
     * @throws IllegalArgumentException if the peer has mapped no buffer to the offset
     * @throws IllegalStateException if the stream or its output is closed or it is not connected yet
     */
    public int tryWrite(ByteBuffer from, long offset) throws IOException {
        Objects.requireNonNull(from, "from");
        return connection().writer().writeAt(from, offset);
    }
}
