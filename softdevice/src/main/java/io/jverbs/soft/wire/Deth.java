package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Datagram Extended Transport Header (DETH) of UD packets. */
public final class Deth {
    /** The length of the header in bytes. */
    public static final int BYTES = 8;

    private static final int SOURCE_QPN = 4;

    private Deth() {}

    /**
     * Writes the header.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param qkey the queue key
     * @param sourceQpn the number of the sending queue pair, 24 bits
     */
    public static void write(MemorySegment packet, long at, int qkey, int sourceQpn) {
        packet.set(BigEndian.LONG, at, (long) qkey << 32 | sourceQpn & BigEndian.MASK_24);
    }

    /**
     * {@return the queue key}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int qkey(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at);
    }

    /**
     * {@return the number of the sending queue pair, 24 bits}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int sourceQpn(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + SOURCE_QPN) & BigEndian.MASK_24;
    }
}
