package io.jverbs.soft.transport.rc;

import io.jverbs.SendFlags;
import io.jverbs.soft.congestion.CongestionWindow;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.protocol.TrafficCounter;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.Packetizer;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.Requester;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SendCompleter;
import io.jverbs.soft.transport.SendRing;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The requester of a reliable connection over the wire: sends the packets of requests and retransmits from the first
 * missing packet (go-back-N). {@link RcResponseHandler} processes the acknowledgements, NAKs and responses of the peer.
 * Guarded by the requester's lock.
 *
 * <p>
 * The {@link SendWindow} assigns PSNs and contains the next packet to send and the oldest packet that is not
 * acknowledged. Three windows limit the packets in flight: the {@link CongestionWindow} of the connection, the
 * {@link PathWindow} that all connections to an address share, and, for the responses to READs, the window of the
 * receive buffer of the wire, which all connections of the device share.
 */
final class RcRequester extends RequesterProtocol {
    /**
     * Whether packets are sent at present, and if not, what the requester waits for.
     * <pre>
     * state         entered when                                      left when
     * READY         -                                                 -
     * RNR_WAIT      an RNR NAK arrives                                the RNR timer expires, failure, RESET
     * PATH_FULL     the window of the path has no room                the next turn, which the window starts
     * READS_FULL    more responses would overflow the receive buffer  the next turn, which responses start
     * WINDOW_SMALL  the congestion window has room for few packets    the next turn, which an ACK starts
     * NO_CREDITS    the credits do not cover the next request         the next turn, which an ACK or the timer starts
     * </pre>
     * A turn is a call of {@link #execute}. It leaves all states except RNR_WAIT.
     */
    private enum SendState {
        /** Packets may be sent. */
        READY,
        /** The requester waits for the RNR timer: the peer has no receive request. */
        RNR_WAIT,
        /** The {@link PathWindow} has no room. */
        PATH_FULL,
        /** A READ waits until fewer bytes of READ responses are outstanding. */
        READS_FULL,
        /** A few packets wait for an acknowledgement that makes room for a batch. */
        WINDOW_SMALL,
        /** A request waits until the peer has a receive request for it, or the {@link CreditProbe} is due. */
        NO_CREDITS
    }

    /** The bytes of BTH and ICRC. */
    private static final int OVERHEAD = 16;

    // shared with the handler of responses
    final SendRing ring;
    final SendCompleter sendCompleter;
    final Packetizer packetizer;
    final SendWindow sendWindow;
    final CreditProbe creditProbe;
    final CongestionWindow congestionWindow = new CongestionWindow();
    final PathWindow.Share pathShare;
    /** The share of the window for READ responses, see {@link PacketNetwork#readWindow}. */
    final PathWindow.Share readShare;
    final TrafficCounter sent = new TrafficCounter();

    private final Requester requester;
    private final SoftQp qp;
    private final QpSettings settings;
    private final PacketNetwork wire;
    private final RcResponseHandler responses;
    private final RetransmitTimer timer;
    private Route route;
    private final PacketBatches batches = new PacketBatches();
    /**
     * The status of the current request if it cannot be sent, otherwise SUCCESS. The request fails when those before it
     * are complete.
     */
    private int fault;
    private SendState sendState = SendState.READY;
    /** Whether packets were sent in this turn. */
    private boolean sentThisTurn;

    RcRequester(SoftQp qp, Requester requester) {
        this.requester = requester;
        this.qp = qp;
        this.settings = qp.settings();
        this.ring = requester;
        this.sendCompleter = requester.completer();
        this.packetizer = new Packetizer(qp, ring);
        this.wire = qp.environment().wire();
        this.pathShare = new PathWindow.Share(qp);
        this.readShare = new PathWindow.Share(qp);
        this.sendWindow = new SendWindow(ring);
        this.creditProbe = new CreditProbe(qp, sendWindow);
        this.responses = new RcResponseHandler(qp, this);
        this.timer = responses.timer;
    }

    @Override
    public void route(Route to) {
        assert requester.isHeldByCurrentThread();
        route = to;
        congestionWindow.limit(settings.pathMtu, to.window().capacity());
        batches.limit(wire.maxBatch(settings.pathMtu + OVERHEAD), congestionWindow.max());
        pathShare.join(to.window(), settings.pathMtu);
        readShare.join(wire.readWindow(), settings.pathMtu);
        if (!isBusy()) {
            sendWindow.packetsPerReadRequest(batches.packetsPerReadRequest(
                    wire.readWindow().packets(settings.pathMtu), settings.maxRdAtomic));
            responses.retries.restore();
        }
    }

    @Override
    public void stop() {
        assert requester.isHeldByCurrentThread();
        timer.stop();
        pathShare.leave();
        readShare.leave();
        sendState = SendState.READY;
    }

    @Override
    public boolean takesResponses() {
        return true;
    }

    @Override
    public void leaveWindows() {
        assert requester.isHeldByCurrentThread();
        pathShare.stopWaiting();
        readShare.stopWaiting();
    }

    @Override
    public void clear() {
        assert requester.isHeldByCurrentThread();
        stop();
        timer.release();
        congestionWindow.reset();
        sendWindow.clear();
        creditProbe.clear();
        responses.clear();
        fault = WcStatusCode.SUCCESS;
    }

    @Override
    public void nextPsn(int psn) {
        assert requester.isHeldByCurrentThread();
        sendWindow.nextPsn(psn);
    }

    @Override
    public int nextPsn() {
        return sendWindow.nextPsn();
    }

    @Override
    public boolean isBusy() {
        return sendWindow.isBusy();
    }

    @Override
    public Traffic traffic() {
        return sent.sent().plus(responses.received());
    }

    @Override
    public void execute() {
        assert requester.isHeldByCurrentThread();
        if (sendState == SendState.RNR_WAIT) {
            leaveWindows();
            return;
        }
        sendState = SendState.READY;
        sentThisTurn = false;
        SendBuffer out = null;
        try {
            while (sendWindow.hasNext() && sendWindow.inFlight() < congestionWindow.size() && mayContinue()
                    && sendState == SendState.READY) {
                int at = ring.place(sendWindow.next());
                int opcode = ring.opcode(at);
                if (WrOpcodeCode.isLocal(opcode)) {
                    if (!sendWindow.isOldest() || !requester.executeLocally(at, opcode)) {
                        break;
                    }
                    sendWindow.skipped();
                    continue;
                }
                boolean isProbe = sendWindow.isBeyondCredits(opcode);
                if (isHeldBack(at, opcode) || isProbe && waitsForCredits(opcode) || !admits(congestionWindow.size())
                        || !start(at, opcode)) {
                    break;
                }
                if (out == null) {
                    out = wire.acquire();
                }
                send(out, at, opcode, isProbe);
            }
        } finally {
            if (out != null) {
                try {
                    qp.responder().acknowledgeWith(out);
                } finally {
                    wire.release(out);
                }
            }
        }
        if (out != null) {
            responses.copies.sent();
        }
        if (sendState != SendState.PATH_FULL) {
            pathShare.stopWaiting();
        }
        if (sendState != SendState.READS_FULL) {
            readShare.stopWaiting();
        }
        pathShare.settle(sendWindow.inFlight());
        if (fault != WcStatusCode.SUCCESS && sendWindow.isOldest()) {
            fail(fault);
        }
        if (isInCreditWait()) {
            timer.ensureCreditWait(sendWindow.next(), creditProbe.delay());
        } else if (sendWindow.inFlight() == 0) {
            timer.stopUnlessRepeating();
        } else if (sendState != SendState.RNR_WAIT) {
            timer.ensure(settings.timeout, responses.retries.timeouts());
        }
    }

    /** Whether the current request, which the credits do not cover, must wait. */
    private boolean waitsForCredits(int opcode) {
        if (creditProbe.waits(opcode)) {
            sendState = SendState.NO_CREDITS;
        }
        return awaitsCredits();
    }

    @Override
    public boolean awaitsCredits() {
        return sendState == SendState.NO_CREDITS;
    }

    /**
     * Whether the window of the path has room for another packet.
     *
     * @param left the maximum number of packets that would be sent now
     */
    private boolean admits(int left) {
        if (pathShare.admits(Math.min(left, congestionWindow.size() - sendWindow.inFlight()))) {
            return true;
        }
        sendState = SendState.PATH_FULL;
        return false;
    }

    private boolean mayContinue() {
        int state = qp.state();
        return fault == WcStatusCode.SUCCESS
                && (state == QpStateCode.RTS || state == QpStateCode.SQD && sendWindow.isStarted());
    }

    /** Whether a request, or the next request packet of a READ, waits for responses to READs and atomics before it. */
    private boolean isHeldBack(int at, int opcode) {
        if (opcode == WrOpcodeCode.RDMA_READ && !readShare.mayRequest()) {
            sendState = SendState.READS_FULL;
            return true;
        }
        return sendWindow.outstandingReads() != 0
                && (sendWindow.sent() == 0 && (ring.flags(at) & SendFlags.FENCE) != 0
                        || WrOpcodeCode.isReadOrAtomic(opcode)
                                && sendWindow.outstandingReads() >= settings.maxRdAtomic);
    }

    /** Looks up the memory of a request and assigns PSNs, unless it has them. Returns false if it cannot be sent. */
    private boolean start(int at, int opcode) {
        long length = Packetizer.length(ring, at);
        boolean tooLong = length > qp.environment().maxMessage()
                || WrOpcodeCode.isAtomic(opcode) && length != Long.BYTES;
        int status = tooLong ? WcStatusCode.LOC_LEN_ERR : packetizer.load(at, opcode);
        if (status != WcStatusCode.SUCCESS && (tooLong || !WrOpcodeCode.isReadOrAtomic(opcode))) {
            fault = status;
            return false;
        }
        sendWindow.start(WrOpcodeCode.isAtomic(opcode) ? 1 : Message.packets(length, settings.pathMtu), opcode);
        return true;
    }

    /**
     * Sends packets of the current request while the windows have room.
     *
     * @param isProbe whether the credits do not cover it; then its first packet is sent alone
     */
    private void send(SendBuffer out, int at, int opcode, boolean isProbe) {
        long position = sendWindow.next();
        if (WrOpcodeCode.isReadOrAtomic(opcode)) {
            sendRead(out, opcode, isProbe);
            return;
        }
        int packets = sendWindow.packets(position);
        // a probe that is due may be the last packet
        int end = isProbe ? Math.max(creditProbe.end(opcode, packets), sendWindow.sent() + 1) : packets;
        while (sendWindow.next() == position && sendWindow.sent() < end
                && sendWindow.inFlight() < congestionWindow.size() && !shouldWait(out, packets)
                && admits(packets - sendWindow.sent())) {
            int index = sendWindow.sent();
            boolean ack = index == end - 1 || isLastBeforeWait() || batches.requestsAck(index);
            int status = packetizer.write(out, WireOpcode.RC, index, packets, sendWindow.psn(), ack);
            if (status != WcStatusCode.SUCCESS) {
                fault = status;
                return;
            }
            wire.send(out, route);
            sent.packet(Math.min(settings.pathMtu, packetizer.length() - (long) index * settings.pathMtu));
            pathShare.sent();
            if (isProbe) {
                creditProbe.sent(sendWindow.psn(), opcode, index, packets);
            }
            sendWindow.packetSent();
            sentThisTurn = true;
            if (ack) {
                timer.sent(Psns.add(sendWindow.psn(), -1), false);
            }
        }
    }

    /** Whether sending waits, because the window has room for less than a batch. */
    private boolean shouldWait(SendBuffer out, int packets) {
        if (batches.isWorthWaiting(congestionWindow.size(), sendWindow.inFlight(), packets - sendWindow.sent())
                && !(batches.areSentTogether() ? out.isBegun() : sentThisTurn)) {
            sendState = SendState.WINDOW_SMALL;
            return true;
        }
        return false;
    }

    /** Whether no packet can be sent after the next one until an acknowledgement arrives. */
    private boolean isLastBeforeWait() {
        return sendWindow.inFlight() + 1 == congestionWindow.size() || pathShare.isLast();
    }

    private void sendRead(SendBuffer out, int opcode, boolean isProbe) {
        int psn = sendWindow.psn();
        if (WrOpcodeCode.isAtomic(opcode)) {
            packetizer.writeAtomic(out, psn);
            sendWindow.atomicSent();
        } else {
            int from = sendWindow.sent();
            int to = sendWindow.readRequestEnd();
            if (!readShare.admitsAll(to - from)) {
                sendState = SendState.READS_FULL;
                return;
            }
            packetizer.writeReadRequest(out, psn, from, to);
            sendWindow.readRequestSent();
        }
        wire.send(out, route);
        sent.packet(0);
        pathShare.sent();
        if (isProbe) {
            creditProbe.sent(psn, opcode, 0, 1);
        }
        timer.sent(psn, true);
    }

    /** Makes an earlier packet the next one to send. The fault of a later request is detected again when it is sent. */
    void goBackTo(int psn) {
        assert requester.isHeldByCurrentThread();
        fault = WcStatusCode.SUCCESS;
        sendWindow.goBackTo(psn);
        timer.roundTrip().retransmitted(sendWindow.sentEnd());
        // its packets do not count any more: otherwise the path could refuse all of them, and none would end the wait
        pathShare.settle(0);
        readShare.settle(0);
        creditProbe.repeats();
    }

    /** Fails the oldest request with a completion status. */
    void fail(int status) {
        assert requester.isHeldByCurrentThread();
        int at = ring.oldest();
        sendCompleter.fail(at, ring.opcode(at), status);
        sendWindow.failed();
        fault = WcStatusCode.SUCCESS;
        stop();
    }

    @Override
    public void receive(PacketView packet) {
        assert requester.isHeldByCurrentThread();
        responses.receive(packet);
    }

    /** Goes back to a PSN, and sends nothing until a time has passed, because the peer has no receive request. */
    void startRnrWait(int psn, long nanos) {
        goBackTo(psn);
        creditProbe.rejected();
        sendState = SendState.RNR_WAIT;
        timer.startRnrWait(nanos);
    }

    /** Ends the wait, because the RNR timer has expired. */
    void endRnrWait() {
        sendState = SendState.READY;
    }

    /** Whether the requester waits for credits, and no acknowledgement or ACK timeout could end the wait. */
    boolean isInCreditWait() {
        return sendState == SendState.NO_CREDITS && (sendWindow.inFlight() == 0 || settings.timeout == 0);
    }

    /** Whether the requester waits for the RNR timer. */
    boolean isInRnrWait() {
        return sendState == SendState.RNR_WAIT;
    }
}
