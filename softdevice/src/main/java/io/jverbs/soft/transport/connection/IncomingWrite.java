package io.jverbs.soft.transport.connection;

import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.protocol.Message;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/**
 * An RDMA WRITE that is received packet by packet: the RETH of its first packet. Guarded by the responder's lock.
 */
public final class IncomingWrite {
    private final SoftQp qp;
    private long address;
    private int rkey;
    private long length;

    public IncomingWrite(SoftQp qp) {
        this.qp = qp;
    }

    /** Stores the RETH, if the packet is the first of the message. */
    public void take(PacketView packet) {
        assert qp.responder().lock().isHeldByCurrentThread();
        if (WireOpcode.isFirst(packet.opcode())) {
            address = packet.remoteAddress();
            rkey = packet.rkey();
            length = packet.dmaLength();
        }
    }

    public long address() {
        return address;
    }

    public int rkey() {
        return rkey;
    }

    public long length() {
        return length;
    }

    /**
     * Whether the number of bytes received so far is valid: the whole length after the last packet, less after any
     * other.
     */
    public boolean allows(long bytes, boolean last) {
        return last ? bytes == length : bytes < length;
    }

    /**
     * Stores the payload of a packet; that of the last packet is stored with release order, for threads that wait for
     * the data. Returns false if the memory no longer exists.
     */
    public boolean store(Message payload, KeyEntry entry, long offset, boolean last) {
        assert qp.responder().lock().isHeldByCurrentThread();
        try {
            if (last) {
                Copier.gatherReleasing(payload.data, 0, entry, address + offset, payload.length);
            } else {
                Copier.gather(payload.data, 0, entry, address + offset, payload.length);
            }
            return true;
        } catch (IllegalStateException | InternalError e) {
            qp.noteLostMemory(e);
            return false;
        }
    }
}
