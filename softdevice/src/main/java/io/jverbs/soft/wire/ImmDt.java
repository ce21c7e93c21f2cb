package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The immediate data (ImmDt): four bytes that the device does not interpret. */
public final class ImmDt {
    /** The length of the immediate data in bytes. */
    public static final int BYTES = 4;

    private ImmDt() {}

    /**
     * Writes the immediate data.
     *
     * @param packet the memory of the packet
     * @param at the offset of the immediate data
     * @param immediate the four bytes as a big-endian number
     */
    public static void write(MemorySegment packet, long at, int immediate) {
        packet.set(BigEndian.INT, at, immediate);
    }

    /**
     * {@return the four bytes as a big-endian number}
     *
     * @param packet the memory of the packet
     * @param at the offset of the immediate data
     */
    public static int immediate(MemorySegment packet, long at) {
        return packet.get(BigEndian.INT, at);
    }
}
