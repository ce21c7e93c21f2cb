package io.jverbs.soft.transport;

import io.jverbs.soft.wire.SendBuffer;

/**
 * A buffer for packets of several requests, or of several queue pairs, that are sent together. It is acquired from the
 * {@link PacketNetwork} for the first packet and released when all packets are written. Not thread-safe: the owner
 * guards it.
 *
 * <p>
 * An outbox also counts the READ and atomic response packets of a turn, whose number all queue pairs together share.
 */
public final class Outbox {
    /** The maximum number of response packets (READ and atomic) that all queue pairs together send in a turn. */
    public static final int TURN = 64;

    private final PacketNetwork wire;
    private SendBuffer out;
    private int left = TURN;

    /**
     * Creates an empty outbox.
     *
     * @param wire the wire that sends the packets
     */
    public Outbox(PacketNetwork wire) {
        this.wire = wire;
    }

    /** {@return the buffer for the next packet} */
    public SendBuffer room() {
        if (out == null) {
            out = wire.acquire();
        }
        return out;
    }

    /** Begins a turn. */
    public void beginTurn() {
        left = TURN;
    }

    /** {@return the number of response packets that may still be sent in this turn} */
    public int left() {
        return left;
    }

    /** Counts a response packet of this turn. */
    public void countResponse() {
        left--;
    }

    /** Sends the packets that were written, if there are any. */
    public void release() {
        SendBuffer written = out;
        if (written != null) {
            out = null;
            wire.release(written);
        }
    }
}
