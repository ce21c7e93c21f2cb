package io.jverbs.soft.transport.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Gid;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A tap that keeps the packets within the JVM that are passed to it. */
final class RecordingTap implements Tap {
    /**
     * A packet.
     *
     * @param leaving whether the tap is that of the sender's device
     * @param view the packet
     * @param hasPayload whether the payload is present
     * @param source the sender's GID
     * @param destination the receiver's GID
     */
    record Tapped(boolean leaving, PacketView view, boolean hasPayload, Gid source, Gid destination) {}

    private final List<Tapped> packets = new ArrayList<>();

    /** The packets, in order. */
    List<Tapped> packets() {
        return packets;
    }

    @Override
    public void written(boolean leaving, SendBuffer packet, int bytes, long sourceHigh, long sourceLow,
            long destinationHigh, long destinationLow) {
        PacketBuffer copy = new PacketBuffer(BareDevice.memory(PacketBuffer.MAX_BYTES));
        MemorySegment.copy(packet.buffer().segment(), 0, copy.segment(), 0, bytes);
        PacketView view = new PacketView();
        assertEquals(DropReason.NONE, view.decode(copy, packet.encoder().length()));
        packets.add(new Tapped(leaving, view, bytes == packet.encoder().written(), Gid.of(sourceHigh, sourceLow),
                Gid.of(destinationHigh, destinationLow)));
    }

    @Override
    public void received(PacketBuffer packet, int length, int index, long sourceHigh, long sourceLow, int sourcePort,
            long destinationHigh, long destinationLow) {
        throw new AssertionError("there is no wire");
    }

    @Override
    public void failed(int qpn) {
        throw new AssertionError("nothing fails");
    }
}
