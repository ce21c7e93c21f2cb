package io.jverbs.contract.differential.sequence;

/**
 * The layout of the memory that all regions of a sequence cover. Each request of a chain has its own slots, so that no
 * two outstanding requests access the same bytes.
 */
public final class Layout {

    /** Bytes of the longest message, including the 40 bytes before a datagram. */
    public static final int SLOT = 1536;
    /** Number of requests of the longest chain. */
    static final int CHAIN = 6;
    static final int RECEIVES = 8;
    public static final int SIZE = 2 * (2 * CHAIN + RECEIVES) * SLOT;

    private Layout() {}

    private static int start(Peer peer) {
        return peer.ordinal() * SIZE / 2;
    }

    /** Returns the offset of a slot for message sources and for results of READs and atomics. */
    public static int local(Peer peer, int index) {
        return start(peer) + index * SLOT;
    }

    /** Returns the offset of a slot that the other queue pair reads and writes. */
    public static int target(Peer peer, int index) {
        return start(peer) + (CHAIN + index) * SLOT;
    }

    public static int receive(Peer peer, int index) {
        return start(peer) + (2 * CHAIN + index % RECEIVES) * SLOT;
    }
}
