package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The header of the answer to an atomic. */
public final class AtomicAckEth {
    /** How long it is. */
    public static final int BYTES = 8;

    private AtomicAckEth() {}

    /**
     * Writes it.
     *
     * @param packet the packet
     * @param at where the header is
     * @param original the former value of the word
     */
    public static void write(MemorySegment packet, long at, long original) {
        packet.set(BigEndian.LONG, at, original);
    }

    /**
     * {@return the former value of the word}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static long original(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at);
    }
}
