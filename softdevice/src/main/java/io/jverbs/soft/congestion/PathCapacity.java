package io.jverbs.soft.congestion;

import io.jverbs.soft.wire.PacketBuffer;

/**
 * How much may be in flight to an address before the socket buffer of a stalled receiver overflows.
 *
 * <p>
 * No packet states the size of a peer's socket buffer. The peer's buffer is assumed to be like the local one until
 * packets are lost. The response data of READs arrives in the local buffer, whose size is known.
 */
public enum PathCapacity {
    /**
     * Packets that arrive one by one. A packet occupies about twice its size in the buffer. The default buffer of 208
     * KiB counts as twice that size.
     */
    UNCOALESCED(24, 64),
    /**
     * Packets that arrive coalesced (UDP_GRO), in a default buffer. Coalesced packets occupy little more than their
     * size, so such a buffer holds three coalesced messages of 64 KiB and more.
     */
    COALESCED(45, 256),
    /**
     * Packets that arrive coalesced, in a large buffer: six coalesced messages, for which it has room even if their
     * packets arrive one by one. With three messages, the sender is idle whenever the receiver is interrupted; ten
     * messages were measured to be slower than six.
     */
    COALESCED_LARGE_BUFFER(90, 256),
    /**
     * The response data of READs that a large local buffer holds. The system counts such a buffer as 4 MiB. The
     * capacity is little more than half of that, because other packets arrive in the same buffer.
     */
    OWN_LARGE_BUFFER(256, 1024);

    /** The number of packets of the largest path MTU. */
    private final int largest;
    /** The maximum number of packets of any path MTU. */
    private final int max;

    PathCapacity(int largest, int max) {
        this.largest = largest;
        this.max = max;
    }

    /** How much all connections together may have in flight, in the unit of {@link PathWindow#cost}. */
    long shared() {
        return largest * PathWindow.cost(PacketBuffer.MAX_PAYLOAD);
    }

    /** The number of packets of a path MTU that one connection may have in flight. */
    int packets(int mtu) {
        return Math.min(largest * PacketBuffer.MAX_PAYLOAD / mtu, max);
    }

    /** The capacity to assume after packets were lost. */
    PathCapacity afterLoss() {
        return this == OWN_LARGE_BUFFER ? COALESCED_LARGE_BUFFER : this == COALESCED_LARGE_BUFFER ? COALESCED : this;
    }
}
