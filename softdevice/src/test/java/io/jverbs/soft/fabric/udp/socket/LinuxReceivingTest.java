package io.jverbs.soft.fabric.udp.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.Gid;
import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.Descriptors;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
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

/** What a Linux socket receives, and from whom. Needs native access: see the execution "linux" in the POM. */
@BindsAgain
final class LinuxReceivingTest {
    private static final int PORT = Roce.UDP_PORT;
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
        datagrams = new LinuxDatagrams(socket, false);
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

    /** Waits until messages occupy at least this many bytes of the socket buffer. */
    private static void awaitQueued(long bytes) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (Descriptors.queued(OWN, PORT) < bytes) {
            assertTrue(System.nanoTime() - end < 0, "fewer than " + bytes + " bytes are queued");
        }
    }

    /** Returns what the next call receives: the length of each message and the last byte of the sender's address. */
    private List<String> received(int most) throws IOException {
        ReceivedPackets arrival = new ReceivedPackets();
        List<String> all = new ArrayList<>();
        await(datagrams, arrival, most);
        all.add(describe(arrival));
        while (datagrams.holds()) {
            assertFalse(datagrams.isDrained());
            datagrams.next(arrival);
            all.add(describe(arrival));
        }
        return all;
    }

    private static String describe(ReceivedPackets arrival) {
        arrival.next();
        return arrival.length() + " of " + (arrival.sourceLow() & 0xFF) + " and " + arrival.isLast();
    }

    private static String single(int bytes, Gid from) {
        return bytes + " of " + (from.low() & 0xFF) + " and true";
    }

    /** Makes the socket expect short messages; returns how many bytes of its buffer each of them occupies. */
    private long expectShortMessages() throws IOException {
        long taken = 0;
        for (int i = 0; i < ReceiveBatch.MAX_MESSAGES; i++) {
            taken = receiveOne(30);
        }
        return taken;
    }

    private long receiveOne(int bytes) throws IOException {
        peer.send(ByteBuffer.allocate(bytes), address(OWN));
        awaitQueued(1);
        long taken = Descriptors.queued(OWN, PORT);
        assertEquals(List.of(single(bytes, PEER)), received(64));
        return taken;
    }

    @Test
    void oneCallReceivesSeveralShortMessagesOfAnySenders() throws IOException {
        Gid third = Gid.parse(LoopbackAddress.next());
        try (DatagramChannel other = DatagramChannel.open().bind(address(third))) {
            long each = expectShortMessages();
            peer.send(ByteBuffer.allocate(40), address(OWN));
            other.send(ByteBuffer.allocate(0), address(OWN));
            peer.send(ByteBuffer.allocate(60), address(OWN));
            awaitQueued(3 * each);

            assertEquals(List.of(single(40, PEER), single(0, third), single(60, PEER)), received(64));
            assertTrue(datagrams.isDrained());
            assertFalse(datagrams.receive(new ReceivedPackets(), 64));
        }
    }

    @Test
    void aCallReceivesNoMoreMessagesThanRequested() throws IOException {
        long each = expectShortMessages();
        for (int i = 0; i < ReceiveBatch.MAX_MESSAGES + 4; i++) {
            peer.send(ByteBuffer.allocate(i), address(OWN));
        }
        awaitQueued((ReceiveBatch.MAX_MESSAGES + 4) * each);

        assertEquals(List.of(single(0, PEER)), received(1));
        assertFalse(datagrams.isDrained());
        assertEquals(List.of(single(1, PEER), single(2, PEER)), received(2));
        assertFalse(datagrams.isDrained());
        assertEquals(ReceiveBatch.MAX_MESSAGES, received(64).size());
        assertFalse(datagrams.isDrained());
        assertEquals(List.of(single(ReceiveBatch.MAX_MESSAGES + 3, PEER)), received(64));
        assertTrue(datagrams.isDrained());
    }

    @Test
    void oneCallReceivesOneMessageWhileLongMessagesArrive() throws IOException {
        int bytes = 9_000;
        long each = receiveOne(bytes);
        long eachShort = expectShortMessages();
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
        expectShortMessages();
    }

    /** A group can have members on several interfaces. Each receives what arrives on its own interface. */
    @Test
    void aSocketThatIsNoMemberOnAnInterfaceReceivesNothingFromIt() throws IOException {
        InetSocketAddress group = new InetSocketAddress("239.255.60.1", PORT);
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        Datagrams member = new LinuxSockets(false).listen(group, loopback);
        LinuxDatagrams former = (LinuxDatagrams) new LinuxSockets(false).listen(group, loopback);
        try {
            ReceivedPackets arrival = new ReceivedPackets();
            peer.setOption(StandardSocketOptions.IP_MULTICAST_IF, loopback);
            sendTo(group, 1);
            await(former, arrival, 1);
            await(member, arrival, 1);
            Descriptors.leave(former.socket(), group.getAddress(), loopback.getIndex());

            // when the second datagram has arrived, every socket that gets the first one has it
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

    private static void await(Datagrams receiver, ReceivedPackets arrival, int most) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!receiver.receive(arrival, most)) {
            assertTrue(System.nanoTime() - end < 0, "no packet arrived");
        }
    }

    static List<String> addresses() {
        return List.of(LoopbackAddress.next(), "::1");
    }

    /** The system reports the sender in a different form for each address family. */
    @ParameterizedTest
    @MethodSource("addresses")
    void theAddressOfTheSenderIsReported(String text) throws IOException {
        InetAddress address = InetAddress.getByName(text);
        NetworkInterface loopback = NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        assumeTrue(text.startsWith("127") || NetworkInterface.getByInetAddress(address) != null,
                "this machine has no ::1");
        Datagrams self = new LinuxSockets(false).open(new InetSocketAddress(address, PORT), loopback);
        try {
            Gid gid = Gid.ofAddress(address);
            SendBuffer room = self.newOutgoing();
            room.encoder().begin(room.buffer(), WireOpcode.RC | WireOpcode.SEND_MIDDLE, 0, 0xFFFF, QPN, 0, 64);
            self.send(room, new Route(gid, gid, self.address(new InetSocketAddress(address, PORT)), null));
            self.flush(room);
            ReceivedPackets arrival = new ReceivedPackets();
            await(self, arrival, 1);
            arrival.next();

            Map<String, Long> reported = new TreeMap<>(Map.of("high", arrival.sourceHigh(), "low", arrival.sourceLow(),
                    "port", (long) arrival.sourcePort()));
            assertEquals(new TreeMap<>(Map.of("high", gid.high(), "low", gid.low(), "port", (long) PORT)), reported);
            assertEquals(64 + OVERHEAD, arrival.length());
            assertEquals((byte) QPN, arrival.buffer().segment().get(ValueLayout.JAVA_BYTE, 7));
        } finally {
            self.close();
        }
    }
}
