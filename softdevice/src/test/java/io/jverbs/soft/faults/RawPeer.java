package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.concurrent.TimeUnit;
import jdk.net.ExtendedSocketOptions;

/** The peer of a reliable connection, packet by packet: sends what a test says and shows each packet that comes. */
final class RawPeer implements AutoCloseable {
    private static final int PORT = 4791;
    private static final int PKEY = 0xFFFF;
    private static final long SECONDS = 20;

    /** A packet that came. */
    record Packet(int opcode, int psn) {}

    private final DatagramChannel channel;
    private final InetSocketAddress device;
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final PacketView view = new PacketView();
    private final Icrc icrc = new Icrc();
    private final int qpn;

    /**
     * @param address its own
     * @param deviceAddress that of the software device
     * @param qpn the queue pair there
     */
    RawPeer(String address, String deviceAddress, int qpn) throws IOException {
        this.qpn = qpn;
        device = new InetSocketAddress(InetAddress.getByName(deviceAddress), PORT);
        channel = DatagramChannel.open();
        channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
        channel.bind(new InetSocketAddress(address, PORT)).configureBlocking(false);
        Gid own = Gid.ofAddress(InetAddress.getByName(address));
        Gid other = Gid.ofAddress(device.getAddress());
        icrc.between(own.high(), own.low(), PORT, other.high(), other.low(), PORT);
    }

    /** A WRITE of a few zeros in one packet, which asks for an acknowledgement. */
    void write(int psn, long address, int rkey) throws IOException {
        int length = Long.BYTES;
        encoder.begin(buffer, WireOpcode.WRITE_ONLY, Bth.ACK_REQUEST, PKEY, qpn, psn,
                length).reth(address, rkey, length);
        send();
    }

    /** A FETCH_ADD of one. */
    void add(int psn, long address, int rkey) throws IOException {
        encoder.begin(buffer, WireOpcode.FETCH_ADD, Bth.ACK_REQUEST, PKEY, qpn, psn, 0).atomicEth(address, rkey, 1, 0);
        send();
    }

    /** A READ of a few bytes. */
    void read(int psn, long address, int rkey) throws IOException {
        encoder.begin(buffer, WireOpcode.READ_REQUEST, Bth.ACK_REQUEST, PKEY, qpn, psn, 0).reth(address, rkey,
                Long.BYTES);
        send();
    }

    /** An ACK or a NAK. */
    void acknowledge(int psn, int syndrome) throws IOException {
        encoder.begin(buffer, WireOpcode.ACKNOWLEDGE, 0, PKEY, qpn, psn, 0).aeth(syndrome, 0);
        send();
    }

    /** The answer to an atomic. */
    void original(int psn, long value) throws IOException {
        encoder.begin(buffer, WireOpcode.ATOMIC_ACKNOWLEDGE, 0, PKEY, qpn, psn, 0).aeth(Aeth.ACK, 0)
                .atomicAckEth(value);
        send();
    }

    private void send() throws IOException {
        channel.send(buffer.bytes().position(0).limit(encoder.finish(icrc)), device);
    }

    /** The next packet that comes. */
    Packet next() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (channel.receive(buffer.bytes().clear()) == null) {
            assertTrue(System.nanoTime() < end, "no packet comes");
            Thread.yield();
        }
        assertEquals(Drop.NONE, view.decode(buffer, buffer.bytes().position()));
        return new Packet(view.opcode(), view.psn());
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
