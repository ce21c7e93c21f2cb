package io.jverbs.soft.transport.rc;

import io.jverbs.soft.congestion.CongestionWindow;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.congestion.RoundTripTime;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Packetizer;
import io.jverbs.soft.transport.SendCompleter;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.connection.RetryCounters;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The part of a reliable connection's requester that processes what the peer sends back: acknowledgements, NAKs, and
 * the responses to READs and atomics. It completes requests. If a packet is missing, the peer has no receive request,
 * or no response arrives in time, it makes the {@link RcRequester} retransmit. Guarded by the requester's lock.
 */
final class RcResponseHandler {
    private static final int NONE = -1;

    // shared with the sending part
    final RetransmitTimer timer;
    final RetryCounters retries;
    final AdaptiveCopies copies;

    private final SoftQp qp;
    private final RcRequester requester;
    private final SendRing ring;
    private final SendCompleter sendCompleter;
    private final SendWindow sendWindow;
    private final CreditProbe creditProbe;
    private final CongestionWindow congestionWindow;
    private final PathWindow.Share pathShare;
    private final PathWindow.Share readShare;
    private final PendingResponse pendingResponse;
    private final TrafficCounter sent;
    private final TrafficCounter received = new TrafficCounter();
    /** The PSN of the latest RNR NAK, or {@link #NONE} after progress. */
    private int rnrPsn = NONE;

    RcResponseHandler(SoftQp qp, RcRequester requester) {
        this.qp = qp;
        this.requester = requester;
        this.ring = requester.ring;
        this.sendCompleter = requester.sendCompleter;
        this.sendWindow = requester.sendWindow;
        this.creditProbe = requester.creditProbe;
        this.congestionWindow = requester.congestionWindow;
        this.pathShare = requester.pathShare;
        this.readShare = requester.readShare;
        this.sent = requester.sent;
        this.pendingResponse = new PendingResponse(qp, requester.packetizer);
        this.timer = new RetransmitTimer(qp, this::timeout, this::adaptiveTimeout);
        this.retries = new RetryCounters(qp.settings());
        this.copies = new AdaptiveCopies(sendWindow, congestionWindow);
    }

    void clear() {
        assert qp.requester().isHeldByCurrentThread();
        pendingResponse.clear();
        rnrPsn = NONE;
        copies.clear();
        retries.restore();
    }

    /** The counters of received packets. */
    Traffic received() {
        return received.received();
    }

    /** Processes a packet, and counts it. */
    void receive(PacketView packet) {
        assert qp.requester().isHeldByCurrentThread();
        int state = qp.state();
        boolean expected = (state == QpStateCode.RTS || state == QpStateCode.SQD)
                && switch (WireOpcode.kind(packet.opcode())) {
                    case WireOpcode.KIND_ACKNOWLEDGE -> acknowledge(packet);
                    case WireOpcode.KIND_READ_RESPONSE -> readResponse(packet);
                    case WireOpcode.KIND_ATOMIC_ACKNOWLEDGE -> atomicResponse(packet);
                    // the port passes no other packets
                    default -> false;
                };
        if (expected) {
            received.packet(packet.payloadLength());
        } else {
            qp.count(Counter.UNEXPECTED_RESPONSE);
        }
        if (sendWindow.inFlight() == 0) {
            timer.stopAckTimeout();
        }
        pathShare.settle(sendWindow.inFlight());
    }

    /**
     * Processes an ACK or NAK. Returns false if its PSN is not that of a packet in flight, unless it has new credits.
     */
    private boolean acknowledge(PacketView packet) {
        int psn = packet.psn();
        if (!sendWindow.isInFlight(psn)) {
            return takeReportedCredits(packet);
        }
        int syndrome = packet.syndrome();
        if (Aeth.isAck(syndrome)) {
            complete(Psns.add(psn, 1));
            takeCredits(packet);
        } else if (completeBefore(psn)) {
            processNak(psn, syndrome);
        } else if (Aeth.isRnrNak(syndrome) || syndrome == Message.NAK_PSN_SEQUENCE_ERROR
                || !sendWindow.isOfOldest(psn)) {
            requestResponseAgain();
        } else {
            // the rest of the response will not arrive
            failOldest(syndrome);
        }
        return true;
    }

    /** Takes the credits of a response in sequence, after requests before it were completed. */
    private void takeCredits(PacketView packet) {
        int syndrome = packet.syndrome();
        if (syndrome == Aeth.ACK) {
            sendWindow.removeCreditLimit();
        } else if (!Aeth.isAck(syndrome)) {
            return;
        } else if (!sendWindow.isPlausible(packet.msn())) {
            qp.count(Counter.INVALID_MSN);
        } else if (sendWindow.addCredits(packet.msn(), Aeth.credits(syndrome))) {
            creditProbe.creditsArrived();
        }
        creditProbe.acknowledged(sendWindow.unacknowledged());
    }

    /**
     * Takes the credits of an unsolicited ACK, whose PSN is not later than that of the latest ACK. Returns false if it
     * has no new ones. It neither sets a limit nor removes it.
     */
    private boolean takeReportedCredits(PacketView packet) {
        int syndrome = packet.syndrome();
        boolean isNew = sendWindow.hasCreditLimit() && Aeth.isAck(syndrome) && syndrome != Aeth.ACK
                && Psns.difference(packet.psn(), sendWindow.unacknowledged()) < 0
                && sendWindow.isPlausible(packet.msn())
                && sendWindow.addCredits(packet.msn(), Aeth.credits(syndrome));
        if (isNew && (requester.isInCreditWait() || requester.isInRnrWait())) {
            creditProbe.creditsReported();
        } else if (isNew) {
            creditProbe.creditsArrived();
        }
        return isNew;
    }

    private void processNak(int psn, int syndrome) {
        if (Aeth.isRnrNak(syndrome)) {
            receivedRnrNak(psn, Aeth.rnrTimer(syndrome));
        } else if (syndrome == Message.NAK_PSN_SEQUENCE_ERROR) {
            sequenceError(psn);
        } else {
            failOldest(syndrome);
        }
    }

    /** Processes an RNR NAK. */
    private void receivedRnrNak(int psn, int code) {
        qp.count(Counter.RECEIVED_RNR);
        boolean isOfCopy = copies.rnrNak(psn == rnrPsn);
        if (requester.isInRnrWait() && psn == rnrPsn) {
            // a duplicate, or the NAK for a packet that was sent twice
            return;
        }
        if (!isOfCopy && !retries.useRnrRetry()) {
            qp.count(Counter.RNR_RETRY_EXCEEDED);
            requester.fail(WcStatusCode.RNR_RETRY_EXC_ERR);
            return;
        }
        long nanos = Timers.Codes.rnrNanos(code);
        Journal.rnrWait(qp, nanos, retries.rnrLeft());
        rnrPsn = psn;
        requester.startRnrWait(psn, nanos);
    }

    /**
     * Processes a PSN sequence error NAK. Linux's rxe also sends one for packets that were in flight behind a request
     * that received an RNR NAK. Then no packet was lost: the RNR wait continues, and no retry is used up.
     */
    private void sequenceError(int psn) {
        qp.count(Counter.RECEIVED_SEQUENCE_NAK);
        if (psn != rnrPsn) {
            timer.nakReceived();
            congestionWindow.lost();
            pathShare.lost();
            retryFrom(psn, "the peer reported a missing packet");
        } else if (!requester.isInRnrWait()) {
            requester.goBackTo(psn);
        }
    }

    private void failOldest(int syndrome) {
        if (!sendWindow.isBusy()) {
            return;
        }
        requester.fail(switch (syndrome) {
            case Message.NAK_INVALID_REQUEST -> WcStatusCode.REM_INV_REQ_ERR;
            case Message.NAK_REMOTE_ACCESS_ERROR -> WcStatusCode.REM_ACCESS_ERR;
            default -> WcStatusCode.REM_OP_ERR;
        });
    }

    /** As {@link #completeBefore}; if response packets are missing, requests them again. */
    private boolean complete(int psn) {
        boolean whole = completeBefore(psn);
        if (!whole) {
            requestResponseAgain();
        }
        return whole;
    }

    /**
     * Records that all PSNs before a PSN are acknowledged, and completes their requests. Stops at a READ or atomic
     * whose response has not arrived completely, and returns false if response packets before the PSN are missing.
     */
    private boolean completeBefore(int psn) {
        copies.acknowledged(psn);
        boolean whole = true;
        while (whole && sendWindow.isOldestBefore(psn)) {
            long position = ring.first();
            boolean read = WrOpcodeCode.isReadOrAtomic(ring.opcode(ring.place(position)));
            whole = !read || pendingResponse.packets() == sendWindow.packets(position);
            if (whole) {
                succeed(position, read);
            }
        }
        int upTo = psn;
        if (sendWindow.isOldestRead()) {
            int missing = Psns.add(sendWindow.firstPsn(ring.first()), pendingResponse.packets());
            whole = Psns.difference(psn, missing) <= 0;
            upTo = whole ? psn : missing;
        }
        int moved = sendWindow.acknowledge(upTo);
        if (moved > 0) {
            progressed(moved);
        }
        return whole;
    }

    private void succeed(long position, boolean read) {
        int at = ring.place(position);
        long bytes = read ? Packetizer.length(ring, at) : 0;
        if (read) {
            pendingResponse.clear();
        }
        sent.message();
        sendCompleter.succeed(at, ring.opcode(at), (int) bytes);
        sendWindow.completed(position);
    }

    private void progressed(int packets) {
        congestionWindow.acknowledged(packets);
        rnrPsn = NONE;
        copies.progressed();
        pathShare.acknowledged(packets);
        retries.restore();
        long roundTrip = timer.acknowledged(sendWindow.unacknowledged());
        if (roundTrip != RoundTripTime.NONE && !timer.roundTrip().isOfRead()) {
            // the window for READ responses is that of all peers, whose times differ
            pathShare.roundTrip(roundTrip, timer.roundTrip().measuredAt());
        }
    }

    /** Processes a READ response packet. Returns false if it is not the next one. */
    private boolean readResponse(PacketView packet) {
        long position = sendWindow.oldestRead();
        if (position == SendWindow.NONE || !sendWindow.isInFlight(packet.psn())) {
            return false;
        }
        int first = sendWindow.firstPsn(position);
        int ahead = Psns.difference(packet.psn(), Psns.add(first, pendingResponse.packets()));
        if (ahead > 0) {
            requestResponseAgain();
        }
        int at = ring.place(position);
        if (ahead != 0 || ring.opcode(at) != WrOpcodeCode.RDMA_READ || !complete(first)) {
            return false;
        }
        int status = pendingResponse.takeRead(at, packet,
                sendWindow.endsReadRequest(position, pendingResponse.packets() + 1));
        boolean stored = responseStored(position, status, Psns.add(first, pendingResponse.packets()));
        if (stored && (WireOpcode.isFirst(packet.opcode()) || WireOpcode.isLast(packet.opcode()))) {
            takeCredits(packet);
        }
        return stored;
    }

    /** Processes an atomic response. Returns false if it is not the next one. */
    private boolean atomicResponse(PacketView packet) {
        long position = sendWindow.oldestRead();
        if (position == SendWindow.NONE || !sendWindow.isInFlight(packet.psn())) {
            return false;
        }
        int first = sendWindow.firstPsn(position);
        int ahead = Psns.difference(packet.psn(), first);
        if (ahead > 0) {
            requestResponseAgain();
        }
        int at = ring.place(position);
        if (ahead != 0 || !WrOpcodeCode.isAtomic(ring.opcode(at)) || !complete(first)) {
            return false;
        }
        boolean stored = responseStored(position, pendingResponse.takeAtomic(at, ring.opcode(at), packet),
                Psns.add(first, 1));
        if (stored) {
            takeCredits(packet);
        }
        return stored;
    }

    /**
     * Records that a response packet was stored, and completes what precedes a PSN.
     *
     * @param status the status of storing it; if it is not SUCCESS, the request fails and the result is false
     */
    private boolean responseStored(long position, int status, int psn) {
        if (status != WcStatusCode.SUCCESS) {
            requester.fail(status);
            return false;
        }
        readShare.acknowledged(1);
        if (sendWindow.responseArrived(position, pendingResponse.packets())) {
            readShare.settle(sendWindow.outstandingResponses());
        }
        complete(psn);
        return true;
    }

    /**
     * Requests the missing rest of the response to the oldest READ or atomic again. Does nothing if it was already
     * requested from the same PSN since the last timeout.
     */
    private void requestResponseAgain() {
        long position = sendWindow.oldestRead();
        if (position == SendWindow.NONE) {
            return;
        }
        int missing = missingResponse(position);
        if (pendingResponse.markRequestedFrom(missing)) {
            congestionWindow.lost();
            readShare.lost();
            retryFrom(missing, "a response packet is missing");
        }
    }

    private int missingResponse(long position) {
        return Psns.add(sendWindow.firstPsn(position), pendingResponse.packets());
    }

    /**
     * Records that the missing rest of the response to the oldest READ or atomic is requested again anyway, so that
     * packets of the former response, which may still arrive, do not use up a retry.
     */
    private void markResponseRequested() {
        long position = sendWindow.oldestRead();
        if (position != SendWindow.NONE) {
            pendingResponse.markRequestedFrom(missingResponse(position));
        }
    }

    /** Uses up a retry and goes back to a PSN, or fails the oldest request if no retry is left. */
    private void retryFrom(int psn, String reason) {
        if (!retries.useRetry()) {
            qp.count(Counter.RETRY_EXCEEDED);
            requester.fail(WcStatusCode.RETRY_EXC_ERR);
            return;
        }
        qp.count(Counter.RETRANSMISSION);
        Journal.retransmission(qp, reason, psn, retries.retriesLeft());
        requester.goBackTo(psn);
        timer.progress();
    }

    /**
     * Called when the adaptive time has passed: sends again from the oldest packet that is not acknowledged. This uses
     * up no retry, because the ACK timeout has not passed.
     */
    private void adaptiveTimeout() {
        assert qp.requester().isHeldByCurrentThread();
        int state = qp.state();
        if ((state == QpStateCode.RTS || state == QpStateCode.SQD) && sendWindow.isBusy()) {
            qp.count(Counter.ADAPTIVE_RETRANSMISSION);
            qp.count(Counter.RETRANSMISSION);
            int psn = sendWindow.unacknowledged();
            Journal.retransmission(qp, "no response in the adaptive time", psn, retries.retriesLeft());
            copies.adaptiveTimeout();
            markResponseRequested();
            requester.goBackTo(psn);
            qp.requester().advance();
        }
    }

    /** Called when the RNR wait, the wait for credits or the ACK timeout has expired. */
    private void timeout() {
        assert qp.requester().isHeldByCurrentThread();
        int state = qp.state();
        if (state != QpStateCode.RTS && state != QpStateCode.SQD) {
            return;
        }
        if (requester.isInRnrWait()) {
            requester.endRnrWait();
        } else if (requester.isInCreditWait()) {
            creditProbe.permit();
        } else if (sendWindow.isBusy()) {
            if (retries.retriesLeft() != 0) {
                qp.count(Counter.ACK_TIMEOUT);
            }
            retries.timedOut();
            copies.timedOut();
            pathShare.exempt();
            readShare.exempt();
            pendingResponse.permitRepeat();
            retryFrom(sendWindow.unacknowledged(), "no response in time");
        }
        qp.requester().advance();
    }
}
