package io.jverbs.contract.differential;

import io.jverbs.QpType;

/**
 * How the objects of a sequence are made.
 *
 * @param mtu         path MTU code
 * @param queues      1: one completion queue for all; 2: one for each queue pair; 4: one for each half
 * @param cqe         entries of each
 * @param sharedBy    how many of the queue pairs use the shared receive queue: 0, 1 (B) or 2
 * @param signalAll   completions for all sends
 * @param impatient   short time-outs, for a peer that does not answer
 * @param rnrRetry    retries of a receiver that is not ready
 * @param outstanding READs and atomics at once
 * @param iova        start address of the region with all rights, or null
 */
record Setup(QpType type, int mtu, int queues, int cqe, int sharedBy, boolean signalAll, boolean impatient,
        int rnrRetry, int outstanding, int psnA, int psnB, Long iova) {

    boolean shares(Peer peer) {
        return sharedBy == 2 || sharedBy == 1 && peer == Peer.B;
    }

    /** Bytes of a packet's payload. */
    int mtuBytes() {
        return 128 << mtu;
    }
}
