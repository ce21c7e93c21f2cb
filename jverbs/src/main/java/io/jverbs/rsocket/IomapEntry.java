package io.jverbs.rsocket;

import java.nio.ByteBuffer;

/**
 * An entry of a target iomap, {@code struct rs_iomap}: memory that the peer has mapped to a range of offsets.
 *
 * @param offset the first offset
 * @param memory the memory; its length is in bytes
 */
record IomapEntry(long offset, RemoteSge memory) {
    /** The number of bytes of an entry in a message. */
    static final int BYTES = 8 + RemoteSge.BYTES;

    /** Reads an entry at the position of a buffer, in the byte order of the buffer. */
    static IomapEntry get(ByteBuffer from) {
        return new IomapEntry(from.getLong(), RemoteSge.get(from));
    }

    /** Writes this entry at the position of a buffer, in the byte order of the buffer. */
    void put(ByteBuffer into) {
        into.putLong(offset);
        memory.put(into);
    }

    /** {@return the number of bytes from an offset to the end of this entry; 0 if the offset is not within it} */
    long remaining(long from) {
        long length = Integer.toUnsignedLong(memory.length());
        long passed = from - offset;
        return passed < 0 || passed >= length ? 0 : length - passed;
    }
}
