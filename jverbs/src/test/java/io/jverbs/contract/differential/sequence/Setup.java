package io.jverbs.contract.differential.sequence;

import io.jverbs.QpType;

/**
 * The properties of the objects of a sequence.
 *
 * @param mtu path MTU code
 * @param queues number of completion queues: 1 for all, 2 for one for each queue pair, 4 for one for each send and
 *            receive queue
 * @param cqe entries of each completion queue
 * @param sharedBy number of queue pairs that use the shared receive queue: 0, 1 (B) or 2
 * @param signalAll whether all sends generate completions
 * @param impatient whether timeouts are short, for a peer that does not respond
 * @param rnrRetry RNR retry count
 * @param outstanding number of outstanding READs and atomics
 * @param iova start address of the region with all rights, or null
 */
public record Setup(QpType type, int mtu, int queues, int cqe, int sharedBy, boolean signalAll, boolean impatient,
        int rnrRetry, int outstanding, int psnA, int psnB, Long iova) {

    public boolean shares(Peer peer) {
        return sharedBy == 2 || sharedBy == 1 && peer == Peer.B;
    }

    /** Returns the path MTU in bytes. */
    int mtuBytes() {
        return 128 << mtu;
    }
}
