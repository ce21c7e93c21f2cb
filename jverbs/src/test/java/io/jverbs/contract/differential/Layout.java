package io.jverbs.contract.differential;

/**
 * Where what lies in the one piece of memory that all regions of a sequence cover. Each request of a chain has slots
 * of its own, so that no two requests in flight touch the same bytes.
 */
final class Layout {

    /** The longest message, with the 40 bytes before a datagram. */
    static final int SLOT = 1536;
    /** The longest chain. */
    static final int CHAIN = 6;
    static final int RECEIVES = 8;
    static final int SIZE = 2 * (2 * CHAIN + RECEIVES) * SLOT;

    private Layout() {}

    private static int start(Peer peer) {
        return peer.ordinal() * SIZE / 2;
    }

    /** Sources of messages, results of READs and atomics. */
    static int local(Peer peer, int index) {
        return start(peer) + index * SLOT;
    }

    /** What the other queue pair reads and writes. */
    static int target(Peer peer, int index) {
        return start(peer) + (CHAIN + index) * SLOT;
    }

    static int receive(Peer peer, int index) {
        return start(peer) + (2 * CHAIN + index % RECEIVES) * SLOT;
    }
}
