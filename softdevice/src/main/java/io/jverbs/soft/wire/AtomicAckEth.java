package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Atomic Acknowledge Extended Transport Header (AtomicAckETH) of the response to an atomic. */
public final class AtomicAckEth {
    /** The length of the header in bytes. */
    public static final int BYTES = 8;

    private AtomicAckEth() {}

    /**
     * Writes the header.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param original the value of the word before the operation
     */
    public static void write(MemorySegment packet, long at, long original) {
        packet.set(BigEndian.LONG, at, original);
    }

    /**
     * {@return the value of the word before the operation}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static long original(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at);
    }
}
