package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The responder of a reliable connection over the wire: takes messages packet by packet, what fits into one as
 * {@link RcResponder} takes it inside the JVM; what it owes for them is a matter of {@link RcAnswers}. Guarded by the responder's
 * lock.
 */
final class RcPackets {
    private static final int NO_MESSAGE = -1;

    private final SoftQp qp;
    private final RcResponder messages;
    private final ReceiveSide receives;
    private final Settings settings;
    private final RcAnswers answers;
    private final Wire wire;
    private final Message message = new Message(1);
    private final IncomingWrite write = new IncomingWrite();
    /** The gap before the PSN that is expected was answered by a NAK; one is enough. */
    private boolean nakSent;
    /** The kind of message under way, and how much of it has come. */
    private int kind = NO_MESSAGE;
    private long offset;

    RcPackets(SoftQp qp, RcResponder messages, ReceiveSide receives, RcAnswers answers, Wire wire) {
        this.qp = qp;
        this.messages = messages;
        this.receives = receives;
        this.settings = qp.settings;
        this.answers = answers;
        this.wire = wire;
    }

    void clear() {
        answers.clear();
        nakSent = false;
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
                answers.nak(Message.NAK_SEQUENCE);
            }
        } else if (ahead < 0) {
            qp.count(Counter.DUPLICATE_REQUEST);
            answers.repeat(packet);
        } else {
            nakSent = false;
            // what it was to ask for has come
            answers.forgetNak();
            qp.noteRequest();
            takeInOrder(packet);
        }
        if (answers.areDue()) {
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
        } else if (answers.isFull()) {
            qp.count(Counter.TOO_MANY_RD_ATOMIC);
        } else if (wanted != 0
                && messages.find(packet.rkey(), packet.remoteAddress(), wanted, Access.REMOTE_READ) == null) {
            refuse(Message.NAK_ACCESS);
        } else {
            int packets = Message.packets(wanted, settings.pathMtu);
            messages.took(0);
            answers.read(packet, packets);
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
        if (answers.isFull()) {
            qp.count(Counter.TOO_MANY_RD_ATOMIC);
            return;
        }
        messages.atomic(message);
        if (message.reply == Message.ACK) {
            answers.atomic(packet, message.original);
        } else {
            answers.nak(message.reply);
        }
    }

    private void taken(PacketView packet) {
        messages.took(packet.payloadLength());
        messages.expectPsn(Psns.add(packet.psn(), 1));
        answers.took(packet);
    }

    private void messageEnds(PacketView packet) {
        kind = NO_MESSAGE;
        offset = 0;
        answers.messageEnds();
        taken(packet);
    }

    private void notReady() {
        qp.count(Counter.SENT_RNR);
        answers.nak(Aeth.rnrNak(settings.minRnrTimer));
        // what follows came too early, and the NAK has said so
        nakSent = true;
    }

    private void refuse(int nak) {
        messages.refuse(message, nak);
        answers.nak(nak);
    }

    private void failReceive(int nak, int status) {
        messages.failReceive(message, nak, status);
        if (nak != Message.NO_REPLY) {
            answers.nak(nak);
        }
    }
}
