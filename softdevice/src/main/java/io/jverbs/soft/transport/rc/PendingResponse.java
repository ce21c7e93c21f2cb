package io.jverbs.soft.transport.rc;

import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.SgeList;
import io.jverbs.soft.protocol.WrOpcodeCode;
import io.jverbs.soft.queue.WcStatusCode;
import io.jverbs.soft.transport.Packetizer;
import io.jverbs.soft.transport.QpSettings;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * The response to the oldest outstanding READ or atomic, as far as it has arrived. Guarded by the requester's lock.
 */
final class PendingResponse {
    private static final int NONE = -1;

    private final SoftQp qp;
    private final QpSettings settings;
    private final Packetizer packetizer;
    private final SgeList payload = new SgeList(1);
    /** The number of response packets that have arrived. */
    private int packets;
    /** The PSN from which the response was requested again, or {@link #NONE}. */
    private int requestedFrom = NONE;

    PendingResponse(SoftQp qp, Packetizer packetizer) {
        this.qp = qp;
        this.settings = qp.settings();
        this.packetizer = packetizer;
    }

    /** Prepares for the response to the next READ or atomic. */
    void clear() {
        packets = 0;
        requestedFrom = NONE;
    }

    /** The number of response packets that have arrived. */
    int packets() {
        return packets;
    }

    /** Permits the response to be requested again from a PSN from which that was already done. */
    void permitRepeat() {
        requestedFrom = NONE;
    }

    /** Records that the response is requested again from a PSN; returns false if it already was. */
    boolean markRequestedFrom(int psn) {
        boolean isNew = requestedFrom != psn;
        requestedFrom = psn;
        return isNew;
    }

    /** Stores the next packet of a READ response; returns a completion status. */
    int takeRead(int at, PacketView packet, boolean last) {
        int status = packetizer.load(at, WrOpcodeCode.RDMA_READ);
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
            qp.noteLostMemory(e);
            return WcStatusCode.LOC_PROT_ERR;
        }
    }

    /** Stores the original value of an atomic response; returns a completion status. */
    int takeAtomic(int at, int opcode, PacketView packet) {
        int status = packetizer.load(at, opcode);
        if (status == WcStatusCode.SUCCESS) {
            try {
                Copier.storeLong(packetizer.data(), packet.original());
                packets = 1;
            } catch (IllegalStateException | InternalError e) {
                qp.noteLostMemory(e);
                status = WcStatusCode.LOC_PROT_ERR;
            }
        }
        return status;
    }
}
