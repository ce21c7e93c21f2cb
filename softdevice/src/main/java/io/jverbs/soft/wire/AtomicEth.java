package io.jverbs.soft.wire;

import java.lang.foreign.MemorySegment;

/** The Atomic Extended Transport Header: which word an atomic is about, and its operands. */
public final class AtomicEth {
    /** How long it is. */
    public static final int BYTES = 28;

    private static final int RKEY = 8;
    private static final int SWAP_OR_ADD = 12;
    private static final int COMPARE = 20;

    private AtomicEth() {}

    /**
     * Writes all of it.
     *
     * @param packet the packet
     * @param at where the header is
     * @param remoteAddress the virtual address
     * @param rkey the remote key
     * @param swapOrAdd the value to store, or to add
     * @param compare the value expected; means nothing to a fetch-and-add
     */
    public static void write(MemorySegment packet, long at, long remoteAddress, int rkey, long swapOrAdd,
            long compare) {
        packet.set(BigEndian.LONG, at, remoteAddress);
        packet.set(BigEndian.INT, at + RKEY, rkey);
        packet.set(BigEndian.LONG, at + SWAP_OR_ADD, swapOrAdd);
        packet.set(BigEndian.LONG, at + COMPARE, compare);
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
     * {@return the value to store, or to add}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static long swapOrAdd(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at + SWAP_OR_ADD);
    }

    /**
     * {@return the value expected}
     *
     * @param packet the packet
     * @param at where the header is
     */
    public static long compare(MemorySegment packet, long at) {
        return packet.get(BigEndian.LONG, at + COMPARE);
    }
}
