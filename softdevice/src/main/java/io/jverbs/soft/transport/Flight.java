package io.jverbs.soft.transport;

import io.jverbs.SendFlags;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.SgeList;
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
    /** A packet in so many asks for an acknowledgement. */
    private static final int ACK_EVERY = 16;

    private final Requester requester;
    private final SoftQp qp;
    private final Settings settings;
    private final SendRing ring;
    private final Packetizer packetizer;
    private final Wire wire;
    private final Window window = new Window();
    private final SharedWindow.Share share;
    private final FlightTimer timer;
    private final SgeList answer = new SgeList(1);
    private final int[] firstPsns;
    private final int[] packetCounts;
    private final int mask;
    private Route route;
    /** The request that sends, as a position in the ring, and how many of its packets have been sent. */
    private long next;
    private int sent;
    /** Requests before this position have PSNs. */
    private long begun;
    private int nextPsn;
    /** The oldest PSN that is not acknowledged. */
    private int unacknowledged;
    /** READs and atomics that were sent and are not complete. */
    private int reads;
    /** Packets of the oldest READ that have come. */
    private int received;
    /** The request that cannot be sent fails when those before it are done. */
    private int fault;
    /** The gap in a READ's answer from which it was asked for again. */
    private int askedAgain;
    private int retriesLeft;
    private int rnrLeft;
    /** How often time was over since the last progress. */
    private int silences;
    private boolean waitsForReceiver;
    /** The request for which the receiver was not ready, until there is progress. */
    private int notReadyPsn = NONE;
    /** There was no room left in the shared window. */
    private boolean starved;

    Flight(SoftQp qp, Requester requester, SendRing ring, Wire wire) {
        this.requester = requester;
        this.qp = qp;
        this.settings = qp.settings;
        this.ring = ring;
        this.packetizer = new Packetizer(qp, ring);
        this.wire = wire;
        this.share = new SharedWindow.Share(qp);
        this.timer = new FlightTimer(qp, this::timeout);
        int slots = ring.slots();
        this.firstPsns = new int[slots];
        this.packetCounts = new int[slots];
        this.mask = slots - 1;
    }

    /** Takes over the way to the peer, and settings that stay the same from request to request. */
    void route(Route to) {
        route = to;
        window.limit(settings.pathMtu);
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

    void clear() {
        stop();
        window.reset();
        next = ring.first();
        begun = next;
        sent = 0;
        reads = 0;
        received = 0;
        fault = WcStatusCode.SUCCESS;
        askedAgain = -1;
        notReadyPsn = NONE;
        restoreRetries();
    }

    void nextPsn(int psn) {
        nextPsn = psn & Psns.MASK;
        unacknowledged = nextPsn;
    }

    int nextPsn() {
        return nextPsn;
    }

    /** Whether the oldest request has begun. */
    boolean isBusy() {
        return begun > ring.first();
    }

    private int firstPsn(long position) {
        return firstPsns[(int) position & mask];
    }

    private int packets(long position) {
        return packetCounts[(int) position & mask];
    }

    private int sendPsn() {
        return next < begun ? Psns.add(firstPsn(next), sent) : nextPsn;
    }

    private int underWay() {
        return Psns.difference(sendPsn(), unacknowledged);
    }

    private void restoreRetries() {
        retriesLeft = settings.retryCount;
        rnrLeft = settings.rnrRetry;
        silences = 0;
    }

    /** Sends what the windows and the state allow. */
    void advance() {
        if (waitsForReceiver) {
            return;
        }
        starved = false;
        Outgoing out = null;
        try {
            while (next < ring.end() && underWay() < window.size() && mayGoOn() && !starved) {
                int at = ring.place(next);
                int opcode = ring.opcode(at);
                if (Opcode.isLocal(opcode)) {
                    if (next != ring.first() || !requester.executeLocally(at, opcode)) {
                        break;
                    }
                    begun = next = ring.first();
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
                wire.release(out);
            }
        }
        if (!starved) {
            share.stopWaiting();
        }
        share.settle(underWay());
        failIfOldest();
        if (underWay() == 0) {
            timer.stop();
        } else if (!waitsForReceiver) {
            timer.ensure(settings.timeout, silences);
        }
    }

    /** Whether there is room for one packet more, of a request that has some left. */
    private boolean admits(int left) {
        starved = !share.admits(underWay(), Math.min(left, window.size() - underWay()));
        return !starved;
    }

    private boolean mayGoOn() {
        int state = qp.state();
        return fault == WcStatusCode.SUCCESS
                && (state == State.RTS || state == State.SQD && next < begun);
    }

    /** Whether a request waits for the answers of READs and atomics before it. */
    private boolean isHeldBack(int at, int opcode) {
        return reads != 0 && sent == 0 && ((ring.flags(at) & SendFlags.FENCE) != 0
                || Opcode.isResponding(opcode) && reads >= settings.maxRdAtomic);
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
        if (next == begun) {
            int slot = (int) next & mask;
            firstPsns[slot] = nextPsn;
            packetCounts[slot] = Opcode.isAtomic(opcode) ? 1 : Message.packets(length, settings.pathMtu);
            nextPsn = Psns.add(nextPsn, packetCounts[slot]);
            begun++;
        }
        return true;
    }

    /** Sends packets of the request at hand while the window is open. */
    private void send(Outgoing out, int at, int opcode) {
        int packets = packets(next);
        int first = firstPsn(next);
        if (Opcode.isResponding(opcode)) {
            boolean oldest = reads == 0;
            if (Opcode.isAtomic(opcode)) {
                packetizer.writeAtomic(out, first);
            } else {
                int from = oldest ? received : 0;
                packetizer.writeReadRequest(out, Psns.add(first, from), from);
            }
            wire.send(out, route);
            reads++;
            sent = packets;
        } else {
            while (sent < packets && underWay() < window.size() && admits(packets - sent)) {
                boolean lastOfWindow = underWay() + 1 == window.size() || share.isLast(underWay());
                boolean ack = sent == packets - 1 || lastOfWindow || sent % ACK_EVERY == ACK_EVERY - 1;
                int status = packetizer.write(out, WireOpcode.RC, sent, packets, Psns.add(first, sent), ack);
                if (status != WcStatusCode.SUCCESS) {
                    fault = status;
                    return;
                }
                wire.send(out, route);
                sent++;
            }
        }
        if (sent == packets) {
            next++;
            sent = 0;
        }
    }

    /** Fails the request that cannot be sent once it is the oldest. */
    private void failIfOldest() {
        if (fault != WcStatusCode.SUCCESS && next == ring.first()) {
            int status = fault;
            fault = WcStatusCode.SUCCESS;
            fail(status);
        }
    }

    private void fail(int status) {
        timer.stop();
        int at = ring.oldest();
        requester.fail(at, ring.opcode(at), status);
        next = Math.max(next, ring.first());
        begun = Math.max(begun, ring.first());
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
        qp.around.port().count(expected ? Counter.RECEIVED : Counter.UNEXPECTED_RESPONSE);
        if (underWay() == 0 && !waitsForReceiver) {
            timer.stop();
        }
        share.settle(underWay());
    }

    /** Whether a PSN may be of a packet under way; what was sent before going back may be answered yet. */
    private boolean isUnderWay(int psn) {
        return Psns.difference(psn, unacknowledged) >= 0 && Psns.difference(psn, nextPsn) < 0;
    }

    /** Takes an ACK or NAK; whether it was one of a packet under way. */
    private boolean acknowledge(PacketView packet) {
        int psn = packet.psn();
        if (!isUnderWay(psn)) {
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
        if (psn != notReadyPsn) {
            window.lost();
            share.lost();
            retryFrom(psn);
        } else if (!waitsForReceiver) {
            goBackTo(psn);
        }
    }

    private void failOldest(int syndrome) {
        if (ring.first() == begun) {
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
        int progress = Psns.difference(psn, unacknowledged);
        boolean whole = true;
        while (ring.first() < begun) {
            long position = ring.first();
            int at = ring.place(position);
            int packets = packets(position);
            if (Psns.difference(Psns.add(firstPsn(position), packets), psn) > 0) {
                break;
            }
            if (Opcode.isResponding(ring.opcode(at))) {
                if (received < packets) {
                    whole = false;
                    break;
                }
                received = 0;
                reads = Math.max(0, reads - 1);
                askedAgain = -1;
            }
            succeed(position, at);
        }
        int until = whole ? psn : Psns.add(firstPsn(ring.first()), received);
        int moved = Psns.difference(until, unacknowledged);
        if (moved > 0) {
            unacknowledged = until;
            skipAcknowledged();
            progressed(moved);
        }
        if (!whole && progress > 0) {
            askAgain();
        }
        return whole;
    }

    /** What was to be sent again has arrived meanwhile. */
    private void skipAcknowledged() {
        if (next < begun && Psns.difference(unacknowledged, sendPsn()) > 0
                && !Opcode.isResponding(ring.opcode(ring.place(next)))) {
            sent = Psns.difference(unacknowledged, firstPsn(next));
        }
    }

    private void succeed(long position, int at) {
        int opcode = ring.opcode(at);
        long bytes = Opcode.isResponding(opcode) ? Packetizer.length(ring, at) : 0;
        requester.succeed(at, opcode, (int) bytes);
        if (next <= position) {
            next = position + 1;
            sent = 0;
        }
    }

    private void progressed(int packets) {
        window.acknowledged(packets);
        notReadyPsn = NONE;
        share.exempt(false);
        restoreRetries();
        timer.progress();
    }

    /** Where the oldest READ or atomic is, at which answers arrive; -1 if there is none. */
    private long oldestRead() {
        for (long position = ring.first(); position < begun; position++) {
            if (Opcode.isResponding(ring.opcode(ring.place(position)))) {
                return position;
            }
        }
        return -1;
    }

    /** Takes a packet of the answer to a READ; whether it is the next one. */
    private boolean readResponse(PacketView packet) {
        long position = oldestRead();
        if (position < 0 || !isUnderWay(packet.psn())) {
            return false;
        }
        int ahead = Psns.difference(packet.psn(), Psns.add(firstPsn(position), received));
        if (ahead != 0) {
            if (ahead > 0) {
                askAgain();
            }
            return false;
        }
        int at = ring.place(position);
        int opcode = ring.opcode(at);
        if (opcode != Opcode.RDMA_READ || !complete(firstPsn(position))) {
            return false;
        }
        int packets = packets(position);
        long offset = (long) received * settings.pathMtu;
        int status = packetizer.load(at, opcode);
        if (status == WcStatusCode.SUCCESS) {
            status = place(packet, offset, received == packets - 1);
        }
        if (status != WcStatusCode.SUCCESS) {
            fail(status);
            return false;
        }
        received++;
        complete(Psns.add(firstPsn(position), received));
        return true;
    }

    private int place(PacketView packet, long offset, boolean last) {
        long expected = Math.min(settings.pathMtu, packetizer.length() - offset);
        if (packet.payloadLength() != expected || WireOpcode.isLast(packet.opcode()) != last) {
            return WcStatusCode.BAD_RESP_ERR;
        }
        try {
            if (expected != 0) {
                answer.set(packet.packet(), packet.payloadOffset(), expected);
                Copier.copy(answer, 0, packetizer.data(), offset, expected);
            }
            return WcStatusCode.SUCCESS;
        } catch (IllegalStateException | InternalError e) {
            return WcStatusCode.LOC_PROT_ERR;
        }
    }

    /** Takes the answer to an atomic; whether it is the next one. */
    private boolean atomicAnswer(PacketView packet) {
        long position = oldestRead();
        if (position < 0 || packet.psn() != firstPsn(position)) {
            if (position >= 0 && isUnderWay(packet.psn())
                    && Psns.difference(packet.psn(), firstPsn(position)) > 0) {
                askAgain();
            }
            return false;
        }
        int at = ring.place(position);
        if (!Opcode.isAtomic(ring.opcode(at)) || !complete(firstPsn(position))) {
            return false;
        }
        int status = packetizer.load(at, ring.opcode(at));
        if (status == WcStatusCode.SUCCESS) {
            try {
                Copier.storeLong(packetizer.data(), packet.original());
            } catch (IllegalStateException | InternalError e) {
                status = WcStatusCode.LOC_PROT_ERR;
            }
        }
        if (status != WcStatusCode.SUCCESS) {
            fail(status);
            return false;
        }
        received = 1;
        complete(Psns.add(packet.psn(), 1));
        return true;
    }

    /** Asks for the answer of the oldest READ again, from what is missing; once for each gap. */
    private void askAgain() {
        long position = oldestRead();
        if (position < 0) {
            return;
        }
        int missing = Psns.add(firstPsn(position), received);
        if (askedAgain != missing) {
            askedAgain = missing;
            window.lost();
            share.lost();
            retryFrom(missing);
        }
    }

    /** Uses up a retry and goes back. */
    private void retryFrom(int psn) {
        if (retriesLeft == 0) {
            qp.around.port().count(Counter.RETRY_EXCEEDED);
            fail(WcStatusCode.RETRY_EXC_ERR);
            return;
        }
        retriesLeft--;
        goBackTo(psn);
        timer.progress();
    }

    /** Makes a packet that was sent the next one to send. */
    private void goBackTo(int psn) {
        reads = 0;
        for (long position = ring.first(); position < begun; position++) {
            int into = Psns.difference(psn, firstPsn(position));
            boolean responding = Opcode.isResponding(ring.opcode(ring.place(position)));
            if (into >= 0 && into < packets(position)) {
                next = position;
                sent = responding ? 0 : into;
                return;
            }
            reads += responding ? 1 : 0;
        }
    }

    private void notReady(int psn, int code) {
        qp.around.port().count(Counter.RECEIVED_RNR);
        if (rnrLeft == 0) {
            qp.around.port().count(Counter.RNR_RETRY_EXCEEDED);
            fail(WcStatusCode.RNR_RETRY_EXC_ERR);
            return;
        }
        if (rnrLeft != UNLIMITED_RNR) {
            rnrLeft--;
        }
        goBackTo(psn);
        notReadyPsn = psn;
        waitsForReceiver = true;
        timer.start(Timers.Codes.rnrNanos(code));
    }

    /** Time is over: for the receiver to get ready, or for an acknowledgement to come. */
    private void timeout() {
        if (waitsForReceiver) {
            waitsForReceiver = false;
        } else if (isBusy()) {
            if (retriesLeft != 0) {
                qp.around.port().count(Counter.ACK_TIMEOUT);
            }
            silences++;
            window.silent();
            share.exempt(true);
            askedAgain = -1;
            retryFrom(unacknowledged);
        }
        requester.advance();
    }
}
