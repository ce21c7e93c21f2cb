package io.jverbs.soft.management;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.ManagementReceiver;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.communication.MadTransmitter;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * QP1 of a port, the general services interface: sends and receives management datagrams. See section 13.5.1 of the
 * InfiniBand Architecture Specification. Thread-safe.
 */
final class GeneralServices implements MadTransmitter, ManagementReceiver {
    /** The Q_Key of QP1. */
    private static final int QKEY = 0x8001_0000;
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final int PSN_MASK = 0xFFFFFF;

    private final Fabric fabric;
    private final BiConsumer<ManagementDatagram, CmPath> receiver;
    private final AtomicInteger psn = new AtomicInteger();

    /** @param receiver gets the datagrams that arrive */
    GeneralServices(Fabric fabric, BiConsumer<ManagementDatagram, CmPath> receiver) {
        this.fabric = fabric;
        this.receiver = receiver;
    }

    @Override
    public void send(ManagementDatagram mad, CmPath path) {
        SoftPort peer = fabric.peers() == fabric.network() ? fabric.network().port(path.remote()) : null;
        if (peer != null) {
            ManagementReceiver management = peer.management();
            if (management != null && peer.admits(QPN)) {
                management.receive(mad.toBytes(), path.local(), path.remote());
            }
            return;
        }
        Route route = fabric.wire().route(path.local(), path.remote());
        if (route == null) {
            return;
        }
        SendBuffer packet = fabric.wire().acquire();
        try {
            PacketEncoder encoder = packet.encoder();
            encoder.begin(packet.buffer(), WireOpcode.UD_SEND_ONLY, 0, DEFAULT_PKEY, QPN,
                    psn.getAndIncrement() & PSN_MASK, ManagementDatagram.BYTES).deth(QKEY, QPN);
            MemorySegment.copy(mad.toBytes(), 0, packet.buffer().segment(), JAVA_BYTE, encoder.payloadOffset(),
                    ManagementDatagram.BYTES);
            fabric.wire().send(packet, route);
        } finally {
            fabric.wire().release(packet);
        }
    }

    @Override
    public void receive(PacketView packet, PacketAddresses addresses) {
        if (packet.opcode() == WireOpcode.UD_SEND_ONLY && packet.qkey() == QKEY
                && packet.payloadLength() == ManagementDatagram.BYTES) {
            byte[] bytes = packet.packet().asSlice(packet.payloadOffset(), ManagementDatagram.BYTES)
                    .toArray(JAVA_BYTE);
            receive(bytes, Gid.of(addresses.sourceHigh(), addresses.sourceLow()),
                    Gid.of(addresses.destinationHigh(), addresses.destinationLow()));
        }
    }

    @Override
    public void receive(byte[] datagram, Gid source, Gid destination) {
        receiver.accept(ManagementDatagram.of(datagram), new CmPath(destination, source));
    }
}
