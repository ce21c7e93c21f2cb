package io.jverbs.soft.simulation;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.UdpWire;
import io.jverbs.soft.transport.Envelope;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** Hands packets that have arrived to ports, as who receives from a socket does. Guarded by the turn. */
final class Arrivals {
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private final Envelope envelope = new Envelope();

    void hand(Parcel parcel, SoftPort port) {
        int length = parcel.bytes().length;
        MemorySegment memory = buffer.segment();
        MemorySegment.copy(parcel.bytes(), 0, memory, ValueLayout.JAVA_BYTE, 0, length);
        for (int bit : parcel.flips()) {
            int at = bit / Byte.SIZE;
            byte before = memory.get(ValueLayout.JAVA_BYTE, at);
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) (before ^ 1 << bit % Byte.SIZE));
        }
        Gid source = parcel.route().source();
        Gid destination = parcel.route().destination();
        Tap tap = port.tap();
        if (tap != null) {
            tap.received(buffer, length, 0, source.high(), source.low(), UdpWire.UDP_PORT, destination.high(),
                    destination.low());
        }
        Drop drop = look(source, destination, length);
        envelope.set(source, destination);
        if (drop != Drop.NONE) {
            port.dropped(drop);
        } else if (view.destinationQpn() == Bth.MULTICAST_QPN) {
            port.receiveOfGroup(view, destination, envelope);
        } else {
            port.receive(view, envelope);
        }
    }

    /** What is wrong with the packet; an unknown opcode is the responder's matter. Its ID is known here: 0, as it was sent. */
    private Drop look(Gid source, Gid destination, int length) {
        Drop drop = view.decode(buffer, length);
        if (drop != Drop.NONE && drop != Drop.OPCODE) {
            return drop;
        }
        icrc.between(source.high(), source.low(), UdpWire.UDP_PORT, destination.high(), destination.low(),
                UdpWire.UDP_PORT);
        return icrc.verify(buffer, length) == 0 ? Drop.NONE : Drop.ICRC;
    }
}
