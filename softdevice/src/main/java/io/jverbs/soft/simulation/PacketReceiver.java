package io.jverbs.soft.simulation;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.Roce;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Delivers packets that have arrived to their port: decodes them, verifies the ICRC, and shows them to the tap, as the
 * receive path of the UDP fabric does. Guarded by the runner.
 */
final class PacketReceiver {
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES, 64));
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private final PacketAddresses addresses = new PacketAddresses();

    /** Inverts the bits that the link has damaged, and passes the packet to the port, or counts why it is dropped. */
    void deliver(PacketInTransit packet, SoftPort port) {
        int length = packet.bytes().length;
        MemorySegment memory = buffer.segment();
        MemorySegment.copy(packet.bytes(), 0, memory, ValueLayout.JAVA_BYTE, 0, length);
        for (int bit : packet.flips()) {
            int at = bit / Byte.SIZE;
            byte before = memory.get(ValueLayout.JAVA_BYTE, at);
            memory.set(ValueLayout.JAVA_BYTE, at, (byte) (before ^ 1 << bit % Byte.SIZE));
        }
        Gid source = packet.route().source();
        Gid destination = packet.route().destination();
        Tap tap = port.tap();
        if (tap != null) {
            tap.received(buffer, length, 0, source.high(), source.low(), Roce.UDP_PORT, destination.high(),
                    destination.low());
        }
        DropReason drop = check(source, destination, length);
        view.congestionExperienced(packet.isMarked());
        addresses.set(source, destination);
        if (drop != DropReason.NONE) {
            port.dropped(drop);
        } else if (destination.isMulticast()) {
            port.receiveOfGroup(view, destination, addresses);
        } else {
            port.receive(view, addresses);
        }
    }

    /**
     * Returns why the packet must be dropped. The responder, not this class, handles an unknown opcode. The ICRC is
     * verified with the IPv4 ID 0, with which all packets of a simulated network are sent.
     */
    private DropReason check(Gid source, Gid destination, int length) {
        DropReason drop = view.decode(buffer, length);
        if (drop != DropReason.NONE && drop != DropReason.OPCODE) {
            return drop;
        }
        icrc.setAddresses(source.high(), source.low(), Roce.UDP_PORT, destination.high(), destination.low(),
                Roce.UDP_PORT);
        return icrc.verify(buffer, length) == 0 ? DropReason.NONE : DropReason.ICRC;
    }
}
