package io.jverbs.soft.transport;

import io.jverbs.QpType;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;

/**
 * Writes the packets that a request within the JVM, and its answer, stand for, for who looks at them. Each is shown once: by its
 * sender's tap, or, if there is none, by its receiver's. Guarded by the requester's lock.
 */
final class Rendering {
    /** Taps of the requester's device and of its peer's; either may be null. */
    private Tap own;
    private Tap theirs;
    private final Outgoing out = new Outgoing();
    /** How many messages the peer has executed, the lowest 24 bits. */
    private int msn;
    private boolean answers;
    private Message message;

    /** Says who looks from now on. */
    void between(Tap ours, Tap peers) {
        own = ours;
        theirs = peers;
    }

    /** Shows what is sent of a request. */
    void request(Message shown, int destinationQpn) {
        message = shown;
        answers = false;
        int opcode = message.opcode;
        if (opcode == Opcode.RDMA_READ) {
            begin(WireOpcode.READ_REQUEST, Bth.ACK_REQUEST, destinationQpn, message.psn, 0)
                    .reth(message.remoteAddress, message.rkey, message.length);
            show();
        } else if (Opcode.isAtomic(opcode)) {
            boolean swaps = opcode == Opcode.CMP_AND_SWP;
            begin(swaps ? WireOpcode.COMPARE_SWAP : WireOpcode.FETCH_ADD, Bth.ACK_REQUEST, destinationQpn, message.psn,
                    0).atomicEth(message.remoteAddress, message.rkey, swaps ? message.swap : message.compareAdd,
                            swaps ? message.compareAdd : 0);
            show();
        } else {
            int from = (int) (message.offset / message.mtu);
            for (int i = 0; i < message.packets; i++) {
                part(destinationQpn, from + i, from + message.packets, Psns.add(message.psn, i));
            }
        }
    }

    private void part(int destinationQpn, int index, int packets, int psn) {
        boolean first = index == 0;
        boolean last = index == packets - 1;
        int opcode = message.opcode;
        long offset = (long) index * message.mtu;
        int payload = (int) Math.min(message.mtu, message.length - offset);
        boolean datagram = message.transport == QpType.UD.code();
        boolean solicited = last && message.solicited && opcode != Opcode.RDMA_WRITE;
        int flags = (solicited ? Bth.SOLICITED : 0) | (last && isReliable() ? Bth.ACK_REQUEST : 0);
        PacketEncoder packet = begin(wireTransport() | Packetizer.messageOpcode(opcode, first, last), flags,
                destinationQpn, psn, payload);
        if (datagram) {
            packet.deth(message.qkey, message.sourceQpn);
        }
        if (first && Opcode.isWrite(opcode)) {
            packet.reth(message.remoteAddress, message.rkey, message.length);
        }
        if (last && Opcode.hasImmediate(opcode)) {
            packet.immediate(Words.bigEndian(message.immediate));
        } else if (last && opcode == Opcode.SEND_WITH_INV) {
            packet.ieth(message.immediate);
        }
        showWith(offset, payload);
    }

    private boolean isReliable() {
        return message.transport == QpType.RC.code();
    }

    private int wireTransport() {
        return isReliable() ? WireOpcode.RC : message.transport == QpType.UC.code() ? WireOpcode.UC : WireOpcode.UD;
    }

    /**
     * Shows how a request was answered, if it was.
     *
     * @param executed how many messages the peer has executed before
     */
    void answer(Message shown, long executed) {
        message = shown;
        answers = true;
        boolean nowToo = message.reply == Message.ACK
                && message.replyPsn == Psns.add(message.psn, message.packets - 1);
        msn = (int) (nowToo ? executed + 1 : executed) & Psns.MASK;
        switch (message.reply) {
            case Message.NO_REPLY -> {
                // silence is no packet
            }
            case Message.ACK -> acknowledgement();
            case Message.RNR_NAK -> acknowledge(Aeth.rnrNak(message.rnrTimer));
            default -> acknowledge(message.reply);
        }
    }

    private void acknowledgement() {
        if (Opcode.isAtomic(message.opcode)) {
            begin(WireOpcode.ATOMIC_ACKNOWLEDGE, 0, message.sourceQpn, message.replyPsn, 0).aeth(Aeth.ACK, msn)
                    .atomicAckEth(message.original);
            show();
        } else if (message.opcode == Opcode.RDMA_READ) {
            for (int i = 0; i < message.packets; i++) {
                readPart(i);
            }
        } else {
            acknowledge(Aeth.ACK);
        }
    }

    private void readPart(int index) {
        boolean first = index == 0;
        boolean last = index == message.packets - 1;
        long offset = (long) index * message.mtu;
        int payload = (int) Math.min(message.mtu, message.length - offset);
        PacketEncoder packet = begin(WireOpcode.readResponsePart(first, last), 0, message.sourceQpn,
                Psns.add(message.psn, index), payload);
        if (first || last) {
            packet.aeth(Aeth.ACK, msn);
        }
        showWith(offset, payload);
    }

    private void acknowledge(int syndrome) {
        begin(WireOpcode.ACKNOWLEDGE, 0, message.sourceQpn, message.replyPsn, 0).aeth(syndrome, msn);
        show();
    }

    private PacketEncoder begin(int opcode, int flags, int destinationQpn, int psn, int payload) {
        return out.encoder().begin(out.buffer(), opcode, flags, message.pkey, destinationQpn, psn, payload);
    }

    private void show() {
        showWith(0, 0);
    }

    private void showWith(long offset, int payload) {
        int headers = out.encoder().payloadOffset();
        show(headers + (hasCopied(offset, payload, headers) ? payload : 0));
    }

    private boolean hasCopied(long offset, int payload, int headers) {
        if (payload == 0) {
            return true;
        }
        if (!message.dataValid) {
            return false;
        }
        try {
            Copier.gather(message.data, offset, out.buffer().segment(), headers, payload);
            return true;
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
    }

    private void show(int bytes) {
        Tap senders = answers ? theirs : own;
        boolean leaving = senders != null;
        Tap tap = leaving ? senders : answers ? own : theirs;
        if (answers) {
            tap.written(leaving, out, bytes, message.destinationGidHigh, message.destinationGidLow,
                    message.sourceGidHigh, message.sourceGidLow);
        } else {
            tap.written(leaving, out, bytes, message.sourceGidHigh, message.sourceGidLow, message.destinationGidHigh,
                    message.destinationGidLow);
        }
    }
}
