package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Atomic Extended Transport Header (AtomicETH): the word that an atomic changes, and the operands. */
public final class AtomicEth {
    /** The length of the header in bytes. */
    public static final int BYTES = 28;

    private static final int RKEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    private AtomicEth() {}

    /**
     * Writes the header.
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     * @param remoteAddress the virtual address of the word
     * @param rkey the remote key
     * @param swapOrAdd the value to store, or to add
     * @param compare the expected value; ignored by a fetch-and-add
     */
    public static void write(MemorySegment packet, long at, long remoteAddress, int rkey, long swapOrAdd,
            long compare) {
        packet.set(BigEndian.LONG, at, remoteAddress);
        packet.set(BigEndian.INT, at + RKEY, rkey);
        packet.set(BigEndian.LONG, at + SWAP_OR_ADD, swapOrAdd);
        packet.set(BigEndian.LONG, at + COMPARE, compare);
    }

    /**
     * {@return the virtual address of the word}
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
     * {@return the value to store, or to add}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static long swapOrAdd(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at + SWAP_OR_ADD);
    }

    /**
     * {@return the expected value}
     *
     * @param packet the memory of the packet
     * @param at the offset of the header
     */
    public static long compare(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at + COMPARE);
    }
}
