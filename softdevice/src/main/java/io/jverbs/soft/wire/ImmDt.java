package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** Immediate data: four bytes that mean nothing here. */
public final class ImmDt {
    /** How long it is. */
    public static final int BYTES = 4;

    private ImmDt() {}

    /**
     * Writes it.
     *
     * @param packet the packet
     * @param at where the header is
     * @param immediate the value of the four bytes, the first the most significant
     */
    public static void write(MemorySegment packet, long at, int immediate) {
        packet.set(BigEndian.INT, at, immediate);
    }

    /**
     * {@return the value of the four bytes, the first the most significant}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static int immediate(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at);
    }
}
