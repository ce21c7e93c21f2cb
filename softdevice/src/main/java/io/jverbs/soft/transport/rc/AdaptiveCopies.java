package io.jverbs.soft.transport.rc;

import io.jverbs.soft.congestion.CongestionWindow;
import io.jverbs.soft.protocol.Psns;

/**
 * The packets that a requester has sent again because no response has arrived in time, see {@link RetransmitTimer}. The
 * first ones may only be late, for instance because the thread that receives them does not run. Then each may receive
 * an RNR NAK, and the {@link CongestionWindow} was reduced for nothing. Guarded by the requester's lock.
 */
final class AdaptiveCopies {
    private final SendWindow sendWindow;
    private final CongestionWindow congestionWindow;
    /** Whether the oldest packet is to be sent again after the adaptive time, which has not happened yet. */
    private boolean due;
    /** How often that has happened. */
    private int count;
    /** The PSN after the last packet that was in flight at the latest timeout. */
    private int end;

    AdaptiveCopies(SendWindow sendWindow, CongestionWindow congestionWindow) {
        this.sendWindow = sendWindow;
        this.congestionWindow = congestionWindow;
    }

    void clear() {
        due = false;
        count = 0;
    }

    /** Records that no response has arrived in the adaptive time. */
    void adaptiveTimeout() {
        due = true;
        timedOut();
    }

    /** Records that no response has arrived in the adaptive time or in the ACK timeout. */
    void timedOut() {
        end = sendWindow.sentEnd();
        congestionWindow.timedOut();
    }

    /** Records that packets were sent. */
    void sent() {
        if (due) {
            due = false;
            count++;
        }
    }

    /**
     * Records an RNR NAK; returns whether it may be that of a copy, and uses up no retry.
     *
     * @param again whether it is for the same packet as the RNR NAK before it
     */
    boolean rnrNak(boolean again) {
        // the next time, the packet is sent after the RNR wait
        due = false;
        if (!again || count == 0) {
            return false;
        }
        count--;
        return true;
    }

    /**
     * Records that all packets before a PSN have arrived at the peer, before the {@link SendWindow} does. If they are
     * all that were in flight, and not all of them were sent again, none was lost.
     */
    void acknowledged(int psn) {
        if (congestionWindow.hasTimedOut() && Psns.difference(psn, end) >= 0
                && Psns.difference(sendWindow.psn(), end) < 0) {
            congestionWindow.undoTimeouts();
        }
    }

    /** Records progress, after the {@link SendWindow} has. */
    void progressed() {
        if (Psns.difference(sendWindow.unacknowledged(), end) >= 0) {
            due = false;
            count = 0;
            congestionWindow.keepTimeouts();
        }
    }
}
