package io.jverbs.soft.transport.local;

import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.transport.Packetizer;
import io.jverbs.soft.transport.ServiceType;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * Writes the packets that a request within the JVM and its response would consist of on the wire, and passes them to a
 * {@link Tap} for capture. Each packet is passed once: to its sender's tap, or, if there is none, to its receiver's.
 * Guarded by the requester's lock.
 */
final class PacketRenderer {
    private final ServiceType service;
    /** The tap of the requester's device, or null. */
    private Tap requesterTap;
    /** The tap of the peer's device, or null. */
    private Tap responderTap;
    private final SendBuffer out = new SendBuffer();
    /** The MSN: the lowest 24 bits of the number of messages that the peer has executed. */
    private int msn;
    /** Whether the packets of the response are written, and not those of the request. */
    private boolean response;
    private Message message;

    /** @param service the transport service of the requester */
    PacketRenderer(ServiceType service) {
        this.service = service;
    }

    /** Sets the taps of both devices; either may be null, not both. */
    void between(Tap requesters, Tap responders) {
        requesterTap = requesters;
        responderTap = responders;
    }

    /** Renders the packets of a request. */
    void request(Message rendered, int destinationQpn) {
        message = rendered;
        response = false;
        int opcode = message.opcode;
        if (opcode == WrOpcodeCode.RDMA_READ) {
            begin(WireOpcode.READ_REQUEST, Bth.ACK_REQUEST, destinationQpn, message.psn, 0)
                    .reth(message.remoteAddress, message.rkey, message.length);
            emit();
        } else if (WrOpcodeCode.isAtomic(opcode)) {
            boolean swaps = opcode == WrOpcodeCode.CMP_AND_SWP;
            begin(swaps ? WireOpcode.COMPARE_SWAP : WireOpcode.FETCH_ADD, Bth.ACK_REQUEST, destinationQpn, message.psn,
                    0).atomicEth(message.remoteAddress, message.rkey, swaps ? message.swap : message.compareAdd,
                            swaps ? message.compareAdd : 0);
            emit();
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
        boolean solicited = last && message.solicited && opcode != WrOpcodeCode.RDMA_WRITE;
        int flags = (solicited ? Bth.SOLICITED : 0) | (last && service.isReliable() ? Bth.ACK_REQUEST : 0);
        PacketEncoder packet = begin(service.wireTransport() | Packetizer.messageOpcode(opcode, first, last), flags,
                destinationQpn, psn, payload);
        if (!service.isConnected()) {
            packet.deth(message.qkey, message.sourceQpn);
        }
        if (first && WrOpcodeCode.isWrite(opcode)) {
            packet.reth(message.remoteAddress, message.rkey, message.length);
        }
        if (last && WrOpcodeCode.hasImmediate(opcode)) {
            packet.immediate(Words.bigEndian(message.immediate));
        } else if (last && opcode == WrOpcodeCode.SEND_WITH_INV) {
            packet.ieth(message.immediate);
        }
        emitWithPayload(offset, payload);
    }

    /**
     * Renders the packets of the response to a request, if there is one.
     *
     * @param executed the number of messages that the peer has executed before this request
     */
    void response(Message rendered, long executed) {
        message = rendered;
        response = true;
        boolean completed = message.reply == Message.ACK
                && message.replyPsn == Psns.add(message.psn, message.packets - 1);
        msn = (int) (completed ? executed + 1 : executed) & Psns.MASK;
        switch (message.reply) {
            case Message.NO_REPLY -> {
                // no packet is sent
            }
            case Message.ACK -> acknowledgement();
            case Message.RNR_NAK -> acknowledge(Aeth.rnrNak(message.rnrTimer));
            default -> acknowledge(message.reply);
        }
    }

    private void acknowledgement() {
        if (WrOpcodeCode.isAtomic(message.opcode)) {
            begin(WireOpcode.ATOMIC_ACKNOWLEDGE, 0, message.sourceQpn, message.replyPsn, 0).aeth(Aeth.ACK, msn)
                    .atomicAckEth(message.original);
            emit();
        } else if (message.opcode == WrOpcodeCode.RDMA_READ) {
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
        emitWithPayload(offset, payload);
    }

    private void acknowledge(int syndrome) {
        begin(WireOpcode.ACKNOWLEDGE, 0, message.sourceQpn, message.replyPsn, 0).aeth(syndrome, msn);
        emit();
    }

    private PacketEncoder begin(int opcode, int flags, int destinationQpn, int psn, int payload) {
        return out.encoder().begin(out.buffer(), opcode, flags, message.pkey, destinationQpn, psn, payload);
    }

    private void emit() {
        emitWithPayload(0, 0);
    }

    private void emitWithPayload(long offset, int payload) {
        int headers = out.encoder().payloadOffset();
        emit(headers + (hasCopied(offset, payload, headers) ? payload : 0));
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

    private void emit(int bytes) {
        Tap senders = response ? responderTap : requesterTap;
        boolean leaving = senders != null;
        Tap tap = leaving ? senders : response ? requesterTap : responderTap;
        if (response) {
            tap.written(leaving, out, bytes, message.destinationGidHigh, message.destinationGidLow,
                    message.sourceGidHigh, message.sourceGidLow);
        } else {
            tap.written(leaving, out, bytes, message.sourceGidHigh, message.sourceGidLow, message.destinationGidHigh,
                    message.destinationGidLow);
        }
    }
}
