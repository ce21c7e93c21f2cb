package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Datagram Extended Transport Header of UD packets. */
public final class Deth {
    /** How long it is. */
    public static final int BYTES = 8;

    private static final int SOURCE_QPN = 4;

    private Deth() {}

    /**
     * Writes all of it.
     *
     * @param packet the packet
     * @param at where the header is
     * @param qkey the queue key
     * @param sourceQpn the sender's queue pair, 24 bits
     */
    public static void write(MemorySegment packet, long at, int qkey, int sourceQpn) {
        packet.set(BigEndian.LONG, at, (long) qkey << 32 | sourceQpn & BigEndian.MASK_24);
    }

    /**
     * {@return the queue key}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static int qkey(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at);
    }

    /**
     * {@return the sender's queue pair, 24 bits}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static int sourceQpn(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at + SOURCE_QPN) & BigEndian.MASK_24;
    }
}
