package io.jverbs.rsocket.protocol;

import java.nio.ByteBuffer;

/**
 * An entry of a target iomap, {@code struct rs_iomap}: memory that the peer has mapped to a range of offsets.
 *
 * @param offset the first offset
 * @param memory the memory; its length is in bytes
 */
public record IomapEntry(long offset, RemoteSge memory) {
    /** The number of bytes of an entry in a message. */
    public static final int BYTES = 8 + RemoteSge.BYTES;

    /**
     * Reads an entry at the position of a buffer, in the byte order of the buffer.
     *
     * @param from the buffer
     * @return the entry
     */
    public static IomapEntry get(ByteBuffer from) {
        return new IomapEntry(from.getLong(), RemoteSge.get(from));
    }

    /**
     * Writes this entry at the position of a buffer, in the byte order of the buffer.
     *
     * @param into the buffer
     */
    public void put(ByteBuffer into) {
        into.putLong(offset);
        memory.put(into);
    }

    /**
     * {@return the number of bytes from an offset to the end of this entry; 0 if the offset is not within it}
     *
     * @param from the buffer
     */
    public long remaining(long from) {
        long length = Integer.toUnsignedLong(memory.length());
        long passed = from - offset;
        return passed < 0 || passed >= length ? 0 : length - passed;
    }
}
