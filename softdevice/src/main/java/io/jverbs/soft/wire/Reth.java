package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The RDMA Extended Transport Header: which memory a WRITE or READ is about. */
public final class Reth {
    /** How long it is. */
    public static final int BYTES = 16;

    private static final int RKEY = 8;
    private static final int LENGTH = 12;

    private Reth() {}

    /**
     * Writes all of it.
     *
     * @param packet the packet
     * @param at where the header is
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param length of the whole message in bytes, 32 bits
     */
    public static void write(MemorySegment packet, long at, long remoteAddress, int rkey, long length) {
        packet.set(BigEndian.LONG, at, remoteAddress);
        packet.set(BigEndian.LONG, at + RKEY, (long) rkey << 32 | length & 0xFFFF_FFFFL);
    }

    /**
     * {@return the virtual address}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static long remoteAddress(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at);
    }

    /**
     * {@return the remote key}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static int rkey(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + RKEY);
    }

    /**
     * {@return the length of the whole message in bytes, 0 to 2^32 - 1}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static long length(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + LENGTH) & 0xFFFF_FFFFL;
    }
}
