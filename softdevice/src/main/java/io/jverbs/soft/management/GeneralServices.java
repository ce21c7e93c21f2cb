package io.jverbs.soft.management;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.ManagementReceiver;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.communication.MadTransmitter;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

/**
 * QP1 of a port, the general services interface: sends and receives management datagrams. See section 13.5.1 of the
 * InfiniBand Architecture Specification. Thread-safe.
 */
final class GeneralServices implements MadTransmitter {
    /** The Q_Key of QP1. */
    private static final int QKEY = 0x8001_0000;
    private static final int DEFAULT_PKEY = 0xFFFF;
    private static final int PSN_MASK = 0xFFFFFF;

    private final Fabric fabric;
    private final SoftPort port;
    private final BiConsumer<ManagementDatagram, CmPath> receiver;
    private final AtomicInteger psn = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final LongAdder received = new LongAdder();

    /** @param receiver gets the datagrams that arrive */
    GeneralServices(Fabric fabric, SoftPort port, BiConsumer<ManagementDatagram, CmPath> receiver) {
        this.fabric = fabric;
        this.port = port;
        this.receiver = receiver;
    }

    @Override
    public void send(ManagementDatagram mad, CmPath path) {
        SoftPort peer = fabric.peers() == fabric.network() ? fabric.network().port(path.remote()) : null;
        if (peer != null) {
            sendWithinJvm(mad, path, peer);
            return;
        }
        Route route = fabric.wire().route(path.local(), path.remote());
        if (route == null) {
            return;
        }
        SendBuffer packet = fabric.wire().acquire();
        try {
            encode(mad, packet);
            fabric.wire().send(packet, route);
            sent.increment();
        } finally {
            fabric.wire().release(packet);
        }
    }

    private void sendWithinJvm(ManagementDatagram mad, CmPath path, SoftPort peer) {
        if (!port.sends(path.local().high(), path.local().low())) {
            return;
        }
        sent.increment();
        capture(mad, path, peer.tap());
        ManagementReceiver management = peer.management();
        if (management != null && peer.admits(ManagementReceiver.QPN)) {
            management.receive(mad.toBytes(), path.local(), path.remote());
        }
    }

    /**
     * Passes the packet that would carry a datagram to the tap of this port, or, if there is none, to that of the peer.
     * A failure to do so does not affect the datagram, which is then missing in the capture.
     */
    private void capture(ManagementDatagram mad, CmPath path, Tap peers) {
        Tap own = port.tap();
        Tap tap = own == null ? peers : own;
        if (tap == null) {
            return;
        }
        try {
            SendBuffer packet = new SendBuffer();
            int bytes = encode(mad, packet);
            tap.written(own != null, packet, bytes, path.local().high(), path.local().low(), path.remote().high(),
                    path.remote().low());
        } catch (RuntimeException | Error e) {
            // the packet is missing in the capture
        }
    }

    /** Writes the packet that carries a datagram; returns its length without the ICRC. */
    private int encode(ManagementDatagram mad, SendBuffer packet) {
        PacketEncoder encoder = packet.encoder();
        encoder.begin(packet.buffer(), WireOpcode.UD_SEND_ONLY, 0, DEFAULT_PKEY, ManagementReceiver.QPN,
                psn.getAndIncrement() & PSN_MASK, ManagementDatagram.BYTES).deth(QKEY, ManagementReceiver.QPN);
        MemorySegment.copy(mad.toBytes(), 0, packet.buffer().segment(), JAVA_BYTE, encoder.payloadOffset(),
                ManagementDatagram.BYTES);
        return encoder.written();
    }

    /** Receives a packet to QP1. */
    void receive(PacketView packet, PacketAddresses addresses) {
        Counter refusal = refusal(packet);
        if (refusal != null) {
            port.count(refusal);
        } else {
            byte[] bytes = packet.packet().asSlice(packet.payloadOffset(), ManagementDatagram.BYTES)
                    .toArray(JAVA_BYTE);
            receive(bytes, Gid.of(addresses.sourceHigh(), addresses.sourceLow()),
                    Gid.of(addresses.destinationHigh(), addresses.destinationLow()));
        }
    }

    /** Returns why a packet is dropped, or null. */
    private static Counter refusal(PacketView packet) {
        if (packet.opcode() != WireOpcode.UD_SEND_ONLY) {
            return Counter.WRONG_STATE;
        }
        if (packet.qkey() != QKEY) {
            return Counter.BAD_QKEY;
        }
        return packet.payloadLength() == ManagementDatagram.BYTES ? null : Counter.MALFORMED;
    }

    /** {@return the datagrams that were sent and received} */
    Traffic traffic() {
        return new Traffic(sent.sum(), sent.sum(), ManagementDatagram.BYTES * sent.sum(), received.sum(),
                ManagementDatagram.BYTES * received.sum());
    }

    /** Receives a datagram. */
    void receive(byte[] datagram, Gid source, Gid destination) {
        received.increment();
        receiver.accept(ManagementDatagram.of(datagram), new CmPath(destination, source));
    }
}
