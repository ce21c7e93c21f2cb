package io.jverbs.soft.transport;

import io.jverbs.SendFlags;
import io.jverbs.soft.journal.Journal;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The requester of a reliable connection over the wire: a window of packets under way, acknowledged in order, sent again from
 * where one is missing. Requests have PSNs when they are begun; {@code next} and {@code sent} say which packet leaves next, and
 * go back when packets must be sent again. Guarded by the requester's lock.
 */
final class Flight {
    private static final int NONE = -1;
    private static final int UNLIMITED_RNR = 7;
    /** A packet in so many asks for an acknowledgement, at most; where many leave with one call, one in two calls. */
    private static final int ACK_EVERY = 16;
    /** BTH and ICRC. */
    private static final int OVERHEAD = 16;

    private final Requester requester;
    private final SoftQp qp;
    private final Settings settings;
    private final SendRing ring;
    private final Packetizer packetizer;
    private final Wire wire;
    private final Window window = new Window();
    private final SharedWindow.Share share;
    private final FlightTimer timer;
    private final Sequence sequence;
    private final Answer answer;
    private final Tally sent = new Tally();
    private final Tally received = new Tally();
    private Route route;
    /** Many packets leave with one call. */
    private boolean inPieces;
    /** How many packets are worth waiting for. */
    private int group = 1;
    /** How many there are from one that asks for an acknowledgement to the next. */
    private int ackEvery = ACK_EVERY;
    /** The request that cannot be sent fails when those before it are done. */
    private int fault;
    private int retriesLeft;
    private int rnrLeft;
    /** How often time was over since the last progress. */
    private int silences;
    private boolean waitsForReceiver;
    /** The request for which the receiver was not ready, until there is progress. */
    private int notReadyPsn = NONE;
    /** There was no room left in the shared window. */
    private boolean starved;
    /** There will be room for many packets. */
    private boolean waitsForRoom;
    /** Packets have left in this turn. */
    private boolean begun;

    Flight(SoftQp qp, Requester requester, SendRing ring, Wire wire) {
        this.requester = requester;
        this.qp = qp;
        this.settings = qp.settings;
        this.ring = ring;
        this.packetizer = new Packetizer(qp, ring);
        this.wire = wire;
        this.share = new SharedWindow.Share(qp);
        this.timer = new FlightTimer(qp, this::timeout);
        this.sequence = new Sequence(ring);
        this.answer = new Answer(settings, packetizer);
    }

    /** Takes over the way to the peer, and settings that stay the same from request to request. */
    void route(Route to) {
        route = to;
        int together = wire.together(settings.pathMtu + OVERHEAD);
        inPieces = together > 1;
        window.limit(settings.pathMtu, to.window().capacity());
        // one half of the window is acknowledged while the other is under way
        group = inPieces ? together : Math.clamp(window.most() / 2, 1, ACK_EVERY);
        ackEvery = inPieces ? Math.max(ACK_EVERY, 2 * group) : group;
        share.join(to.window(), settings.pathMtu);
        if (!isBusy()) {
            restoreRetries();
        }
    }

    void stop() {
        timer.stop();
        share.leave();
        waitsForReceiver = false;
    }

    /** There is nothing to send for now. */
    void stopWaiting() {
        share.stopWaiting();
    }

    void clear() {
        stop();
        timer.release();
        window.reset();
        sequence.clear();
        answer.clear();
        fault = WcStatusCode.SUCCESS;
        notReadyPsn = NONE;
        restoreRetries();
    }

    void nextPsn(int psn) {
        sequence.nextPsn(psn);
    }

    int nextPsn() {
        return sequence.nextPsn();
    }

    /** Whether the oldest request has begun. */
    boolean isBusy() {
        return sequence.isBusy();
    }

    Traffic traffic() {
        return sent.sent().plus(received.received());
    }

    private void restoreRetries() {
        retriesLeft = settings.retryCount;
        rnrLeft = settings.rnrRetry;
        silences = 0;
    }

    /** Sends what the windows and the state allow. */
    void advance() {
        if (waitsForReceiver) {
            share.stopWaiting();
            return;
        }
        starved = false;
        waitsForRoom = false;
        begun = false;
        Outgoing out = null;
        try {
            while (sequence.hasNext() && sequence.underWay() < window.size() && mayGoOn() && !starved
                    && !waitsForRoom) {
                int at = ring.place(sequence.next());
                int opcode = ring.opcode(at);
                if (Opcode.isLocal(opcode)) {
                    if (!sequence.isOldest() || !requester.executeLocally(at, opcode)) {
                        break;
                    }
                    sequence.skipped();
                    continue;
                }
                if (isHeldBack(at, opcode) || !admits(window.size()) || !begin(at, opcode)) {
                    break;
                }
                if (out == null) {
                    out = wire.acquire();
                }
                send(out, at, opcode);
            }
        } finally {
            if (out != null) {
                qp.responder.acknowledgeWith(out);
                wire.release(out);
            }
        }
        if (!starved) {
            share.stopWaiting();
        }
        share.settle(sequence.underWay());
        failIfOldest();
        if (sequence.underWay() == 0) {
            timer.stop();
        } else if (!waitsForReceiver) {
            timer.ensure(settings.timeout, silences);
        }
    }

    /** Whether there is room for one packet more, of a request that has some left. */
    private boolean admits(int left) {
        starved = !share.admits(Math.min(left, window.size() - sequence.underWay()));
        return !starved;
    }

    private boolean mayGoOn() {
        int state = qp.state();
        return fault == WcStatusCode.SUCCESS
                && (state == State.RTS || state == State.SQD && sequence.hasBegun());
    }

    /** Whether a request waits for the answers of READs and atomics before it. */
    private boolean isHeldBack(int at, int opcode) {
        return sequence.reads() != 0 && sequence.sent() == 0 && ((ring.flags(at) & SendFlags.FENCE) != 0
                || Opcode.isResponding(opcode) && sequence.reads() >= settings.maxRdAtomic);
    }

    /** Looks the request's memory up and gives it PSNs if it has none; false if it cannot be sent. */
    private boolean begin(int at, int opcode) {
        long length = Packetizer.length(ring, at);
        boolean tooLong = length > qp.around.maxMessage() || Opcode.isAtomic(opcode) && length != Long.BYTES;
        int status = tooLong ? WcStatusCode.LOC_LEN_ERR : packetizer.load(at, opcode);
        if (status != WcStatusCode.SUCCESS && (tooLong || !Opcode.isResponding(opcode))) {
            fault = status;
            return false;
        }
        sequence.begin(Opcode.isAtomic(opcode) ? 1 : Message.packets(length, settings.pathMtu));
        return true;
    }

    /** Sends packets of the request at hand while the windows are open. */
    private void send(Outgoing out, int at, int opcode) {
        long position = sequence.next();
        if (Opcode.isResponding(opcode)) {
            sendRead(out, opcode, sequence.firstPsn(position));
            return;
        }
        int packets = sequence.packets(position);
        while (sequence.next() == position && sequence.underWay() < window.size() && !isWorthWaiting(out, packets)
                && admits(packets - sequence.sent())) {
            int index = sequence.sent();
            boolean ack = index == packets - 1 || isLastForNow() || index % ackEvery == ackEvery - 1;
            int status = packetizer.write(out, WireOpcode.RC, index, packets, sequence.psn(), ack);
            if (status != WcStatusCode.SUCCESS) {
                fault = status;
                return;
            }
            wire.send(out, route);
            sent.packet(Math.min(settings.pathMtu, packetizer.length() - (long) index * settings.pathMtu));
            share.sent();
            sequence.packetSent();
            begun = true;
        }
    }

    /**
     * Whether a few packets should wait for the acknowledgement, which is asked for, that makes them many: for one call, or at least
     * for one acknowledgement.
     */
    private boolean isWorthWaiting(Outgoing out, int packets) {
        int room = window.size() - sequence.underWay();
        int enough = Math.min(group, window.size() / 2);
        waitsForRoom = room < enough && room < packets - sequence.sent() && sequence.underWay() >= ackEvery
                && !(inPieces ? out.isBegun() : begun);
        return waitsForRoom;
    }

    private boolean isLastForNow() {
        return sequence.underWay() + 1 == window.size() || share.isLast();
    }

    private void sendRead(Outgoing out, int opcode, int psn) {
        if (Opcode.isAtomic(opcode)) {
            packetizer.writeAtomic(out, psn);
        } else {
            // of the oldest one, a part may have come already
            int from = sequence.reads() == 0 ? answer.packets() : 0;
            packetizer.writeReadRequest(out, Psns.add(psn, from), from);
        }
        wire.send(out, route);
        sent.packet(0);
        share.sent();
        sequence.readSent();
    }

    /** The request that could not be sent is not the next one any more: it is found again when it is. */
    private void goBackTo(int psn) {
        fault = WcStatusCode.SUCCESS;
        sequence.goBackTo(psn);
    }

    /** Fails the request that cannot be sent once it is the oldest. */
    private void failIfOldest() {
        if (fault != WcStatusCode.SUCCESS && sequence.isOldest()) {
            int status = fault;
            fault = WcStatusCode.SUCCESS;
            fail(status);
        }
    }

    private void fail(int status) {
        int at = ring.oldest();
        requester.fail(at, ring.opcode(at), status);
        sequence.failed();
        stop();
    }

    /** Takes an answer. */
    void receive(PacketView packet) {
        int state = qp.state();
        boolean expected = (state == State.RTS || state == State.SQD) && isBusy()
                && switch (WireOpcode.kind(packet.opcode())) {
                    case WireOpcode.KIND_ACKNOWLEDGE -> acknowledge(packet);
                    case WireOpcode.KIND_READ_RESPONSE -> readResponse(packet);
                    case WireOpcode.KIND_ATOMIC_ACKNOWLEDGE -> atomicAnswer(packet);
                    // the port hands nothing else here
                    default -> false;
                };
        if (expected) {
            received.packet(packet.payloadLength());
        } else {
            qp.count(Counter.UNEXPECTED_RESPONSE);
        }
        if (sequence.underWay() == 0 && !waitsForReceiver) {
            timer.stop();
        }
        share.settle(sequence.underWay());
    }

    /** Takes an ACK or NAK; whether it was one of a packet under way. */
    private boolean acknowledge(PacketView packet) {
        int psn = packet.psn();
        if (!sequence.isUnderWay(psn)) {
            return false;
        }
        int syndrome = packet.syndrome();
        if (Aeth.isAck(syndrome)) {
            complete(Psns.add(psn, 1));
        } else if (complete(psn)) {
            refused(psn, syndrome);
        }
        return true;
    }

    private void refused(int psn, int syndrome) {
        if (Aeth.isRnrNak(syndrome)) {
            notReady(psn, Aeth.rnrTimer(syndrome));
        } else if (syndrome == Message.NAK_SEQUENCE) {
            missing(psn);
        } else {
            failOldest(syndrome);
        }
    }

    /**
     * The peer has a gap in the sequence. Linux' rxe also says so of packets that were under way behind one that it was not ready
     * for: then nothing was lost, the pause is not over, and no retry is used up.
     */
    private void missing(int psn) {
        qp.count(Counter.RECEIVED_SEQUENCE_NAK);
        if (psn != notReadyPsn) {
            window.lost();
            share.lost();
            retryFrom(psn, "the peer misses a packet");
        } else if (!waitsForReceiver) {
            goBackTo(psn);
        }
    }

    private void failOldest(int syndrome) {
        if (!isBusy()) {
            return;
        }
        fail(switch (syndrome) {
            case Message.NAK_INVALID -> WcStatusCode.REM_INV_REQ_ERR;
            case Message.NAK_ACCESS -> WcStatusCode.REM_ACCESS_ERR;
            default -> WcStatusCode.REM_OP_ERR;
        });
    }

    /**
     * Takes all PSNs before one as acknowledged and completes their requests; false if the answer to a READ among them is
     * missing, which is asked for again.
     */
    private boolean complete(int psn) {
        boolean whole = true;
        while (whole && sequence.isOldestBefore(psn)) {
            long position = ring.first();
            boolean read = Opcode.isResponding(ring.opcode(ring.place(position)));
            whole = !read || answer.packets() == sequence.packets(position);
            if (whole) {
                succeed(position, read);
            }
        }
        boolean ahead = Psns.difference(psn, sequence.unacknowledged()) > 0;
        int moved = sequence.acknowledge(whole ? psn : Psns.add(sequence.firstPsn(ring.first()), answer.packets()));
        if (moved > 0) {
            progressed(moved);
        }
        if (!whole && ahead) {
            askAgain();
        }
        return whole;
    }

    private void succeed(long position, boolean read) {
        int at = ring.place(position);
        long bytes = read ? Packetizer.length(ring, at) : 0;
        if (read) {
            answer.clear();
        }
        sent.message();
        requester.succeed(at, ring.opcode(at), (int) bytes);
        sequence.completed(position, read);
    }

    private void progressed(int packets) {
        window.acknowledged(packets);
        notReadyPsn = NONE;
        share.acknowledged(packets);
        restoreRetries();
        timer.progress();
    }

    /** Takes a packet of the answer to a READ; whether it is the next one. */
    private boolean readResponse(PacketView packet) {
        long position = sequence.oldestRead();
        if (position == Sequence.NONE || !sequence.isUnderWay(packet.psn())) {
            return false;
        }
        int first = sequence.firstPsn(position);
        int ahead = Psns.difference(packet.psn(), Psns.add(first, answer.packets()));
        if (ahead > 0) {
            askAgain();
        }
        int at = ring.place(position);
        if (ahead != 0 || ring.opcode(at) != Opcode.RDMA_READ || !complete(first)) {
            return false;
        }
        int status = answer.takeRead(at, packet, answer.packets() == sequence.packets(position) - 1);
        return taken(status, Psns.add(first, answer.packets()));
    }

    /** Takes the answer to an atomic; whether it is the next one. */
    private boolean atomicAnswer(PacketView packet) {
        long position = sequence.oldestRead();
        if (position == Sequence.NONE || !sequence.isUnderWay(packet.psn())) {
            return false;
        }
        int first = sequence.firstPsn(position);
        int ahead = Psns.difference(packet.psn(), first);
        if (ahead > 0) {
            askAgain();
        }
        int at = ring.place(position);
        if (ahead != 0 || !Opcode.isAtomic(ring.opcode(at)) || !complete(first)) {
            return false;
        }
        return taken(answer.takeAtomic(at, ring.opcode(at), packet), Psns.add(first, 1));
    }

    private boolean taken(int status, int psn) {
        if (status != WcStatusCode.SUCCESS) {
            fail(status);
            return false;
        }
        complete(psn);
        return true;
    }

    /** Asks for the answer of the oldest READ again, from what is missing; once for each gap. */
    private void askAgain() {
        long position = sequence.oldestRead();
        if (position == Sequence.NONE) {
            return;
        }
        int missing = Psns.add(sequence.firstPsn(position), answer.packets());
        if (answer.asksFrom(missing)) {
            window.lost();
            share.lost();
            retryFrom(missing, "an answer is missing");
        }
    }

    /** Uses up a retry and goes back. */
    private void retryFrom(int psn, String reason) {
        if (retriesLeft == 0) {
            qp.count(Counter.RETRY_EXCEEDED);
            fail(WcStatusCode.RETRY_EXC_ERR);
            return;
        }
        retriesLeft--;
        qp.count(Counter.RETRANSMISSION);
        Journal.retransmission(qp, reason, psn, retriesLeft);
        goBackTo(psn);
        timer.progress();
    }

    private void notReady(int psn, int code) {
        qp.count(Counter.RECEIVED_RNR);
        if (waitsForReceiver && psn == notReadyPsn) {
            // the same one twice, or for a packet that was sent twice
            return;
        }
        if (rnrLeft == 0) {
            qp.count(Counter.RNR_RETRY_EXCEEDED);
            fail(WcStatusCode.RNR_RETRY_EXC_ERR);
            return;
        }
        if (rnrLeft != UNLIMITED_RNR) {
            rnrLeft--;
        }
        Journal.rnrWait(qp, Timers.Codes.rnrNanos(code), rnrLeft);
        goBackTo(psn);
        notReadyPsn = psn;
        waitsForReceiver = true;
        timer.start(Timers.Codes.rnrNanos(code));
    }

    /** Time is over: for the receiver to get ready, or for an acknowledgement to come. */
    private void timeout() {
        int state = qp.state();
        if (state != State.RTS && state != State.SQD) {
            return;
        }
        if (waitsForReceiver) {
            waitsForReceiver = false;
        } else if (isBusy()) {
            if (retriesLeft != 0) {
                qp.count(Counter.ACK_TIMEOUT);
            }
            silences++;
            window.silent();
            share.exempt();
            answer.mayAskAgain();
            retryFrom(sequence.unacknowledged(), "no answer in time");
        }
        requester.advance();
    }
}
