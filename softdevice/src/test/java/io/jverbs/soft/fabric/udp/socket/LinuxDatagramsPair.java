package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.Gid;
import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of the tests of Linux sockets: a Linux socket, and a Java socket that receives packets one by one. Needs native
 * access: see the execution "linux" in the POM.
 */
@BindsAgain
abstract class LinuxDatagramsPair {
    static final int PORT = Roce.UDP_PORT;
    static final Gid OWN = Gid.parse(LoopbackAddress.next());
    static final Gid PEER = Gid.parse(LoopbackAddress.next());
    static final int OVERHEAD = Bth.BYTES + Icrc.BYTES;
    private static final int QPN = 77;
    static final long SECONDS = 20;

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(1 << 16));
    private final Icrc icrc = new Icrc();
    UdpSocket socket;
    LinuxDatagrams datagrams;
    private DatagramChannel peer;
    Route route;
    SendBuffer out;
    private int psn;

    /** A packet that arrived: its length, the IPv4 ID that its ICRC covers, and its PSN. */
    record Arrived(int length, int id, int psn) {}

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Availability.obstacle().isEmpty(), () -> Availability.obstacle().orElseThrow());
        socket = UdpSocket.open(false);
        socket.dontFragment();
        socket.bind(address(OWN));
        datagrams = new LinuxDatagrams(socket, false);
        peer = DatagramChannel.open();
        peer.configureBlocking(false);
        peer.bind(address(PEER));
        icrc.setAddresses(OWN.high(), OWN.low(), PORT, PEER.high(), PEER.low(), PORT);
        route = new Route(OWN, PEER, datagrams.address(address(PEER)), null);
        out = datagrams.newOutgoing();
    }

    @AfterEach
    void close() throws IOException {
        if (peer != null) {
            peer.close();
            datagrams.close();
        }
    }

    static InetSocketAddress address(Gid gid) {
        return new InetSocketAddress(gid.toInetAddress(), PORT);
    }

    /** Sends a packet with a payload of a number of bytes. */
    void send(Route where, int payload) throws IOException {
        out.encoder().begin(out.buffer(), WireOpcode.RC | WireOpcode.SEND_MIDDLE, 0, 0xFFFF, QPN, psn++, payload);
        out.buffer().segment().asSlice(out.encoder().payloadOffset(), payload).fill((byte) psn);
        datagrams.send(out, where);
    }

    private Arrived next() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (peer.receive(buffer.bytes().clear()) == null) {
            assertTrue(System.nanoTime() - end < 0, "no packet arrived");
            Thread.onSpinWait();
        }
        int length = buffer.bytes().position();
        int number = Bth.psn(Bth.trailing(buffer.segment(), 0));
        return new Arrived(length, icrc.verify(buffer, length), number);
    }

    List<Arrived> all(int count) throws IOException {
        List<Arrived> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(next());
        }
        assertEquals(null, peer.receive(buffer.bytes().clear()), "an unexpected packet arrived");
        return all;
    }
}
