package io.jverbs.rsocket.protocol;

import java.nio.ByteBuffer;

/**
 * A range of memory that the peer has published, {@code struct rs_sge}.
 *
 * @param address its address
 * @param key its rkey
 * @param length its length, in bytes or in entries, as a number without sign
 */
public record RemoteSge(long address, int key, int length) {
    /** The number of bytes of a range in a message. */
    public static final int BYTES = 16;
    public static final int KEY = 8;
    public static final int LENGTH = 12;

    /**
     * Reads a range at the position of a buffer, in the byte order of the buffer.
     *
     * @param from the buffer
     * @return the range
     */
    public static RemoteSge get(ByteBuffer from) {
        return new RemoteSge(from.getLong(), from.getInt(), from.getInt());
    }

    /**
     * Writes this range at the position of a buffer, in the byte order of the buffer.
     *
     * @param into the buffer
     */
    public void put(ByteBuffer into) {
        into.putLong(address).putInt(key).putInt(length);
    }

    /**
     * Requires that a range that the peer has published is one.
     *
     * @param name the name of the range
     * @param address its address
     * @param bytes its length
     * @throws ProtocolViolation if it exceeds the address space
     */
    public static void requireInAddressSpace(String name, long address, long bytes) {
        if (Long.compareUnsigned(address + bytes - 1, address) < 0) {
            throw new ProtocolViolation("the peer sent a " + name + " of " + bytes + " bytes at address 0x"
                    + Long.toHexString(address) + ", which exceeds the address space of 2^64 bytes");
        }
    }
}
