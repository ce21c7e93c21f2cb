package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.Aeth;

/** The credits that a responder has stated in its latest positive response. Guarded by the responder's lock. */
final class StatedCredits {
    private final SoftQp qp;
    private final ReceiveSide receives;
    /** Their number, or {@link Aeth#NO_CREDITS}. */
    private int credits = Aeth.NO_CREDITS;
    /** The MSN up to which they permit the peer to send messages. */
    private int limit;
    /** Whether a post was reported, so that the peer waits for reports. */
    private boolean reported;

    StatedCredits(SoftQp qp, ReceiveSide receives) {
        this.qp = qp;
        this.receives = receives;
    }

    /** Nothing has been stated since the connection was made. */
    void clear() {
        credits = Aeth.NO_CREDITS;
        reported = false;
    }

    /** Returns the syndrome of a positive response with an MSN, with the present credits. */
    int syndrome(int msn) {
        int syndrome = Aeth.ack(receives.credits());
        credits = Aeth.credits(syndrome);
        limit = Psns.add(msn, credits);
        return syndrome;
    }

    /** Returns the syndrome of a repeated response, which the peer may ignore, with the present credits. */
    int syndromeOfRepeat() {
        return Aeth.ack(receives.credits());
    }

    /** Whether the receive requests of this queue pair are counted as credits. */
    boolean areCounted() {
        return receives.credits() != Aeth.NO_CREDITS;
    }

    /** Records an RNR NAK for the message after those that an MSN counts: it ends the credits that were stated. */
    void refused(int msn) {
        if (credits != Aeth.NO_CREDITS) {
            credits = 0;
            limit = msn;
        }
    }

    /** Records that posted receive requests are reported to the peer, and counts it. */
    void reported() {
        qp.count(Counter.SENT_CREDITS);
        reported = true;
    }

    /** Records that the peer has completed a message that uses up no credit. */
    void messageWithoutReceive() {
        limit = Psns.add(limit, 1);
    }

    /** Whether the peer knows of no receive request for the message after those that its MSN counts. */
    boolean areUsedUp(int msn) {
        return credits != Aeth.NO_CREDITS && Psns.difference(limit, msn) <= 0;
    }

    /** Whether the peer knows of no receive request for that message, although one is posted. */
    boolean areUnreported(int msn) {
        return areUsedUp(msn) && receives.credits() > 0;
    }

    /**
     * Whether the next ACK may have credits that the peer waits for, so that it is not held. A peer that has never
     * waited for a report sends one message without them, and then waits.
     */
    boolean areAwaited(int msn) {
        if (credits == Aeth.NO_CREDITS) {
            return false;
        }
        int left = Psns.difference(limit, msn);
        return left < 0 || left == 0 && reported && credits != 0;
    }
}
