package io.jverbs.soft.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.rsocket.datagram.RdmaDatagramCounters;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Senders that lie, over UDP and over RDMA: what they send is dropped and counted, and the socket works as before. */
@Timeout(120)
final class RdmaDatagramHostileTest {
    private static final int TAG = 0x5555_5555;
    private static final int DATA = 0;
    private static final int CONTROL = 7;

    private static ByteBuffer udp(int operation, int queuePair, InetAddress address, int payload) {
        return ByteBuffer.allocate(16 + payload).putInt(TAG).put((byte) 4).put((byte) operation).put((byte) 16)
                .put((byte) 0).putInt(queuePair).put(address.getAddress()).position(0);
    }

    private static ByteBuffer message(InetSocketAddress from, int payload) {
        return ByteBuffer.allocate(8 + payload).put((byte) 4).put((byte) 8).putShort((short) from.getPort())
                .put(from.getAddress().getAddress()).position(0);
    }

    /** Sends a datagram as an rsocket does, and returns the queue pair that the socket names in its response. */
    private static int introduce(DatagramSender sender, RdmaDatagramSocket socket) throws Exception {
        sender.sendUdp(udp(DATA, sender.number(), sender.address().getAddress(), 4), socket.localAddress());
        assertEquals(0, DatagramPair.receive(socket, sender.address()));
        ByteBuffer response = sender.receiveUdp();
        assertEquals(16, response.remaining());
        assertEquals(TAG, response.getInt());
        assertEquals(0x04_07_10_00, response.getInt());
        int number = response.getInt();
        byte[] address = new byte[4];
        response.get(address);
        assertEquals(socket.localAddress().getAddress(), InetAddress.getByAddress(address));
        return number;
    }

    private static void assertWorks(DatagramSender sender, RdmaDatagramSocket socket, int number) throws Exception {
        sender.send(message(sender.address(), 4).putInt(8, 77), socket.localAddress().getAddress(), number);
        assertEquals(77, DatagramPair.receive(socket, sender.address()));
        assertNull(socket.tryReceive(ByteBuffer.allocate(1)));
    }

    @ParameterizedTest
    @CsvSource({"0, 56", "3, 00", "4, 06", "4, 00", "5, 01", "5, 06", "5, 08", "6, 0f", "6, 1c", "6, ff",
        "8, 00000000", "8, 00000001", "8, 00ffffff"})
    void aUdpDatagramWhoseHeaderNoRsocketSendsIsDropped(int at, String hex) throws Exception {
        try (DatagramPair pair = DatagramPair.open("wire"); DatagramSender sender = new DatagramSender("wire")) {
            int number = introduce(sender, pair.right());
            ByteBuffer datagram = udp(DATA, sender.number(), sender.address().getAddress(), 8);
            datagram.put(at, HexFormat.of().parseHex(hex));
            sender.sendUdp(datagram, pair.right().localAddress());
            DatagramPair.await("the drop", () -> pair.right().counters().droppedHeaders() == 1);
            assertWorks(sender, pair.right(), number);
            assertEquals(1, pair.right().counters().receivedOverUdp());
        }
    }

    @Test
    void aUdpDatagramOfAnyLengthAndContentIsDropped() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm"); DatagramSender sender = new DatagramSender("jvm")) {
            int number = introduce(sender, pair.right());
            SplittableRandom random = new SplittableRandom(3);
            int[] lengths = {0, 1, 4, 15, 16, 17, 28, 100, 2048, 2049, 4096};
            for (int length : lengths) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                sender.sendUdp(ByteBuffer.wrap(bytes), pair.right().localAddress());
            }
            sender.sendUdp(udp(DATA, sender.number(), sender.address().getAddress(), 2033),
                    pair.right().localAddress());
            DatagramPair.await("the drops", () -> pair.right().counters().droppedHeaders() == lengths.length + 1);
            assertWorks(sender, pair.right(), number);
        }
    }

    @Test
    void aUdpDatagramWithTheAddressOfAnotherHostIsDropped() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm"); DatagramSender sender = new DatagramSender("jvm")) {
            int number = introduce(sender, pair.right());
            sender.sendUdp(udp(DATA, sender.number(), pair.left().localAddress().getAddress(), 4),
                    pair.right().localAddress());
            DatagramPair.await("the drop", () -> pair.right().counters().droppedAddresses() == 1);
            assertWorks(sender, pair.right(), number);
        }
    }

    @Test
    void aUdpDatagramOfAStrangerDoesNotReachAConnectedSocket() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm"); DatagramSender sender = new DatagramSender("jvm")) {
            pair.right().connect(pair.left().localAddress());
            sender.sendUdp(udp(DATA, sender.number(), sender.address().getAddress(), 4), pair.right().localAddress());
            sender.sendUdp(udp(CONTROL, sender.number(), sender.address().getAddress(), 0),
                    pair.right().localAddress());
            DatagramPair.await("the drops", () -> pair.right().counters().droppedStrangers() == 2);
            pair.resolve();
            assertEquals(0, pair.right().counters().failedResolutions());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aMessageWhoseHeaderLiesIsDropped(String where) throws Exception {
        try (DatagramPair pair = DatagramPair.open(where); DatagramSender sender = new DatagramSender(where)) {
            int number = introduce(sender, pair.right());
            InetAddress to = pair.right().localAddress().getAddress();
            ByteBuffer good = message(sender.address(), 4);
            sender.send(good.duplicate().limit(0), to, number);
            sender.send(good.duplicate().limit(7), to, number);
            for (int[] change : new int[][] {{0, 6}, {0, 0}, {1, 7}, {1, 12}, {1, 255}, {1, 24}}) {
                ByteBuffer bad = message(sender.address(), 4).put(change[0], (byte) change[1]);
                sender.send(bad, to, number);
            }
            sender.send(message(sender.address(), 4).putShort(2, (short) 0), to, number);
            DatagramPair.await("the drops of headers", () -> count(pair).droppedHeaders() == 9);
            sender.send(message(pair.left().localAddress(), 4), to, number);
            sender.send(message(new InetSocketAddress(to, pair.right().localAddress().getPort()), 4), to, number);
            DatagramPair.await("the drops of addresses", () -> count(pair).droppedAddresses() == 2);
            assertWorks(sender, pair.right(), number);
            assertEquals(9, count(pair).droppedHeaders());
        }
    }

    /** Returns the counters, after the socket has processed what has arrived. */
    private static RdmaDatagramCounters count(DatagramPair pair) {
        try {
            pair.right().awaitReadable(Duration.ZERO);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return pair.right().counters();
    }

    @Test
    void moreDroppedMessagesThanThereAreReceivesLeaveThemAllPosted() throws Exception {
        RdmaDatagramOptions small = RdmaDatagramOptions.DEFAULT.withReceiveQueueSize(16);
        try (DatagramPair pair = DatagramPair.open("jvm", small); DatagramSender sender = new DatagramSender("jvm")) {
            int number = introduce(sender, pair.right());
            for (int i = 0; i < 100; i++) {
                int drops = i + 1;
                sender.send(message(pair.left().localAddress(), 4), pair.right().localAddress().getAddress(), number);
                DatagramPair.await("the drop", () -> count(pair).droppedAddresses() == drops);
            }
            for (int i = 0; i < 20; i++) {
                sender.send(message(sender.address(), 4).putInt(8, i), pair.right().localAddress().getAddress(),
                        number);
            }
            for (int i = 0; i < 16; i++) {
                assertEquals(i, DatagramPair.receive(pair.right(), sender.address()));
            }
            assertWorks(sender, pair.right(), number);
        }
    }

    @Test
    void manySendersOverUdpTakeNoMorePlacesThanThereAre() throws Exception {
        RdmaDatagramOptions few = RdmaDatagramOptions.DEFAULT.withMaxPeers(4);
        try (DatagramPair pair = DatagramPair.open("jvm", few)) {
            pair.resolve();
            DatagramPair.exchange(pair.right(), pair.left(), 1);
            for (int i = 0; i < 12; i++) {
                try (DatagramSender sender = new DatagramSender("jvm")) {
                    introduce(sender, pair.right());
                    InetSocketAddress address = sender.address();
                    DatagramPair.await("the resolution", () -> pair.right().isResolved(address));
                }
            }
            assertTrue(pair.right().isResolved(pair.left().localAddress()), "the program has sent to it");
            DatagramPair.exchange(pair.right(), pair.left(), 2);
            assertEquals(2, pair.right().counters().sent());
        }
    }
}
