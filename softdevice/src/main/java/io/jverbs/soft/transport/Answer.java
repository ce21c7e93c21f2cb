package io.jverbs.soft.transport;

import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/** The answer to the oldest READ or atomic under way, as far as it has come. Guarded by the requester's lock. */
final class Answer {
    private static final int NOTHING = -1;

    private final Settings settings;
    private final Packetizer packetizer;
    private final SgeList payload = new SgeList(1);
    private int packets;
    /** The gap from which it was asked for again. */
    private int askedFrom = NOTHING;

    Answer(Settings settings, Packetizer packetizer) {
        this.settings = settings;
        this.packetizer = packetizer;
    }

    /** That of the next READ or atomic is expected. */
    void clear() {
        packets = 0;
        askedFrom = NOTHING;
    }

    /** How many of its packets have come. */
    int packets() {
        return packets;
    }

    /** It may be asked for again, even from where it was already. */
    void mayAskAgain() {
        askedFrom = NOTHING;
    }

    /** Notes that it is asked for again; whether that is new. */
    boolean asksFrom(int psn) {
        boolean isNew = askedFrom != psn;
        askedFrom = psn;
        return isNew;
    }

    /** Takes the next packet of a READ's answer; returns a completion status. */
    int takeRead(int at, PacketView packet, boolean last) {
        int status = packetizer.load(at, Opcode.RDMA_READ);
        if (status == WcStatusCode.SUCCESS) {
            status = place(packet, (long) packets * settings.pathMtu, last);
        }
        if (status == WcStatusCode.SUCCESS) {
            packets++;
        }
        return status;
    }

    private int place(PacketView packet, long offset, boolean last) {
        long expected = Math.min(settings.pathMtu, packetizer.length() - offset);
        if (packet.payloadLength() != expected || WireOpcode.isLast(packet.opcode()) != last) {
            return WcStatusCode.BAD_RESP_ERR;
        }
        try {
            if (expected != 0) {
                payload.set(packet.packet(), packet.payloadOffset(), expected);
                Copier.copy(payload, 0, packetizer.data(), offset, expected);
            }
            return WcStatusCode.SUCCESS;
        } catch (IllegalStateException | InternalError e) {
            return WcStatusCode.LOC_PROT_ERR;
        }
    }

    /** Takes an atomic's answer; returns a completion status. */
    int takeAtomic(int at, int opcode, PacketView packet) {
        int status = packetizer.load(at, opcode);
        if (status == WcStatusCode.SUCCESS) {
            try {
                Copier.storeLong(packetizer.data(), packet.original());
                packets = 1;
            } catch (IllegalStateException | InternalError e) {
                status = WcStatusCode.LOC_PROT_ERR;
            }
        }
        return status;
    }
}
