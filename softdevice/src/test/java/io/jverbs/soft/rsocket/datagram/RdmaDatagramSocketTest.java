package io.jverbs.soft.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.contract.fixture.BindsAgain;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.PortControl;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import io.jverbs.rsocket.datagram.RdmaDatagramSocket;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagrams between two sockets: over UDP until the queue pairs are known, then over RDMA. */
@Timeout(120)
@BindsAgain
final class RdmaDatagramSocketTest {

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void theFirstDatagramGoesOverUdpAndTheNextOnesOverRdma(String where) throws Exception {
        try (DatagramPair pair = DatagramPair.open(where)) {
            pair.resolve();
            assertEquals(1, pair.left().counters().sentOverUdp());
            assertEquals(1, pair.right().counters().receivedOverUdp());
            for (int i = 0; i < 200; i++) {
                DatagramPair.exchange(pair.left(), pair.right(), i);
                DatagramPair.exchange(pair.right(), pair.left(), -i);
            }
            assertEquals(200, pair.left().counters().sent());
            assertEquals(200, pair.right().counters().sent());
            assertEquals(1, pair.left().counters().sentOverUdp());
            assertEquals(0, pair.right().counters().sentOverUdp());
            assertEquals(201, pair.right().counters().received());
            assertEquals(200, pair.left().counters().received());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aDatagramHasTheBytesThatWereSentWhateverItsLength(String where) throws Exception {
        try (DatagramPair pair = DatagramPair.open(where)) {
            pair.left().connect(pair.right().localAddress());
            pair.resolve();
            int most = pair.left().maxPayload(pair.right().localAddress());
            Random random = new Random(1);
            for (int length = 0; length <= most; length += length < 70 ? 1 : most - length < 97 ? 1 : 97) {
                byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                ByteBuffer from = ByteBuffer.allocate(length + 4).position(4).put(bytes).position(4);
                pair.left().send(from);
                assertFalse(from.hasRemaining());
                ByteBuffer into = ByteBuffer.allocateDirect(most + 10).position(10);
                assertEquals(pair.left().localAddress(), pair.right().receive(into));
                assertEquals(ByteBuffer.wrap(bytes), into.flip().position(10));
            }
        }
    }

    @Test
    void aDatagramThatIsTooLongIsRefused() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm")) {
            InetSocketAddress to = pair.right().localAddress();
            int most = pair.left().maxPayload(to);
            assertEquals(2032, most, "what librdmacm receives over UDP");
            ByteBuffer tooLong = ByteBuffer.allocate(most + 1);
            String sentence = assertThrows(IllegalArgumentException.class, () -> pair.left().trySend(tooLong, to))
                    .getMessage();
            assertTrue(sentence.contains("2033 bytes") && sentence.contains("it can have 2032"), sentence);
            assertEquals(most + 1, tooLong.remaining());
        }
    }

    @Test
    void theBytesForWhichThereIsNoRoomAreLost() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm")) {
            pair.resolve();
            pair.left().send(ByteBuffer.wrap(new byte[] {1, 2, 3, 4}), pair.right().localAddress());
            DatagramPair.await("the datagram", () -> pair.right().counters().received() == 1);
            assertThrows(ReadOnlyBufferException.class,
                    () -> pair.right().tryReceive(ByteBuffer.allocate(4).asReadOnlyBuffer()));
            ByteBuffer into = ByteBuffer.allocate(2);
            assertEquals(pair.left().localAddress(), pair.right().receive(into));
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2}), into.flip());
            assertNull(pair.right().tryReceive(into.clear()));
        }
    }

    @Test
    void aConnectedSocketReceivesOnlyFromItsPeer() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm");
                RdmaDatagramSocket third = RdmaDatagramSocket.open(pair.leftContext(),
                        DatagramPair.anyPort(pair.leftContext()))) {
            pair.resolve();
            DatagramPair.exchange(third, pair.right(), 1);
            DatagramPair.await("the resolution", () -> third.isResolved(pair.right().localAddress()));
            pair.right().connect(pair.left().localAddress());
            assertEquals(pair.left().localAddress(), pair.right().peerAddress());
            third.send(ByteBuffer.allocate(4), pair.right().localAddress());
            DatagramPair.exchange(pair.left(), pair.right(), 3);
            assertEquals(1, pair.right().counters().droppedStrangers());
            pair.right().disconnect();
            assertNull(pair.right().peerAddress());
            DatagramPair.exchange(third, pair.right(), 4);
            assertThrows(IllegalStateException.class, () -> pair.right().send(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void aSocketAtTheWildcardAddressUsesTheAddressFromWhichItReachesItsPeer() throws Exception {
        try (RdmaContext context = Verbs.open("soft:[::1]")) {
            PortControl ports = context.device().capability(PortControl.class).orElseThrow();
            int added = ports.addGid(1, Gid.parse("2001:db8::7"));
            try (RdmaDatagramSocket server = RdmaDatagramSocket.open(context);
                    RdmaDatagramSocket client = RdmaDatagramSocket.open(context)) {
                assertTrue(server.localAddress().getAddress().isAnyLocalAddress());
                InetSocketAddress to = new InetSocketAddress("::1", server.localAddress().getPort());
                InetSocketAddress from = new InetSocketAddress("::1", client.localAddress().getPort());
                assertEquals(2020, client.maxPayload(to));
                client.connect(to);
                client.send(ByteBuffer.allocate(4).putInt(0, 1));
                assertEquals(1, DatagramPair.receive(server, from));
                DatagramPair.await("the resolution", () -> client.isResolved(to) && server.isResolved(from));
                client.send(ByteBuffer.allocate(4).putInt(0, 2));
                assertEquals(2, DatagramPair.receive(server, from));
                server.send(ByteBuffer.allocate(4).putInt(0, 3), from);
                assertEquals(3, DatagramPair.receive(client, to));
                assertEquals(1, client.counters().sent());
            } finally {
                ports.removeGid(1, added);
            }
        } finally {
            // other tests use this address
            Verbs.select("soft:[::1]").capability(DeviceRemoval.class).orElseThrow().remove();
        }
    }

    @Test
    void aSocketAtTheWildcardAddressOfADeviceWithOneAddressHasThat() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm");
                RdmaDatagramSocket third = RdmaDatagramSocket.open(pair.leftContext())) {
            assertEquals(pair.left().localAddress().getAddress(), third.localAddress().getAddress());
            DatagramPair.exchange(third, pair.right(), 1);
        }
    }

    @Test
    void aPeerThatIsOpenedAgainAtItsPortIsReachedOverRdmaAgain() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm")) {
            pair.resolve();
            InetSocketAddress address = pair.right().localAddress();
            pair.right().close();
            try (RdmaDatagramSocket again = RdmaDatagramSocket.open(pair.rightContext(), address)) {
                DatagramPair.exchange(again, pair.left(), 1);
                DatagramPair.await("the resolution", () -> pair.left().isResolved(address));
                DatagramPair.exchange(pair.left(), again, 2);
                assertEquals(1, pair.left().counters().sent());
            }
        }
    }

    @Test
    void aPeerThatDoesNotExistIsNotNoticed() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm")) {
            InetSocketAddress address = pair.right().localAddress();
            pair.right().close();
            for (int i = 0; i < 10; i++) {
                assertTrue(pair.left().trySend(ByteBuffer.allocate(8), address));
            }
            assertFalse(pair.left().isResolved(address));
            assertFalse(pair.left().awaitReadable(Duration.ofMillis(20)));
            assertEquals(10, pair.left().counters().sentOverUdp());
        }
    }

    @Test
    void theLeastRecentlyUsedPeerLosesItsPlace() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm", RdmaDatagramOptions.DEFAULT.withMaxPeers(2));
                RdmaDatagramSocket third = RdmaDatagramSocket.open(pair.leftContext(),
                        DatagramPair.anyPort(pair.leftContext()))) {
            pair.resolve();
            DatagramPair.exchange(pair.right(), pair.left(), 1);
            try (RdmaDatagramSocket fourth = RdmaDatagramSocket.open(pair.leftContext(),
                    DatagramPair.anyPort(pair.leftContext()))) {
                DatagramPair.exchange(third, pair.right(), 2);
                DatagramPair.await("the resolution", () -> pair.right().isResolved(third.localAddress()));
                DatagramPair.exchange(fourth, pair.right(), 3);
                DatagramPair.await("the resolution", () -> pair.right().isResolved(fourth.localAddress()));
                assertFalse(pair.right().isResolved(third.localAddress()), "it was not sent to");
                assertTrue(pair.right().isResolved(pair.left().localAddress()));
                DatagramPair.exchange(pair.right(), third, 4);
            }
        }
    }

    @Test
    void aPortThatIsInUseIsRefused() throws Exception {
        try (DatagramPair pair = DatagramPair.open("jvm")) {
            String sentence = assertThrows(IOException.class,
                    () -> RdmaDatagramSocket.open(pair.leftContext(), pair.left().localAddress())).getMessage();
            assertTrue(sentence.contains("no UDP socket can be bound to"), sentence);
        }
    }

    @Test
    void anAddressThatTheHostDoesNotHaveIsRefused() {
        try (RdmaContext context = Verbs.open("soft")) {
            String sentence = assertThrows(IOException.class,
                    () -> RdmaDatagramSocket.open(context, DatagramPair.anyPort(context))).getMessage();
            assertTrue(sentence.contains("no UDP socket can be bound to"), sentence);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1:0", "0.0.0.0:7", "224.0.0.1:7", "[::1]:7"})
    void anAddressThatIsNoPeerIsRefused(String text) throws Exception {
        int colon = text.lastIndexOf(':');
        InetSocketAddress peer = new InetSocketAddress(text.substring(0, colon),
                Integer.parseInt(text.substring(colon + 1)));
        try (DatagramPair pair = DatagramPair.open("jvm")) {
            assertThrows(IllegalArgumentException.class, () -> pair.left().connect(peer));
            assertThrows(IllegalArgumentException.class,
                    () -> pair.left().trySend(ByteBuffer.allocate(1), InetSocketAddress.createUnresolved("host", 1)));
            assertEquals(0, pair.left().counters().sentOverUdp());
        }
    }
}
