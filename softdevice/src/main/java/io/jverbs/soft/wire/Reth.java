package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The RDMA Extended Transport Header (RETH): the memory that a WRITE or READ accesses. */
public final class Reth {
    /** The length of the header in bytes. */
    public static final int BYTES = 16;

    private static final int RKEY = 8;
    private static final int LENGTH = 12;

    private Reth() {}

    /**
     * Writes the header.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param length the length of the whole message in bytes, 32 bits
     */
    public static void write(MemorySegment packet, long at, long remoteAddress, int rkey, long length) {
        packet.set(BigEndian.LONG, at, remoteAddress);
        packet.set(BigEndian.LONG, at + RKEY, (long) rkey << 32 | length & 0xFFFF_FFFFL);
    }

    /**
     * {@return the virtual address}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static long remoteAddress(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at);
    }

    /**
     * {@return the remote key}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int rkey(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + RKEY);
    }

    /**
     * {@return the length of the whole message in bytes, 0 to 2^32 - 1}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static long length(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + LENGTH) & 0xFFFF_FFFFL;
    }
}
