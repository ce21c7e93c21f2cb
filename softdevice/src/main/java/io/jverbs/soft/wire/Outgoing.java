package io.jverbs.soft.wire;

import java.lang.foreign.Arena;

/** Room for packets on their way out, with what writes them one after the other. Not thread-safe. */
public class Outgoing {
    private static final int PAGE_BYTES = 4096;
    /**
     * The payload behind a BTH alone, as most packets of a long message have it, begins a cache line, in the middle of a page: Linux
     * copies packets to the beginning of one, and the copy instruction of some processors is slower where source and destination
     * have nearly the same place in their pages.
     */
    private static final int START = PAGE_BYTES / 2 - Bth.BYTES;

    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();
    private PacketBuffer buffer = newBuffer();
    /** Packets that the socket had no room for, and that nobody has asked about. */
    private int lost;

    /** Makes room, to be used again and again. */
    public Outgoing() {
        // nothing is written yet
    }

    /** {@return more memory for a packet} Copying to where its payload goes stores whole cache lines. */
    protected static PacketBuffer newBuffer() {
        return new PacketBuffer(
                Arena.ofAuto().allocate(START + PacketBuffer.MAX_BYTES, PAGE_BYTES).asSlice(START));
    }

    /** {@return where the next packet is written} */
    public final PacketBuffer buffer() {
        return buffer;
    }

    /**
     * Says where the next packet is written.
     *
     * @param next memory of this object
     */
    protected final void buffer(PacketBuffer next) {
        buffer = next;
    }

    /** {@return whether packets are kept that leave in one piece with those to come, if they are not longer} */
    public boolean isBegun() {
        return false;
    }

    /**
     * {@return whether a packet more to the same peer would leave with what is here, in the same call}
     *
     * @param length the packet's length in bytes
     */
    public boolean takesAlong(int length) {
        return false;
    }

    /**
     * Notes that the socket had no room for packets.
     *
     * @param packets how many
     */
    public final void lost(int packets) {
        lost += packets;
    }

    /** {@return how many packets the socket had no room for since this was asked last} */
    public final int takeLost() {
        int packets = lost;
        lost = 0;
        return packets;
    }

    /** {@return what writes it} */
    public final PacketEncoder encoder() {
        return encoder;
    }

    /** {@return what ends it} */
    public final Icrc icrc() {
        return icrc;
    }
}
