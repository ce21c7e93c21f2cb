package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.SendFlags;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyCheck;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;

/**
 * Writes the packets of send requests. {@link #load} looks up a request's memory, which may then be accessed until the
 * requester's lock is released. Guarded by that lock.
 */
public final class Packetizer {
    private final SoftQp qp;
    private final QpSettings settings;
    private final KeyCheck keys;
    private final SendRing ring;
    private final SgeList data;
    private int at;
    private int opcode;
    private long length;

    public Packetizer(SoftQp qp, SendRing ring) {
        this.qp = qp;
        this.settings = qp.settings();
        this.keys = qp.requesterKeys();
        this.ring = ring;
        this.data = new SgeList(Math.max(1, qp.parts().capabilities().maxSendSge()));
    }

    /** The length of a request's message in bytes. */
    public static long length(SendRing ring, int at) {
        return (ring.flags(at) & SendFlags.INLINE) != 0
                ? ring.inlineLength(at)
                : SgeList.length(ring.elements(), ring.firstElement(at), ring.sgeCount(at));
    }

    /** Loads a request: looks up its memory. Returns a completion status. */
    public int load(int place, int requested) {
        assert qp.requester().isHeldByCurrentThread();
        at = place;
        opcode = requested;
        length = length(ring, at);
        if ((ring.flags(at) & SendFlags.INLINE) != 0) {
            data.clear();
            if (length != 0) {
                data.set(ring.inlineMemory(), ring.inlineOffset(at), length);
            }
            return WcStatusCode.SUCCESS;
        }
        int needed = WrOpcodeCode.isReadOrAtomic(opcode) ? Access.LOCAL_WRITE : 0;
        return data.resolve(keys, needed, ring.elements(), ring.firstElement(at), ring.sgeCount(at), length)
                ? WcStatusCode.SUCCESS
                : WcStatusCode.LOC_PROT_ERR;
    }

    /** The memory of the loaded request. */
    public SgeList data() {
        return data;
    }

    public long length() {
        return length;
    }

    /**
     * Writes a packet of the loaded request; returns a completion status, because the memory may no longer exist.
     *
     * @param index the index of the packet in the message
     * @param packets the number of packets of the message
     * @param transport {@link WireOpcode#RC} or {@link WireOpcode#UC}
     */
    public int write(SendBuffer out, int transport, int index, int packets, int psn, boolean ackRequest) {
        boolean first = index == 0;
        boolean last = index == packets - 1;
        int mtu = settings.pathMtu;
        long offset = (long) index * mtu;
        int payload = (int) Math.min(mtu, length - offset);
        int flags = ackRequest ? Bth.ACK_REQUEST : 0;
        if (last && (ring.flags(at) & SendFlags.SOLICITED) != 0 && !isPlainWrite()) {
            flags |= Bth.SOLICITED;
        }
        int code = transport | messageOpcode(opcode, first, last);
        PacketEncoder packet = out.encoder().begin(out.buffer(), code, flags,
                qp.environment().port().pkey(settings.pkeyIndex), settings.destinationQpn, psn, payload);
        if (first && WrOpcodeCode.isWrite(opcode)) {
            packet.reth(ring.remoteAddress(at), ring.rkey(at), length);
        }
        if (last && WrOpcodeCode.hasImmediate(opcode)) {
            packet.immediate(Words.bigEndian(ring.immediate(at)));
        } else if (last && opcode == WrOpcodeCode.SEND_WITH_INV) {
            packet.ieth(ring.immediate(at));
        }
        return copy(out, offset, payload);
    }

    private boolean isPlainWrite() {
        return opcode == WrOpcodeCode.RDMA_WRITE;
    }

    private int copy(SendBuffer out, long offset, int payload) {
        if (payload != 0) {
            try {
                Copier.gather(data, offset, out.buffer().segment(), out.encoder().payloadOffset(), payload);
            } catch (IllegalStateException | InternalError e) {
                qp.noteLostMemory(e);
                return WcStatusCode.LOC_PROT_ERR;
            }
        }
        return WcStatusCode.SUCCESS;
    }

    /** Writes the datagram of the loaded request; returns a completion status as {@link #write} does. */
    public int writeDatagram(SendBuffer out, int destinationQpn, int qkey, int psn) {
        int code = opcode == WrOpcodeCode.SEND_WITH_IMM ? WireOpcode.UD_SEND_ONLY_WITH_IMM : WireOpcode.UD_SEND_ONLY;
        int flags = (ring.flags(at) & SendFlags.SOLICITED) != 0 ? Bth.SOLICITED : 0;
        PacketEncoder packet = out.encoder().begin(out.buffer(), code, flags,
                qp.environment().port().pkey(settings.pkeyIndex), destinationQpn, psn, (int) length);
        packet.deth(qkey, qp.number());
        if (opcode == WrOpcodeCode.SEND_WITH_IMM) {
            packet.immediate(Words.bigEndian(ring.immediate(at)));
        }
        return copy(out, 0, (int) length);
    }

    /** Writes a request packet of the loaded READ, for its response packets {@code from} (inclusive) to {@code to}. */
    public void writeReadRequest(SendBuffer out, int psn, int from, int to) {
        long offset = (long) from * settings.pathMtu;
        long end = Math.min(length, (long) to * settings.pathMtu);
        request(out, WireOpcode.READ_REQUEST, psn)
                .reth(ring.remoteAddress(at) + offset, ring.rkey(at), end - offset);
    }

    /** Writes the request packet of the loaded atomic. */
    public void writeAtomic(SendBuffer out, int psn) {
        boolean swaps = opcode == WrOpcodeCode.CMP_AND_SWP;
        request(out, swaps ? WireOpcode.COMPARE_SWAP : WireOpcode.FETCH_ADD, psn).atomicEth(ring.remoteAddress(at),
                ring.atomicRkey(at), swaps ? ring.swap(at) : ring.compareAdd(at), swaps ? ring.compareAdd(at) : 0);
    }

    private PacketEncoder request(SendBuffer out, int code, int psn) {
        return out.encoder().begin(out.buffer(), code, Bth.ACK_REQUEST,
                qp.environment().port().pkey(settings.pkeyIndex), settings.destinationQpn, psn, 0);
    }

    /** The BTH opcode of a packet of a SEND or WRITE, without the bits of the transport service. */
    public static int messageOpcode(int opcode, boolean first, boolean last) {
        if (last && opcode == WrOpcodeCode.SEND_WITH_INV) {
            return first ? WireOpcode.SEND_ONLY_WITH_INV : WireOpcode.SEND_LAST_WITH_INV;
        }
        int base = WrOpcodeCode.isWrite(opcode) ? WireOpcode.WRITE_FIRST : WireOpcode.SEND_FIRST;
        return WireOpcode.part(base, first, last, WrOpcodeCode.hasImmediate(opcode));
    }
}
