package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.Gid;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.Descriptors;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a socket of Linux receives, and how it is told who sent it. Needs native access: see the execution "linux". */
final class LinuxReceivingTest {
    private static final int PORT = UdpWire.UDP_PORT;
    private static final Gid OWN = Gid.parse(LoopbackAddress.next());
    private static final Gid PEER = Gid.parse(LoopbackAddress.next());
    private static final int OVERHEAD = Bth.BYTES + Icrc.BYTES;
    private static final int QPN = 77;
    private static final long SECONDS = 20;

    private LinuxDatagrams datagrams;
    private DatagramChannel peer;

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Availability.obstacle().isEmpty(), () -> Availability.obstacle().orElseThrow());
        UdpSocket socket = UdpSocket.open(false);
        socket.bind(address(OWN));
        datagrams = new LinuxDatagrams(socket);
        peer = DatagramChannel.open().bind(address(PEER));
    }

    @AfterEach
    void close() throws IOException {
        if (peer != null) {
            peer.close();
            datagrams.close();
        }
    }

    private static InetSocketAddress address(Gid gid) {
        return new InetSocketAddress(gid.toInetAddress(), PORT);
    }

    /** Waits until messages have taken so much of the socket's buffer. */
    private static void awaitQueued(long bytes) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (Descriptors.queued(OWN, PORT) < bytes) {
            assertTrue(System.nanoTime() - end < 0, "less has come than " + bytes);
        }
    }

    /** What the next call gives: bytes of each message, and the last part of the address that it came from. */
    private List<String> received(int most) throws IOException {
        Arrival arrival = new Arrival();
        List<String> all = new ArrayList<>();
        await(datagrams, arrival, most);
        all.add(said(arrival));
        while (datagrams.holds()) {
            assertFalse(datagrams.isDry());
            datagrams.next(arrival);
            all.add(said(arrival));
        }
        return all;
    }

    private static String said(Arrival arrival) {
        arrival.next();
        return arrival.length() + " of " + (arrival.sourceLow() & 0xFF) + " and " + arrival.isSpent();
    }

    private static String single(int bytes, Gid from) {
        return bytes + " of " + (from.low() & 0xFF) + " and true";
    }

    /** Makes the socket expect short messages; what each of them takes of its buffer. */
    private long accustom() throws IOException {
        long taken = 0;
        for (int i = 0; i < Inbox.MOST; i++) {
            taken = take(30);
        }
        return taken;
    }

    private long take(int bytes) throws IOException {
        peer.send(ByteBuffer.allocate(bytes), address(OWN));
        awaitQueued(1);
        long taken = Descriptors.queued(OWN, PORT);
        assertEquals(List.of(single(bytes, PEER)), received(64));
        return taken;
    }

    @Test
    void whileShortMessagesComeACallReceivesSeveralWhoeverSentThem() throws IOException {
        Gid third = Gid.parse(LoopbackAddress.next());
        try (DatagramChannel other = DatagramChannel.open().bind(address(third))) {
            long each = accustom();
            peer.send(ByteBuffer.allocate(40), address(OWN));
            other.send(ByteBuffer.allocate(0), address(OWN));
            peer.send(ByteBuffer.allocate(60), address(OWN));
            awaitQueued(3 * each);

            assertEquals(List.of(single(40, PEER), single(0, third), single(60, PEER)), received(64));
            assertTrue(datagrams.isDry());
            assertFalse(datagrams.receive(new Arrival(), 64));
        }
    }

    @Test
    void noMoreAreTakenThanAreWanted() throws IOException {
        long each = accustom();
        for (int i = 0; i < Inbox.MOST + 4; i++) {
            peer.send(ByteBuffer.allocate(i), address(OWN));
        }
        awaitQueued((Inbox.MOST + 4) * each);

        assertEquals(List.of(single(0, PEER)), received(1));
        assertFalse(datagrams.isDry());
        assertEquals(List.of(single(1, PEER), single(2, PEER)), received(2));
        assertFalse(datagrams.isDry());
        assertEquals(Inbox.MOST, received(64).size());
        assertFalse(datagrams.isDry());
        assertEquals(List.of(single(Inbox.MOST + 3, PEER)), received(64));
        assertTrue(datagrams.isDry());
    }

    @Test
    void whileLongMessagesComeACallReceivesOne() throws IOException {
        int bytes = 9_000;
        long each = take(bytes);
        long eachShort = accustom();
        for (int i = 0; i < 3; i++) {
            peer.send(ByteBuffer.allocate(bytes), address(OWN));
        }
        awaitQueued(3 * each);
        assertEquals(3, received(64).size());

        peer.send(ByteBuffer.allocate(bytes), address(OWN));
        peer.send(ByteBuffer.allocate(30), address(OWN));
        awaitQueued(each + eachShort);
        assertEquals(List.of(single(bytes, PEER)), received(64));
        assertEquals(List.of(single(30, PEER)), received(64));
        accustom();
    }

    /** As a group can have members on several interfaces: each gets what comes on its own. */
    @Test
    void whoIsNoMemberOnAnInterfaceGetsNothingFromItThoughOthersDo() throws IOException {
        InetSocketAddress group = new InetSocketAddress("239.255.60.1", PORT);
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        Datagrams member = new LinuxSockets().listen(group, loopback);
        LinuxDatagrams former = (LinuxDatagrams) new LinuxSockets().listen(group, loopback);
        try {
            Arrival arrival = new Arrival();
            peer.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            sendTo(group, 1);
            await(former, arrival, 1);
            await(member, arrival, 1);
            Descriptors.leave(former.socket(), group.getAddress(), loopback.getIndex());

            // whoever gets the first has it when the second has come
            sendTo(group, 2);
            sendTo(group, 3);
            await(member, arrival, 1);
            await(member, arrival, 1);
            assertFalse(former.receive(arrival, 1));
        } finally {
            member.close();
            former.close();
        }
    }

    private void sendTo(InetSocketAddress group, int bytes) throws IOException {
        peer.send(ByteBuffer.allocate(bytes), group);
    }

    private static void await(Datagrams receiver, Arrival arrival, int most) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!receiver.receive(arrival, most)) {
            assertTrue(System.nanoTime() - end < 0, "nothing has come");
        }
    }

    static List<String> addresses() {
        return List.of(LoopbackAddress.next(), "::1");
    }

    /** Where sockets of a family say who sends, in both forms. */
    @ParameterizedTest
    @MethodSource("addresses")
    void theSenderIsKnownByItsAddress(String text) throws IOException {
        InetAddress address = InetAddress.getByName(text);
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        assumeTrue(text.startsWith("127") || NetworkInterface.getByInetAddress(address) != null, "there is no ::1");
        Datagrams self = new LinuxSockets().open(new InetSocketAddress(address, PORT), loopback);
        try {
            Gid gid = Gid.ofAddress(address);
            Outgoing room = self.room();
            room.encoder().begin(room.buffer(), WireOpcode.RC | WireOpcode.SEND_MIDDLE, 0, 0xFFFF, QPN, 0, 64);
            self.send(room, new Route(gid, gid, self.address(new InetSocketAddress(address, PORT)), null));
            self.flush(room);
            Arrival arrival = new Arrival();
            await(self, arrival, 1);
            arrival.next();

            Map<String, Long> said = new TreeMap<>(Map.of("high", arrival.sourceHigh(), "low", arrival.sourceLow(),
                    "port", (long) arrival.sourcePort()));
            assertEquals(new TreeMap<>(Map.of("high", gid.high(), "low", gid.low(), "port", (long) PORT)), said);
            assertEquals(64 + OVERHEAD, arrival.length());
            assertEquals((byte) QPN, arrival.buffer().segment().get(ValueLayout.JAVA_BYTE, 7));
        } finally {
            self.close();
        }
    }
}
