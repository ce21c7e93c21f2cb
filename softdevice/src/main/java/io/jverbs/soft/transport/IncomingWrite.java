package io.jverbs.soft.transport;

import io.jverbs.soft.memory.Copier;
import io.jverbs.soft.memory.KeyEntry;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;

/** A WRITE that comes packet by packet: where its first packet said that it goes. Guarded by the responder's lock. */
final class IncomingWrite {
    private long address;
    private int rkey;
    private long length;

    /** Looks at a packet of it. */
    void take(PacketView packet) {
        if (WireOpcode.isFirst(packet.opcode())) {
            address = packet.remoteAddress();
            rkey = packet.rkey();
            length = packet.dmaLength();
        }
    }

    long address() {
        return address;
    }

    int rkey() {
        return rkey;
    }

    long length() {
        return length;
    }

    /** Whether so many bytes are all of it after the last packet, and less after any other. */
    boolean allows(long bytes, boolean last) {
        return last ? bytes == length : bytes < length;
    }

    /** Stores the payload of a packet, the last one for whoever waits for it; false if the memory is gone. */
    boolean store(Message payload, KeyEntry entry, long offset, boolean last) {
        long at = entry.offsetOf(address + offset);
        try {
            if (last) {
                Copier.gatherReleasing(payload.data, 0, entry.segment(), at, payload.length);
            } else {
                Copier.gather(payload.data, 0, entry.segment(), at, payload.length);
            }
            return true;
        } catch (IllegalStateException | InternalError e) {
            return false;
        }
    }
}
