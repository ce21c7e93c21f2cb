package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.linux.Availability;
import io.jverbs.soft.linux.Descriptors;
import io.jverbs.soft.linux.ForbiddenCalls;
import io.jverbs.soft.linux.Libc;
import io.jverbs.soft.linux.UdpSocket;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import io.jverbs.soft.wire.WireOpcode;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Linux socket, and a Java socket that receives packets one by one. Needs native access: see the execution "linux" in
 * the POM.
 */
final class LinuxDatagramsTest {
    private static final int PORT = Roce.UDP_PORT;
    private static final Gid OWN = Gid.parse(LoopbackAddress.next());
    private static final Gid PEER = Gid.parse(LoopbackAddress.next());
    private static final int OVERHEAD = Bth.BYTES + Icrc.BYTES;
    private static final int QPN = 77;
    private static final long SECONDS = 20;

    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(1 << 16));
    private final Icrc icrc = new Icrc();
    private UdpSocket socket;
    private LinuxDatagrams datagrams;
    private DatagramChannel peer;
    private Route route;
    private SendBuffer out;
    private int psn;

    /** A packet that arrived: its length, the IPv4 ID that its ICRC covers, and its PSN. */
    private record Arrived(int length, int id, int psn) {}

    @BeforeEach
    void open() throws IOException {
        assumeTrue(Availability.obstacle().isEmpty(), () -> Availability.obstacle().orElseThrow());
        socket = UdpSocket.open(false);
        socket.dontFragment();
        socket.bind(address(OWN));
        datagrams = new LinuxDatagrams(socket);
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

    private static InetSocketAddress address(Gid gid) {
        return new InetSocketAddress(gid.toInetAddress(), PORT);
    }

    /** Sends a packet with a payload of a number of bytes. */
    private void send(Route where, int payload) throws IOException {
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

    private List<Arrived> all(int count) throws IOException {
        List<Arrived> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(next());
        }
        assertEquals(null, peer.receive(buffer.bytes().clear()), "an unexpected packet arrived");
        return all;
    }

    @Test
    void packetsOfOneSizeAreSentTogetherWithConsecutiveIds() throws IOException {
        for (int i = 0; i < 3; i++) {
            send(route, 256);
        }
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(256 + OVERHEAD, 0, 0), new Arrived(256 + OVERHEAD, 1, 1),
                new Arrived(256 + OVERHEAD, 2, 2)), all(3));
    }

    @Test
    void aShorterPacketEndsTheRun() throws IOException {
        send(route, 2000);
        send(route, 100);
        send(route, 100);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(2000 + OVERHEAD, 0, 0), new Arrived(100 + OVERHEAD, 1, 1),
                new Arrived(100 + OVERHEAD, 0, 2)), all(3));
    }

    /** For instance, a short message and an acknowledgement. */
    @Test
    void twoShortPacketsOfDifferentSizesFormNoRun() throws IOException {
        send(route, 256);
        send(route, 8);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(256 + OVERHEAD, 0, 0), new Arrived(8 + OVERHEAD, 0, 1)), all(2));
    }

    @Test
    void aLongerPacketStartsAnotherRun() throws IOException {
        send(route, 100);
        send(route, 256);
        send(route, 256);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(100 + OVERHEAD, 0, 0), new Arrived(256 + OVERHEAD, 0, 1),
                new Arrived(256 + OVERHEAD, 1, 2)), all(3));
    }

    @Test
    void aPacketToAnotherPeerStartsAnotherRun() throws IOException {
        Route other = new Route(OWN, PEER, datagrams.address(address(PEER)), null);
        send(route, 100);
        send(other, 100);
        send(other, 100);
        send(route, 100);
        assertEquals(List.of(), all(0));
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(100 + OVERHEAD, 0, 0), new Arrived(100 + OVERHEAD, 0, 1),
                new Arrived(100 + OVERHEAD, 1, 2), new Arrived(100 + OVERHEAD, 0, 3)), all(4));
    }

    /** The system refuses one of several runs in one call: the first, the middle or the last one. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void aRefusedRunDoesNotAffectTheOthers(int refused) throws IOException {
        Route nowhere = new Route(OWN, PEER, datagrams.address(new InetSocketAddress(PEER.toInetAddress(), 0)), null);
        List<Arrived> expected = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            send(i == refused ? nowhere : route, 3000 - 4 * i);
            if (i != refused) {
                int id = i == 2 && refused == 0 || i == 1 && refused == 2 ? 1 : 0;
                expected.add(new Arrived(3000 - 4 * i + OVERHEAD, id, i));
            }
        }

        assertThrows(SocketException.class, () -> datagrams.flush(out));
        assertEquals(expected, all(2));
        send(route, 256);
        datagrams.flush(out);
        assertEquals(List.of(new Arrived(256 + OVERHEAD, 0, 3)), all(1));
    }

    /** A thread of its own sends, because the call stays forbidden for the thread that forbids it. */
    @Test
    void withoutSendmmsgEachRunIsSentWithItsOwnCall() throws Exception {
        int[] payloads = {100, 256, 256, 300};
        FutureTask<Void> sending = new FutureTask<>(() -> {
            ForbiddenCalls.forbid("sendmmsg");
            assertEquals(-Errno.EPERM.code(), Libc.sendmmsg(Libc.state(), -1, MemorySegment.NULL, 0));
            for (int payload : payloads) {
                send(route, payload);
            }
            datagrams.flush(out);
            return null;
        });
        Thread.ofPlatform().start(sending);
        sending.get(SECONDS, TimeUnit.SECONDS);

        assertEquals(List.of(new Arrived(100 + OVERHEAD, 0, 0), new Arrived(256 + OVERHEAD, 0, 1),
                new Arrived(256 + OVERHEAD, 1, 2), new Arrived(300 + OVERHEAD, 0, 3)), all(payloads.length));
    }

    @Test
    void packetsOfRunsThatCannotBeSegmentedAreSentOneByOne() throws IOException {
        Descriptors.withoutChecksums(socket);
        int[] payloads = {100, 256, 256, 300};
        List<Arrived> expected = new ArrayList<>();
        for (int i = 0; i < payloads.length; i++) {
            send(route, payloads[i]);
            expected.add(new Arrived(payloads[i] + OVERHEAD, 0, i));
        }
        datagrams.flush(out);

        assertEquals(expected, all(payloads.length));
    }

    @Test
    void eachPacketOfARefusedRunIsTriedAndItsFailureIsReported() throws IOException {
        Route nowhere = new Route(OWN, PEER, datagrams.address(new InetSocketAddress(PEER.toInetAddress(), 0)), null);
        for (int i = 0; i < 3; i++) {
            send(nowhere, 256);
        }

        assertEquals(2, assertThrows(SocketException.class, () -> datagrams.flush(out)).getSuppressed().length);
        datagrams.flush(out);
    }

    /** 64 packets for as many peers, and one more. */
    @Test
    void aCallSendsAtMostAsManyRunsAsABatchHolds() throws IOException {
        int max = datagrams.together(OVERHEAD);
        for (int i = 0; i < max + 1; i++) {
            send(new Route(OWN, PEER, datagrams.address(address(PEER)), null), 4);
        }
        assertEquals(max, all(max).size());
        datagrams.flush(out);

        assertEquals(List.of(new Arrived(4 + OVERHEAD, 0, max)), all(1));
    }

    /** A run has at most 64 packets and 65,507 bytes. */
    @ParameterizedTest
    @ValueSource(ints = {64, 1024, 4096})
    void aPacketThatDoesNotFitTheRunStartsAnotherRun(int payload) throws IOException {
        int max = datagrams.together(payload + OVERHEAD);
        for (int i = 0; i < max + 1; i++) {
            send(route, payload);
        }
        datagrams.flush(out);

        List<Arrived> arrived = all(max + 1);
        for (int i = 0; i <= max; i++) {
            assertEquals(new Arrived(payload + OVERHEAD, i % max, i), arrived.get(i));
        }
    }

    @Test
    void withoutSegmentationAllPacketsAreSentOneByOne() throws IOException {
        Descriptors.withoutChecksums(socket);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 3; i++) {
                send(route, 256);
            }
            datagrams.flush(out);

            List<Arrived> arrived = all(3);
            for (int i = 0; i < 3; i++) {
                assertEquals(new Arrived(256 + OVERHEAD, 0, 3 * round + i), arrived.get(i));
            }
        }
    }

    @Test
    void anAcknowledgementIsSentWithPacketsThatAreSentAnyway() throws IOException {
        int acknowledgement = OVERHEAD + Aeth.BYTES;
        assertFalse(out.takesAlong(acknowledgement));
        send(route, 2000);
        assertTrue(out.isBegun());
        send(route, 0);
        // a shorter packet has ended the run, and an acknowledgement is longer than that packet
        assertFalse(out.isBegun());
        assertTrue(out.takesAlong(acknowledgement));
        send(route, 4);
        datagrams.flush(out);
        assertFalse(out.takesAlong(acknowledgement));
        assertEquals(List.of(new Arrived(2000 + OVERHEAD, 0, 0), new Arrived(OVERHEAD, 1, 1),
                new Arrived(4 + OVERHEAD, 0, 2)), all(3));
    }

    /**
     * Another packet like the latest would fit in the batch, but the next packet is longer. The batch is sent first,
     * whether or not the system refuses one of its runs.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aPacketThatDoesNotFitTheBatchIsSentAfterIt(boolean refused) throws IOException {
        Route nowhere = new Route(OWN, PEER, datagrams.address(new InetSocketAddress(PEER.toInetAddress(), 0)), null);
        List<Integer> payloads = new ArrayList<>(Collections.nCopies(14, 4096));
        payloads.addAll(List.of(3000, 1000));
        for (int payload : payloads) {
            send(refused && payload == 1000 ? nowhere : route, payload);
        }
        assertEquals(List.of(), all(0));
        if (refused) {
            assertThrows(SocketException.class, () -> send(route, 4096));
            payloads.removeLast();
        } else {
            send(route, 4096);
        }
        List<Arrived> before = all(payloads.size());
        datagrams.flush(out);

        assertEquals(payloads, before.stream().map(each -> each.length() - OVERHEAD).toList());
        assertEquals(List.of(new Arrived(4096 + OVERHEAD, 0, 16)), all(1));
    }

    @Test
    void theWindowIsLargerIfTheSystemGrantsALargeBuffer() throws IOException {
        int requested = 100_000;
        socket.buffers(requested);
        // the kernel doubles the value: socket(7)
        assertEquals(2 * requested, socket.receiveBuffer());
        assertEquals(PathCapacity.COALESCED, new LinuxDatagrams(socket).capacity());
        socket.buffers(Sockets.SOCKET_BUFFER);
        boolean large = socket.receiveBuffer() == 2 * Sockets.SOCKET_BUFFER;
        assumeTrue(large, "the system does not grant such a buffer");
        assertEquals(PathCapacity.COALESCED_LARGE_BUFFER, new LinuxDatagrams(socket).capacity());
    }

    @Test
    void aSegmentedMessageIsReceivedAsACoalescedMessage() throws IOException {
        UdpSocket other = UdpSocket.open(false);
        Gid third = Gid.parse(LoopbackAddress.next());
        other.bind(address(third));
        LinuxDatagrams receiver = new LinuxDatagrams(other);
        try {
            receiver.enableCoalescing();
            Route there = new Route(OWN, third, datagrams.address(address(third)), null);
            send(there, 256);
            send(there, 256);
            send(there, 8);
            datagrams.flush(out);
            ReceivedPackets arrival = new ReceivedPackets();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (!receiver.receive(arrival, 1)) {
                assertTrue(System.nanoTime() - end < 0, "no packet arrived");
            }
            List<Integer> lengths = new ArrayList<>();
            do {
                arrival.next();
                lengths.add(arrival.length());
            } while (arrival.hasNext());

            assertEquals(List.of(256 + OVERHEAD, 256 + OVERHEAD, 8 + OVERHEAD), lengths);
            assertEquals(List.of(OWN.high(), OWN.low(), (long) PORT),
                    List.of(arrival.sourceHigh(), arrival.sourceLow(), (long) arrival.sourcePort()));
            assertFalse(receiver.receive(arrival, 1));
        } finally {
            receiver.close();
        }
    }

    /** Receives a message; returns how many packets it had. */
    private static int packets(LinuxDatagrams receiver) throws IOException {
        ReceivedPackets arrival = new ReceivedPackets();
        assertTrue(receiver.receive(arrival, 1), "no packet arrived");
        int count = 0;
        do {
            arrival.next();
            count++;
        } while (arrival.hasNext());
        return count;
    }

    /** Sends runs of three packets, and waits until they are in the socket buffer of the receiver. */
    private void sendRuns(Gid to, Route there, int count) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        long each = 0;
        for (int i = 1; i <= count; i++) {
            for (int j = 0; j < 3; j++) {
                send(there, 256);
            }
            datagrams.flush(out);
            long least = Math.max(1, i * each);
            while (Descriptors.queued(to, PORT) < least) {
                assertTrue(System.nanoTime() - end < 0, "fewer than " + least + " bytes are queued");
            }
            each = i == 1 ? Descriptors.queued(to, PORT) : each;
        }
    }

    @Test
    void packetsAreReceivedOneByOneUntilSeveralArriveAtOnce() throws IOException {
        Gid third = Gid.parse(LoopbackAddress.next());
        Datagrams opened = new LinuxSockets().open(address(third), NetworkInterface.getByInetAddress(
                InetAddress.getLoopbackAddress()));
        try {
            LinuxDatagrams receiver = (LinuxDatagrams) opened;
            Route there = new Route(OWN, third, datagrams.address(address(third)), null);
            for (int i = 0; i < 4; i++) {
                sendRuns(third, there, 2);
                for (int j = 0; j < 6; j++) {
                    assertEquals(1, packets(receiver));
                }
                // an empty receive: not enough arrived at once
                assertFalse(receiver.receive(new ReceivedPackets(), 1));
            }
            sendRuns(third, there, 3);
            for (int i = 0; i < 9; i++) {
                assertEquals(1, packets(receiver));
            }

            sendRuns(third, there, 1);
            assertEquals(3, packets(receiver));
            assertFalse(receiver.receive(new ReceivedPackets(), 1));
        } finally {
            opened.close();
        }
    }

    @Test
    void aClosedSocketIsNoLongerUsed() throws IOException {
        datagrams.close();
        send(route, 256);

        assertThrows(ClosedChannelException.class, () -> datagrams.flush(out));
        assertThrows(ClosedChannelException.class, () -> datagrams.receive(new ReceivedPackets(), 1));
        datagrams.close();
    }

    @Test
    void removedDevicesLeaveNoOpenDescriptors() throws Exception {
        String[] selectors = {"soft:" + LoopbackAddress.next(), "soft:" + LoopbackAddress.next()};
        removeOne(selectors[0]);
        long before = Descriptors.count();
        for (int i = 0; i < 20; i++) {
            removeOne(selectors[i % 2]);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (Descriptors.count() > before) {
            assertTrue(System.nanoTime() - end < 0,
                    Descriptors.count() + " descriptors are open, and " + before + " were");
            Thread.sleep(1);
        }
    }

    private static void removeOne(String selector) {
        try (RdmaContext context = Verbs.open(selector)) {
            assertNotNull(context);
        }
        RdmaDevice device = Verbs.select(selector);
        device.capability(DeviceRemoval.class).orElseThrow().remove();
    }
}
