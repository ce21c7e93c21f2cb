package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Invalidate Extended Transport Header of a SEND with invalidate. */
public final class Ieth {
    /** How long it is. */
    public static final int BYTES = 4;

    private Ieth() {}

    /**
     * Writes it.
     *
     * @param packet the packet
     * @param at where the header is
     * @param rkey the remote key that the receiver shall invalidate
     */
    public static void write(MemorySegment packet, long at, int rkey) {
        packet.set(BigEndian.INT, at, rkey);
    }

    /**
     * {@return the remote key that the receiver shall invalidate}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static int rkey(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at);
    }
}
