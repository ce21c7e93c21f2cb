package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * What the responder of a reliable connection sends over the wire: acknowledgements, at most one for a burst of packets, NAKs, and
 * the data of READs and atomics, in the order in which they were asked for. Guarded by the responder's lock.
 */
final class RcAnswers {
    static final int ACKNOWLEDGEMENT_BYTES = Bth.BYTES + Aeth.BYTES + Icrc.BYTES;
    private static final int NO_NAK = -1;
    private static final int NOTHING_TAKEN = -1;
    private static final int UNREADABLE = -1;
    /** Answers to READs leave in bursts of so many packets, so that other queue pairs have their turn. */
    private static final int BURST = 32;

    private final SoftQp qp;
    private final RcResponder messages;
    private final Settings settings;
    private final Port port;
    private final Wire wire;
    private final Message refused = new Message(1);
    private final Replies replies = new Replies();
    private final SgeList source = new SgeList(1);
    private final AckPace pace = new AckPace();
    private Route route;
    /** A NAK that leaves after the answers before it, and its PSN. */
    private int nakDue = NO_NAK;
    private int nakPsn;
    /**
     * The PSN of the last packet of a SEND or WRITE. An acknowledgement never has that of a READ or an atomic: peers there are that
     * take it for the answer, without its data, if the answer itself was lost.
     */
    private int lastTaken = NOTHING_TAKEN;
    private int msn;

    RcAnswers(SoftQp qp, RcResponder messages, Wire wire) {
        this.qp = qp;
        this.messages = messages;
        this.settings = qp.settings;
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
        pace.clear();
        nakDue = NO_NAK;
        lastTaken = NOTHING_TAKEN;
        msn = 0;
    }

    /** Whether there is something to send after this burst. */
    boolean areDue() {
        return pace.isDue() || !replies.isEmpty();
    }

    /** Whether no READ or atomic more can be answered now. */
    boolean isFull() {
        return replies.isFull();
    }

    /** A packet of a SEND or WRITE was taken. */
    void took(PacketView packet) {
        lastTaken = packet.psn();
        if (packet.ackRequest()) {
            pace.came(WireOpcode.isFirst(packet.opcode()) && WireOpcode.isLast(packet.opcode()));
        }
    }

    /** The packet that is taken is the last one of its message. */
    void messageEnds() {
        msn = Psns.add(msn, 1);
    }

    /** A READ was taken, of which so many packets are the answer. */
    void read(PacketView packet, int packets) {
        messageEnds();
        replies.addRead(packet.psn(), packets, packet.remoteAddress(), packet.rkey(), packet.dmaLength(), msn, false);
    }

    /** An atomic was carried out: the former value of its word is the answer. */
    void atomic(PacketView packet, long original) {
        messageEnds();
        replies.addAtomic(packet.psn(), original, msn);
    }

    /** A NAK that has not left is not wanted any more. */
    void forgetNak() {
        nakDue = NO_NAK;
    }

    /** A request that was executed before: its answer was lost, or is late. */
    void repeat(PacketView packet) {
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
    boolean owe() {
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
    boolean oweAcknowledgement() {
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
    void nak(int syndrome) {
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
            messages.refuse(refused, Message.NAK_ACCESS);
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
