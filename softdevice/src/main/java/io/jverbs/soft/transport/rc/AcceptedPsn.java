package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Psns;

/**
 * The PSN of the next ACK: that of the latest packet of a SEND or WRITE that a responder has accepted. An ACK never
 * carries the PSN of a READ or an atomic, because some peers take such an ACK for the response, without its data, if
 * the response itself was lost. Guarded by the responder's lock.
 */
final class AcceptedPsn {
    private static final int NONE = -1;
    /** An older PSN is not used, since a peer would take it for a later one if it were half of all PSNs back. */
    private static final int MAX_PSNS_BACK = 1 << 22;

    private int psn = NONE;

    /** Nothing was accepted since the connection was made. */
    void clear() {
        psn = NONE;
    }

    /** Records that a packet of a SEND or WRITE was accepted. */
    void accepted(int packetPsn) {
        psn = packetPsn;
    }

    /** Forgets the PSN before READs and atomics make it so old that it looks like a later one. */
    void forgetOld(int expected) {
        if (!isRecent(expected)) {
            psn = NONE;
        }
    }

    /**
     * Whether an ACK with this PSN cannot be taken for another one.
     *
     * @param expected the PSN that is expected next
     */
    boolean isRecent(int expected) {
        int back = Psns.difference(expected, psn);
        return psn != NONE && back > 0 && back <= MAX_PSNS_BACK;
    }

    /**
     * Returns the PSN of an ACK.
     *
     * @param expected the PSN that is expected next
     */
    int ofAck(int expected) {
        return psn == NONE ? Psns.add(expected, -1) : psn;
    }
}
