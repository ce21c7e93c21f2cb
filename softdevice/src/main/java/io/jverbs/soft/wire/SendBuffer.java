package io.jverbs.soft.wire;

import java.lang.foreign.Arena;

/**
 * The memory for packets to send, and the encoder that writes them one after the other. A subclass may hold several
 * packets. Not thread-safe.
 */
public class SendBuffer {
    private static final int PAGE_BYTES = 4096;
    /**
     * The offset of a packet in its memory. With it, the payload after a BTH alone, as in most packets of a long
     * message, begins at a cache line in the middle of a page. Linux copies packets to the beginning of a page, and the
     * copy instruction of some processors is slower if source and destination have nearly the same offset in their
     * pages.
     */
    private static final int START = PAGE_BYTES / 2 - Bth.BYTES;

    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();
    private PacketBuffer buffer = newBuffer();
    /** The number of packets that the socket had no room for since {@link #takeLost} was last called. */
    private int lost;

    /** Allocates memory for a packet; it is reused. */
    public SendBuffer() {}

    /** {@return memory for one more packet} Its alignment makes copying a payload to it store whole cache lines. */
    protected static PacketBuffer newBuffer() {
        return new PacketBuffer(
                Arena.ofAuto().allocate(START + PacketBuffer.MAX_BYTES, PAGE_BYTES).asSlice(START));
    }

    /** {@return the memory that the next packet is written to} */
    public final PacketBuffer buffer() {
        return buffer;
    }

    /**
     * Sets the memory that the next packet is written to.
     *
     * @param next memory of this object
     */
    protected final void buffer(PacketBuffer next) {
        buffer = next;
    }

    /**
     * {@return whether packets are held back that the next one can join in one segmented message, if it is not longer}
     */
    public boolean isBegun() {
        return false;
    }

    /**
     * {@return whether one more packet to the same peer would be sent with the same call as the packets held here}
     *
     * @param length the length of that packet in bytes
     */
    public boolean hasRoomInBatch(int length) {
        return false;
    }

    /**
     * Adds to the number of packets that the socket had no room for.
     *
     * @param packets the number of packets
     */
    public final void lost(int packets) {
        lost += packets;
    }

    /** {@return the number of packets that the socket had no room for since the last call of this method} */
    public final int takeLost() {
        int packets = lost;
        lost = 0;
        return packets;
    }

    /** {@return the encoder that writes the packets} */
    public final PacketEncoder encoder() {
        return encoder;
    }

    /** {@return the ICRC that finishes the packets} */
    public final Icrc icrc() {
        return icrc;
    }
}
