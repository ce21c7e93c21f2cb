package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Invalidate Extended Transport Header (IETH) of a SEND with invalidate. */
public final class Ieth {
    /** The length of the header in bytes. */
    public static final int BYTES = 4;

    private Ieth() {}

    /**
     * Writes the header.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param rkey the remote key that the receiver invalidates
     */
    public static void write(MemorySegment packet, long at, int rkey) {
        packet.set(BigEndian.INT, at, rkey);
    }

    /**
     * {@return the remote key that the receiver invalidates}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static int rkey(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at);
    }
}
