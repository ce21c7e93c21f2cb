package io.jverbs.soft.transport;

import io.jverbs.soft.wire.PacketBuffer;

/**
 * How much may be under way to an address: what the receiver's socket buffer holds when whoever empties it stands still. No packet
 * tells how large that is, so it is taken to be as the own one, until something is lost.
 */
public enum Capacity {
    /** A packet takes about twice its size of the buffer, and one of 208 KiB, which is ordinary, counts as double. */
    SINGLY(24, 64),
    /** Packets that arrive in one piece take little more than their size: such a buffer holds three pieces of 64 KiB and more. */
    IN_PIECES(45, 256),
    /**
     * Six pieces, of which a large buffer has room for all their packets. Three leave a sender without work whenever the receiver is
     * interrupted; ten took longer than six.
     */
    IN_MANY_PIECES(90, 256);

    /** Packets of the greatest path MTU. */
    private final int largest;
    /** Packets of any, at most. */
    private final int most;

    Capacity(int largest, int most) {
        this.largest = largest;
        this.most = most;
    }

    /** What all connections have under way together, as {@link SharedWindow#cost} counts it. */
    long shared() {
        return largest * SharedWindow.cost(PacketBuffer.MAX_PAYLOAD);
    }

    /** How many packets of a path MTU one connection has under way. */
    int packets(int mtu) {
        return Math.min(largest * PacketBuffer.MAX_PAYLOAD / mtu, most);
    }

    /** What is sure to hold where something was lost. */
    Capacity afterLoss() {
        return this == IN_MANY_PIECES ? IN_PIECES : this;
    }
}
