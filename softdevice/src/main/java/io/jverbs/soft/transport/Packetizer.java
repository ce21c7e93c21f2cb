package io.jverbs.soft.transport;

import io.jverbs.Access;
import io.jverbs.SendFlags;
import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.Domain;
import io.jverbs.soft.memory.Regions;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;

/**
 * Makes packets of send requests: {@link #load} looks up a request's memory, which then may be used until the requester's lock
 * is released. Guarded by that lock.
 */
final class Packetizer {
    private final SoftQp qp;
    private final Settings settings;
    private final Regions regions;
    private final Domain domain;
    private final SendRing ring;
    private final SgeList data;
    private int at;
    private int opcode;
    private long length;

    Packetizer(SoftQp qp, SendRing ring) {
        this.qp = qp;
        this.settings = qp.settings;
        this.regions = qp.around.regions();
        this.domain = qp.parts.domain();
        this.ring = ring;
        this.data = new SgeList(Math.max(1, qp.parts.capabilities().maxSendSge()));
    }

    /** The length of a request's message. */
    static long length(SendRing ring, int at) {
        return (ring.flags(at) & SendFlags.INLINE) != 0
                ? ring.inlineLength(at)
                : SgeList.length(ring.elements(), ring.firstElement(at), ring.sgeCount(at));
    }

    /** Looks up a request's memory; returns a completion status. */
    int load(int place, int requested) {
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
        int needed = Opcode.isResponding(opcode) ? Access.LOCAL_WRITE : 0;
        return data.resolve(regions, domain, needed, ring.elements(), ring.firstElement(at), ring.sgeCount(at), length)
                ? WcStatusCode.SUCCESS
                : WcStatusCode.LOC_PROT_ERR;
    }

    /** The loaded request's memory. */
    SgeList data() {
        return data;
    }

    long length() {
        return length;
    }

    /**
     * Writes a packet of the loaded request; returns a completion status, as memory may be gone.
     *
     * @param index which of its packets
     * @param packets how many it has
     * @param transport {@link WireOpcode#RC} or {@link WireOpcode#UC}
     */
    int write(Outgoing out, int transport, int index, int packets, int psn, boolean ackRequest) {
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
                qp.around.port().pkey(settings.pkeyIndex), settings.destinationQpn, psn, payload);
        if (first && Opcode.isWrite(opcode)) {
            packet.reth(ring.remoteAddress(at), ring.rkey(at), length);
        }
        if (last && Opcode.hasImmediate(opcode)) {
            packet.immediate(Words.bigEndian(ring.immediate(at)));
        } else if (last && opcode == Opcode.SEND_WITH_INV) {
            packet.ieth(ring.immediate(at));
        }
        return copy(out, offset, payload);
    }

    private boolean isPlainWrite() {
        return opcode == Opcode.RDMA_WRITE;
    }

    private int copy(Outgoing out, long offset, int payload) {
        if (payload != 0) {
            try {
                Copier.gather(data, offset, out.buffer().segment(), out.encoder().payloadOffset(), payload);
            } catch (IllegalStateException | InternalError e) {
                return WcStatusCode.LOC_PROT_ERR;
            }
        }
        return WcStatusCode.SUCCESS;
    }

    /** Writes the datagram of the loaded request. */
    int writeDatagram(Outgoing out, int destinationQpn, int qkey, int psn) {
        int code = opcode == Opcode.SEND_WITH_IMM ? WireOpcode.UD_SEND_ONLY_WITH_IMM : WireOpcode.UD_SEND_ONLY;
        int flags = (ring.flags(at) & SendFlags.SOLICITED) != 0 ? Bth.SOLICITED : 0;
        PacketEncoder packet = out.encoder().begin(out.buffer(), code, flags,
                qp.around.port().pkey(settings.pkeyIndex), destinationQpn, psn, (int) length);
        packet.deth(qkey, qp.number());
        if (opcode == Opcode.SEND_WITH_IMM) {
            packet.immediate(Words.bigEndian(ring.immediate(at)));
        }
        return copy(out, 0, (int) length);
    }

    /** Writes the request packet of the loaded READ, of what is left of it from a packet on. */
    void writeReadRequest(Outgoing out, int psn, int received) {
        long offset = (long) received * settings.pathMtu;
        request(out, WireOpcode.READ_REQUEST, psn)
                .reth(ring.remoteAddress(at) + offset, ring.rkey(at), length - offset);
    }

    /** Writes the packet of the loaded atomic. */
    void writeAtomic(Outgoing out, int psn) {
        boolean swaps = opcode == Opcode.CMP_AND_SWP;
        request(out, swaps ? WireOpcode.COMPARE_SWAP : WireOpcode.FETCH_ADD, psn).atomicEth(ring.remoteAddress(at),
                ring.atomicRkey(at), swaps ? ring.swap(at) : ring.compareAdd(at), swaps ? ring.compareAdd(at) : 0);
    }

    private PacketEncoder request(Outgoing out, int code, int psn) {
        return out.encoder().begin(out.buffer(), code, Bth.ACK_REQUEST, qp.around.port().pkey(settings.pkeyIndex),
                settings.destinationQpn, psn, 0);
    }

    /** The opcode of a packet of a SEND or WRITE, without its transport. */
    static int messageOpcode(int opcode, boolean first, boolean last) {
        if (last && opcode == Opcode.SEND_WITH_INV) {
            return first ? WireOpcode.SEND_ONLY_WITH_INV : WireOpcode.SEND_LAST_WITH_INV;
        }
        int base = Opcode.isWrite(opcode) ? WireOpcode.WRITE_FIRST : WireOpcode.SEND_FIRST;
        return WireOpcode.part(base, first, last, Opcode.hasImmediate(opcode));
    }
}
