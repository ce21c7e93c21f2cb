package io.jverbs.samples.perftest.exchange;

import io.jverbs.Gid;

/**
 * The address of a side's queue pair and memory.
 *
 * @param lid the port's LID, 0 on Ethernet
 * @param reads the number of outstanding READs and atomics that it accepts as responder
 * @param qpn the queue pair number
 * @param psn the initial packet sequence number of the queue pair
 * @param rkey the remote key of the memory
 * @param address the address of the memory
 * @param gid the port's GID, {@link Gid#ZERO} if no GID is used
 * @param extra a number that is 0 but for shared receive queues, and for a {@link Request}
 */
public record PeerAddress(int lid, int reads, int qpn, int psn, int rkey, long address, Gid gid, int extra) {
    /** An address that stands for nothing, of messages that only synchronise. */
    public static final PeerAddress NONE = new PeerAddress(0, 0, 0, 0, 0, 0, Gid.ZERO, 0);

    /** {@return the same address with a request} */
    PeerAddress with(Request request) {
        return new PeerAddress(lid, reads, qpn, psn, rkey, address, gid, request.toInt());
    }
}
