package io.jverbs.soft.faults;

import io.jverbs.Gid;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import jdk.net.ExtendedSocketOptions;

/** Hosts that send datagrams to QP1 of a device over UDP, and read no response. */
final class FloodingHosts implements RequestFlood.Delivery, AutoCloseable {
    private static final int HOSTS = 4;
    private static final int QP1 = 1;
    private static final int QKEY = 0x8001_0000;
    private static final int PKEY = 0xFFFF;

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final InetSocketAddress device;
    private final DatagramChannel[] channels = new DatagramChannel[HOSTS];
    private final Gid[] gids = new Gid[HOSTS];
    private final Icrc[] icrcs = new Icrc[HOSTS];

    /** @param victim the address of the device */
    FloodingHosts(String victim) throws IOException {
        device = new InetSocketAddress(victim, Roce.UDP_PORT);
        Gid to = Gid.ofAddress(device.getAddress());
        for (int i = 0; i < HOSTS; i++) {
            String address = LoopbackAddress.next();
            channels[i] = DatagramChannel.open();
            channels[i].setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            channels[i].bind(new InetSocketAddress(address, Roce.UDP_PORT)).configureBlocking(false);
            Gid from = Gid.ofAddress(InetAddress.getByName(address));
            gids[i] = from;
            icrcs[i] = new Icrc();
            icrcs[i].setAddresses(from.high(), from.low(), Roce.UDP_PORT, to.high(), to.low(), Roce.UDP_PORT);
        }
    }

    @Override
    public Gid sender(int number) {
        return gids[number % HOSTS];
    }

    @Override
    public void deliver(byte[] datagram, int number) throws IOException {
        encoder.begin(buffer, WireOpcode.UD_SEND_ONLY, 0, PKEY, QP1, number & 0xFF_FFFF, datagram.length).deth(QKEY,
                QP1);
        MemorySegment.copy(datagram, 0, buffer.segment(), ValueLayout.JAVA_BYTE, encoder.payloadOffset(),
                ManagementDatagram.BYTES);
        int length = encoder.finish(icrcs[number % HOSTS]);
        channels[number % HOSTS].send(buffer.bytes().position(0).limit(length), device);
    }

    @Override
    public void close() throws IOException {
        for (DatagramChannel each : channels) {
            each.close();
        }
    }
}
