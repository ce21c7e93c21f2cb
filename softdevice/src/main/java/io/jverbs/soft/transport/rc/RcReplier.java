package io.jverbs.soft.transport.rc;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.ReceiveSide;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RcResponderState;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * Sends the responses of a reliable connection's responder over the wire: ACKs, at most one for a burst of packets,
 * NAKs, and, with a {@link ResponseSender}, the responses to READs and atomics, in the order of the requests. Guarded
 * by the responder's lock.
 */
final class RcReplier {
    /** The length of an ACK or NAK packet. */
    static final int ACKNOWLEDGEMENT_BYTES = Bth.BYTES + Aeth.BYTES + Icrc.BYTES;
    private static final int NO_NAK = -1;

    private final SoftQp qp;
    private final RcResponderState state;
    private final StatedCredits credits;
    private final QpSettings settings;
    private final Port port;
    private final PacketNetwork wire;
    private final ResponseSender responses;
    private final AckCoalescer coalescer = new AckCoalescer();
    /** The path to the peer; null if the connection is not over the wire. */
    private Route route;
    /** The syndrome of a NAK that is sent after the responses before it, or {@link #NO_NAK}. */
    private int nakDue = NO_NAK;
    private int nakPsn;
    private final AcceptedPsn lastAccepted = new AcceptedPsn();
    private int msn;

    RcReplier(SoftQp qp, RcResponderState state, ReceiveSide receives, PacketNetwork wire) {
        this.qp = qp;
        this.state = state;
        this.credits = new StatedCredits(qp, receives);
        this.settings = qp.settings();
        this.port = qp.environment().port();
        this.wire = wire;
        this.responses = new ResponseSender(qp, state, this, credits);
    }

    /** Sets the path to the peer, null if there is none, and reserves room for the peer's READs and atomics. */
    void route(Route to) {
        assert qp.responder().lock().isHeldByCurrentThread();
        route = to;
        responses.route(to);
    }

    void clear() {
        assert qp.responder().lock().isHeldByCurrentThread();
        responses.clear();
        coalescer.clear();
        nakDue = NO_NAK;
        lastAccepted.clear();
        msn = 0;
        credits.clear();
    }

    /** Whether ACKs or responses are to be sent after this burst of requests. */
    boolean hasPending() {
        return coalescer.isDue() || !responses.isEmpty();
    }

    /**
     * Whether the peer has as many READs and atomics outstanding as max_dest_rd_atomic permits, so that another one is
     * dropped. A READ or atomic whose response was not sent completely counts as outstanding, as it does at the peer. A
     * response that is repeated does not count again: its request is either outstanding at the peer or completed. If
     * max_dest_rd_atomic is 0, READs and atomics are refused by a NAK and not dropped.
     */
    boolean isFull() {
        return responses.unsent() >= Math.max(1, settings.maxDestRdAtomic);
    }

    /** Records that a new request arrived, which shows that the peer is alive. */
    void requestArrived() {
        assert qp.responder().lock().isHeldByCurrentThread();
        responses.requestArrived();
    }

    /** Records that a packet of a SEND or WRITE was accepted. */
    void packetAccepted(PacketView packet) {
        lastAccepted.accepted(packet.psn());
        if (packet.ackRequest()) {
            coalescer.messageArrived(WireOpcode.isFirst(packet.opcode()) && WireOpcode.isLast(packet.opcode()));
        }
    }

    /** Records that the present packet is the last of its message, which has taken a receive request or not. */
    void messageEnds(boolean tookReceive) {
        msn = Psns.add(msn, 1);
        if (!tookReceive) {
            credits.messageWithoutReceive();
        }
    }

    /** Records that a READ was accepted, whose response has a number of packets. */
    void read(PacketView packet, int packets) {
        messageEnds(false);
        lastAccepted.forgetOld(state.expectedPsn());
        responses.read(packet, packets, msn);
    }

    /** Records that an atomic was executed; the response carries the original value of its word. */
    void atomic(PacketView packet, long original) {
        messageEnds(false);
        lastAccepted.forgetOld(state.expectedPsn());
        responses.atomic(packet, original, msn);
    }

    /** Discards a NAK that was not sent. */
    void discardNak() {
        nakDue = NO_NAK;
    }

    /** Responds again to a duplicate request: its response was lost or is late. */
    void repeat(PacketView packet) {
        assert qp.responder().lock().isHeldByCurrentThread();
        int what = WireOpcode.kind(packet.opcode());
        if (what == WireOpcode.KIND_SEND || what == WireOpcode.KIND_WRITE) {
            coalescer.messageArrived(false);
        } else {
            responses.repeat(packet, what);
        }
    }

    /**
     * Whether an ACK or NAK must be sent although the queue pair has failed: the NAK states the reason, the ACK
     * acknowledges what arrived before.
     */
    boolean isAckOrNakDue() {
        return nakDue != NO_NAK || coalescer.isDue();
    }

    /**
     * Sends what is due. Returns true if some of it must wait for another turn, or if an ACK is held.
     *
     * <p>
     * ACKs and NAKs are written to the outbox, together with those of other queue pairs. To keep the packets of this
     * queue pair in order, the caller releases the outbox before it receives more packets, or before it releases the
     * lock of this half. Only an ACK that reports posted receive requests can overtake them; it has the same MSN as the
     * latest of them, and more credits.
     *
     * @param polling whether the calling thread polls, and will therefore call again soon
     * @param outbox the buffer for packets without data
     */
    boolean sendResponses(boolean polling, Outbox outbox) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (route == null) {
            return false;
        }
        if (!responses.isEmpty()) {
            // the ACKs of other queue pairs do not wait for a burst of responses
            outbox.release();
        }
        if (!responses.send(outbox)) {
            return !responses.waitsForTimer();
        }
        if (nakDue != NO_NAK) {
            sendNak(outbox.room());
        } else if (mayHold(polling)) {
            return true;
        } else if (coalescer.isDue()) {
            acknowledge(outbox.room());
        }
        return false;
    }

    /** Permits more responses, after the timer has expired. */
    void resume() {
        assert qp.responder().lock().isHeldByCurrentThread();
        responses.resume();
    }

    private boolean mayHold(boolean polling) {
        if (polling) {
            coalescer.polled();
        }
        return coalescer.isHeld() && !credits.areAwaited(msn)
                && coalescer.holdLonger(polling, qp.environment().timers().nanoTime());
    }

    /** Whether an ACK is due. Without the lock the result may be out of date. */
    boolean isAckDue() {
        return coalescer.isDue();
    }

    /**
     * Sends the ACK that is due with requests to the same peer, if this needs no additional system call, unless other
     * responses must be sent first or the ACK is held.
     */
    void acknowledgeWith(SendBuffer out) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (coalescer.isDue() && nakDue == NO_NAK && responses.isEmpty() && route != null
                && (coalescer.ackWithRequest() || credits.areAwaited(msn))
                && out.hasRoomInBatch(ACKNOWLEDGEMENT_BYTES)) {
            acknowledge(out);
        }
    }

    /**
     * Sends an unsolicited ACK, unless the peer has credits left, or a NAK is due. Its PSN is that of an ACK, see
     * {@link AcceptedPsn}. If there is none, the peer sends its next message without credits.
     */
    void sendCredits() {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (route == null || nakDue != NO_NAK || !hasCreditsToReport()) {
            return;
        }
        credits.reported();
        if (!responses.isEmpty()) {
            // the peer may ignore the responses that are due: the ACK follows them
            coalescer.messageArrived(false);
            return;
        }
        SendBuffer out = wire.acquire();
        try {
            acknowledge(out);
        } finally {
            wire.release(out);
        }
    }

    /** Whether receive requests were posted that the peer does not know of, and an ACK can report them. */
    private boolean hasCreditsToReport() {
        return lastAccepted.isRecent(state.expectedPsn()) && credits.areUnreported(msn);
    }

    private void acknowledge(SendBuffer out) {
        // before the ACK counts as sent: an Error must not lose it
        int syndrome = credits.syndrome(msn);
        coalescer.ackSent();
        sendAcknowledge(out, syndrome, lastAccepted.ofAck(state.expectedPsn()));
    }

    /** Sends a NAK with the expected PSN, after the responses to earlier requests. */
    void nak(int syndrome) {
        assert qp.responder().lock().isHeldByCurrentThread();
        nakLater(syndrome, state.expectedPsn());
        if (route != null && responses.isEmpty()) {
            SendBuffer out = wire.acquire();
            try {
                sendNak(out);
            } finally {
                wire.release(out);
            }
        }
    }

    /** Lets the next turn send a NAK, after the responses to earlier requests. */
    void nakLater(int syndrome, int psn) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (route != null) {
            nakDue = syndrome;
            nakPsn = psn;
        }
    }

    private void sendNak(SendBuffer out) {
        boolean isRnrNak = Aeth.isRnrNak(nakDue);
        if (isRnrNak && coalescer.isDue() && credits.areCounted()) {
            // a NAK states no credits, and after it the peer might never learn of any
            acknowledge(out);
        }
        int syndrome = nakDue;
        nakDue = NO_NAK;
        coalescer.ackSent();
        sendAcknowledge(out, syndrome, nakPsn);
        if (isRnrNak) {
            credits.refused(msn);
            if (hasCreditsToReport()) {
                credits.reported();
                acknowledge(out);
            }
        }
    }

    /** Begins a response packet. */
    PacketEncoder begin(SendBuffer out, int opcode, int psn, int payload) {
        return out.encoder().begin(out.buffer(), opcode, 0, port.pkey(settings.pkeyIndex), settings.destinationQpn, psn,
                payload);
    }

    /** Sends an ACK or NAK packet. */
    private void sendAcknowledge(SendBuffer out, int syndrome, int psn) {
        begin(out, WireOpcode.ACKNOWLEDGE, psn, 0).aeth(syndrome, msn);
        wire.send(out, route);
        state.sent().packet(0);
    }

    /**
     * Refuses a READ whose memory may not be read any more with a remote access error NAK.
     *
     * @param replacesNak whether the queue pair has failed, so that nothing else is sent after this NAK
     */
    void nakRead(SendBuffer out, int psn, boolean replacesNak) {
        if (replacesNak) {
            nakDue = NO_NAK;
            coalescer.ackSent();
        }
        sendAcknowledge(out, Message.NAK_REMOTE_ACCESS_ERROR, psn);
    }
}
