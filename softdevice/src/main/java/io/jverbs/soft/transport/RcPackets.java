package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The responder of a reliable connection over the wire: takes messages packet by packet, what fits into one as
 * {@link RcResponder} takes it inside the JVM, and sends acknowledgements, at most one for a burst of packets. Guarded by the
 * responder's lock.
 */
final class RcPackets {
    static final int ACKNOWLEDGEMENT_BYTES = Bth.BYTES + Aeth.BYTES + Icrc.BYTES;
    private static final int NO_MESSAGE = -1;
    private static final int NO_NAK = -1;
    private static final int NOTHING_TAKEN = -1;
    private static final int UNREADABLE = -1;
    /** Answers to READs leave in bursts of so many packets, so that other queue pairs have their turn. */
    private static final int BURST = 32;

    private final SoftQp qp;
    private final RcResponder messages;
    private final ReceiveSide receives;
    private final Settings settings;
    private final Regions regions;
    private final Port port;
    private final Wire wire;
    private final Message message = new Message(1);
    private final Replies replies = new Replies();
    private final SgeList source = new SgeList(1);
    private Route route;
    private boolean nakSent;
    private final AckPace pace = new AckPace();
    /** A NAK that leaves after the answers before it, and its PSN. */
    private int nakDue = NO_NAK;
    private int nakPsn;
    /**
     * The PSN of the last packet of a SEND or WRITE. An acknowledgement never has that of a READ or an atomic: peers there are that
     * take it for the answer, without its data, if the answer itself was lost.
     */
    private int lastTaken = NOTHING_TAKEN;
    private int msn;
    private final IncomingWrite write = new IncomingWrite();
    /** The kind of message under way, and how much of it has come. */
    private int kind = NO_MESSAGE;
    private long offset;

    RcPackets(SoftQp qp, RcResponder messages, ReceiveSide receives, Wire wire) {
        this.qp = qp;
        this.messages = messages;
        this.receives = receives;
        this.settings = qp.settings;
        this.regions = qp.around.regions();
        this.port = qp.around.port();
        this.wire = wire;
    }

    /** Takes over the way to the peer, null if there is none, and how much it may ask for at a time. */
    void route(Route to) {
        route = to;
        if (to != null) {
            replies.reserve(settings.maxDestRdAtomic);
        }
    }

    void clear() {
        replies.clear();
        nakSent = false;
        pace.clear();
        nakDue = NO_NAK;
        lastTaken = NOTHING_TAKEN;
        msn = 0;
        kind = NO_MESSAGE;
        offset = 0;
    }

    void receive(PacketView packet) {
        int ahead = Psns.difference(packet.psn(), messages.expectedPsn());
        if (ahead > 0) {
            qp.count(Counter.OUT_OF_SEQUENCE);
            if (!nakSent) {
                nakSent = true;
                qp.count(Counter.SENT_NAK_SEQUENCE);
                answer(Message.NAK_SEQUENCE);
            }
        } else if (ahead < 0) {
            qp.count(Counter.DUPLICATE_REQUEST);
            repeat(packet);
        } else {
            nakSent = false;
            // what it was to ask for has come
            nakDue = NO_NAK;
            qp.noteRequest();
            takeInOrder(packet);
        }
        if (pace.isDue() || !replies.isEmpty()) {
            wire.pumpLater(qp);
        }
    }

    private void takeInOrder(PacketView packet) {
        int opcode = packet.opcode();
        int what = WireOpcode.kind(opcode);
        boolean first = WireOpcode.isFirst(opcode);
        if (!packet.fits(settings.pathMtu) || first == (kind != NO_MESSAGE) || !first && what != kind) {
            refuse(Message.NAK_INVALID);
            return;
        }
        if (first) {
            offset = 0;
        }
        switch (what) {
            case WireOpcode.KIND_SEND -> send(packet);
            case WireOpcode.KIND_WRITE -> write(packet);
            case WireOpcode.KIND_READ_REQUEST -> read(packet);
            case WireOpcode.KIND_ATOMIC -> atomic(packet);
            default -> refuse(Message.NAK_INVALID);
        }
    }

    /** Views the payload, and the headers that matter to every request. */
    private void fill(PacketView packet) {
        message.reply = Message.NO_REPLY;
        message.solicited = packet.solicited();
        message.view(packet);
    }

    private void send(PacketView packet) {
        if (!receives.load()) {
            notReady();
            return;
        }
        fill(packet);
        long total = offset + message.length;
        if (total > receives.room()) {
            failReceive(Message.NAK_INVALID, WcStatusCode.LOC_LEN_ERR);
        } else if (!receives.resolve(total) || !receives.place(message, message.data, offset, message.length)) {
            failReceive(Message.NAK_OPERATION, WcStatusCode.LOC_PROT_ERR);
        } else if (!WireOpcode.isLast(packet.opcode())) {
            kind = WireOpcode.KIND_SEND;
            offset = total;
            taken(packet);
        } else {
            finishSend(packet, total);
        }
    }

    private void finishSend(PacketView packet, long total) {
        boolean invalidates = WireOpcode.hasInvalidate(packet.opcode());
        if (invalidates && !messages.invalidate(packet.invalidatedRkey())) {
            // class J: the receive completes in error and nobody answers
            failReceive(Message.NO_REPLY, WcStatusCode.MW_BIND_ERR);
            return;
        }
        boolean immediate = WireOpcode.hasImmediate(packet.opcode());
        int word = invalidates
                ? packet.invalidatedRkey()
                : immediate ? Words.bigEndian(packet.immediate()) : 0;
        messages.completeSend(total, word, immediate, invalidates, message.solicited);
        messageEnds(packet);
    }

    private void write(PacketView packet) {
        if ((settings.accessFlags & Access.REMOTE_WRITE) == 0) {
            refuse(Message.NAK_INVALID);
            return;
        }
        write.take(packet);
        fill(packet);
        boolean last = WireOpcode.isLast(packet.opcode());
        long total = offset + message.length;
        if (!write.allows(total, last)) {
            refuse(Message.NAK_INVALID);
            return;
        }
        KeyEntry entry = write.length() == 0
                ? null
                : messages.find(write.rkey(), write.address(), write.length(), Access.REMOTE_WRITE);
        if (write.length() != 0 && entry == null) {
            refuse(Message.NAK_ACCESS);
            return;
        }
        boolean immediate = last && WireOpcode.hasImmediate(packet.opcode());
        if (immediate && !receives.load()) {
            notReady();
            return;
        }
        if (message.length != 0 && !write.store(message, entry, offset, last)) {
            refuse(Message.NAK_ACCESS);
            return;
        }
        if (immediate) {
            messages.completeWrite(write.length(), Words.bigEndian(packet.immediate()), message.solicited);
        }
        if (last) {
            messageEnds(packet);
        } else {
            kind = WireOpcode.KIND_WRITE;
            offset = total;
            taken(packet);
        }
    }

    private void read(PacketView packet) {
        long wanted = packet.dmaLength();
        if (!messages.mayRespond(Access.REMOTE_READ) || wanted > qp.around.maxMessage()) {
            refuse(Message.NAK_INVALID);
        } else if (replies.isFull()) {
            qp.count(Counter.TOO_MANY_RD_ATOMIC);
        } else if (wanted != 0
                && messages.find(packet.rkey(), packet.remoteAddress(), wanted, Access.REMOTE_READ) == null) {
            refuse(Message.NAK_ACCESS);
        } else {
            int packets = Message.packets(wanted, settings.pathMtu);
            msn = Psns.add(msn, 1);
            messages.took(0);
            replies.addRead(packet.psn(), packets, packet.remoteAddress(), packet.rkey(), wanted, msn,
                    false);
            messages.expectPsn(Psns.add(packet.psn(), packets));
        }
    }

    private void atomic(PacketView packet) {
        boolean swaps = packet.opcode() == WireOpcode.COMPARE_SWAP;
        fill(packet);
        message.opcode = swaps ? Opcode.CMP_AND_SWP : Opcode.FETCH_AND_ADD;
        message.psn = packet.psn();
        message.packets = 1;
        message.length = Long.BYTES;
        message.remoteAddress = packet.remoteAddress();
        message.rkey = packet.rkey();
        message.compareAdd = swaps ? packet.compare() : packet.swapOrAdd();
        message.swap = packet.swapOrAdd();
        if (replies.isFull()) {
            qp.count(Counter.TOO_MANY_RD_ATOMIC);
            return;
        }
        messages.atomic(message);
        if (message.reply == Message.ACK) {
            msn = Psns.add(msn, 1);
            replies.addAtomic(packet.psn(), message.original, msn);
        } else {
            answer(message.reply);
        }
    }

    private void taken(PacketView packet) {
        lastTaken = packet.psn();
        messages.took(packet.payloadLength());
        messages.expectPsn(Psns.add(packet.psn(), 1));
        if (packet.ackRequest()) {
            pace.came(WireOpcode.isFirst(packet.opcode()) && WireOpcode.isLast(packet.opcode()));
        }
    }

    private void messageEnds(PacketView packet) {
        kind = NO_MESSAGE;
        offset = 0;
        msn = Psns.add(msn, 1);
        taken(packet);
    }

    private void notReady() {
        qp.count(Counter.SENT_RNR);
        answer(Aeth.rnrNak(settings.minRnrTimer));
        // what follows came too early, and the NAK has said so
        nakSent = true;
    }

    private void refuse(int nak) {
        messages.refuse(message, nak);
        answer(nak);
    }

    private void failReceive(int nak, int status) {
        messages.failReceive(message, nak, status);
        if (nak != Message.NO_REPLY) {
            answer(nak);
        }
    }

    /** A request that was executed before: its answer was lost, or is late. */
    private void repeat(PacketView packet) {
        int what = WireOpcode.kind(packet.opcode());
        if (what == WireOpcode.KIND_SEND || what == WireOpcode.KIND_WRITE) {
            pace.came(false);
            return;
        }
        if (what == WireOpcode.KIND_READ_REQUEST && replies.rewind(packet.psn())) {
            return;
        }
        int slot = replies.find(packet.psn());
        if (slot < 0 || replies.isFull()) {
            return;
        }
        if (what == WireOpcode.KIND_ATOMIC && replies.isAtomic(slot)) {
            replies.addAtomic(packet.psn(), replies.value(slot), replies.msn(slot));
        } else if (what == WireOpcode.KIND_READ_REQUEST && !replies.isAtomic(slot)) {
            repeatRead(packet, slot);
        }
    }

    private void repeatRead(PacketView packet, int slot) {
        long skipped = (long) Psns.difference(packet.psn(), replies.psn(slot)) * settings.pathMtu;
        long wanted = packet.dmaLength();
        boolean within = packet.rkey() == replies.rkey(slot)
                && packet.remoteAddress() == replies.value(slot) + skipped
                && wanted <= replies.length(slot) - skipped;
        if (within) {
            replies.addRead(packet.psn(), Message.packets(wanted, settings.pathMtu), packet.remoteAddress(),
                    packet.rkey(), wanted, replies.msn(slot), true);
        }
    }

    /** Whether answers must still leave although the queue pair has failed: they say why, or what has come before. */
    boolean owes() {
        return nakDue != NO_NAK || pace.isDue();
    }

    /**
     * Sends what is due; true if some of it must wait for another turn, or may, if who calls looks again soon. What has no data may
     * leave with answers of others, as long as nothing can overtake it: who calls releases the outbox before more is received, or
     * before the lock of this half is given back.
     */
    boolean pump(boolean patient, Outbox outbox) {
        if (route == null) {
            return false;
        }
        if (!replies.isEmpty()) {
            // others do not wait for so much
            outbox.release();
        }
        if (!sendReplies(BURST)) {
            return true;
        }
        if (nakDue != NO_NAK) {
            sendNak(outbox.room());
        } else if (mayWait(patient)) {
            return true;
        } else if (pace.isDue()) {
            acknowledge(outbox.room());
        }
        return false;
    }

    private boolean mayWait(boolean patient) {
        if (patient) {
            pace.polled();
        }
        return pace.isWaiting() && pace.waits(patient, qp.around.timers().nanoTime());
    }

    /** Whether an acknowledgement is due; without the lock it may be wrong. */
    boolean owesAcknowledgement() {
        return pace.isDue();
    }

    /**
     * Sends the acknowledgement that is due with requests to the same peer, if it costs no call of its own, unless other answers come
     * first, or it may wait.
     */
    void acknowledgeWith(Outgoing out) {
        if (pace.isDue() && nakDue == NO_NAK && replies.isEmpty() && route != null && pace.goesAlong()
                && out.takesAlong(ACKNOWLEDGEMENT_BYTES)) {
            acknowledge(out);
        }
    }

    private void acknowledge(Outgoing out) {
        pace.sent();
        sendAnswer(out, Aeth.ACK, lastTaken == NOTHING_TAKEN ? Psns.add(messages.expectedPsn(), -1) : lastTaken);
    }

    /** Sends a NAK of the present PSN, after what answers earlier requests. */
    private void answer(int syndrome) {
        if (route == null) {
            return;
        }
        nakDue = syndrome;
        nakPsn = messages.expectedPsn();
        if (replies.isEmpty()) {
            Outgoing out = wire.acquire();
            sendNak(out);
            wire.release(out);
        }
    }

    private void sendNak(Outgoing out) {
        int syndrome = nakDue;
        nakDue = NO_NAK;
        pace.sent();
        sendAnswer(out, syndrome, nakPsn);
    }

    private PacketEncoder begin(Outgoing out, int opcode, int psn, int payload) {
        return out.encoder().begin(out.buffer(), opcode, 0, port.pkey(settings.pkeyIndex), settings.destinationQpn, psn,
                payload);
    }

    private void sendAnswer(Outgoing out, int syndrome, int psn) {
        begin(out, WireOpcode.ACKNOWLEDGE, psn, 0).aeth(syndrome, msn);
        wire.send(out, route);
        messages.sent().packet(0);
    }

    /** Sends packets of answers with data; false if there are more. */
    private boolean sendReplies(int most) {
        if (replies.isEmpty()) {
            return true;
        }
        Outgoing out = wire.acquire();
        try {
            for (int i = 0; i < most && !replies.isEmpty(); i++) {
                int slot = replies.current();
                int payload = 0;
                if (replies.isAtomic(slot)) {
                    begin(out, WireOpcode.ATOMIC_ACKNOWLEDGE, replies.psn(slot), 0)
                            .aeth(Aeth.ACK, replies.msn(slot)).atomicAckEth(replies.value(slot));
                } else {
                    payload = writeResponse(out, slot);
                    if (payload == UNREADABLE) {
                        refuseRead(out, slot);
                        continue;
                    }
                }
                wire.send(out, route);
                messages.sent().packet(payload);
                replies.packetSent();
            }
        } finally {
            wire.release(out);
        }
        return replies.isEmpty();
    }

    /** The memory of a READ may not be read any more. That of one that was answered before harms nobody but who asks again. */
    private void refuseRead(Outgoing out, int slot) {
        int psn = Psns.add(replies.psn(slot), replies.sent());
        if (replies.isRepeat(slot)) {
            qp.count(Counter.SENT_NAK_ACCESS);
            replies.skip();
        } else {
            messages.refuse(message, Message.NAK_ACCESS);
            replies.clear();
            nakDue = NO_NAK;
            pace.sent();
        }
        sendAnswer(out, Message.NAK_ACCESS, psn);
    }

    /** Writes the next packet of a READ's answer; its payload, or UNREADABLE if the memory may not be read any more. */
    private int writeResponse(Outgoing out, int slot) {
        int index = replies.sent();
        int packets = replies.packets(slot);
        long from = (long) index * settings.pathMtu;
        int payload = (int) Math.min(settings.pathMtu, replies.length(slot) - from);
        boolean first = index == 0;
        boolean last = index == packets - 1;
        PacketEncoder encoder = begin(out, WireOpcode.readResponsePart(first, last), Psns.add(replies.psn(slot), index),
                payload);
        if (first || last) {
            encoder.aeth(Aeth.ACK, replies.msn(slot));
        }
        if (payload == 0) {
            return 0;
        }
        long at = replies.value(slot) + from;
        KeyEntry entry = messages.find(replies.rkey(slot), at, payload, Access.REMOTE_READ);
        if (entry == null) {
            return UNREADABLE;
        }
        try {
            source.set(entry.segment(), entry.offsetOf(at), payload);
            Copier.gather(source, 0, out.buffer().segment(), encoder.payloadOffset(), payload);
            return payload;
        } catch (IllegalStateException | InternalError e) {
            return UNREADABLE;
        }
    }
}
