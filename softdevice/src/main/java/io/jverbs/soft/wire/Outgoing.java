package io.jverbs.soft.wire;

import java.lang.foreign.Arena;

/** Room for one packet on its way out, with what writes it. Not thread-safe. */
public final class Outgoing {
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();

    /** Makes room, to be used again and again. */
    public Outgoing() {
        // nothing is written yet
    }

    /** {@return where the packet is written} */
    public PacketBuffer buffer() {
        return buffer;
    }

    /** {@return what writes it} */
    public PacketEncoder encoder() {
        return encoder;
    }

    /** {@return what ends it} */
    public Icrc icrc() {
        return icrc;
    }
}
