package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.CmMessageType;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.PrivateData;
import io.jverbs.soft.management.message.ReadyToUse;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The events of CM IDs whose peer does not respond, rejects, or sends what it should not. */
final class CmIdOutcomesTest {
    private static final int PORT = CmHost.PORT;
    /** The offset of the private data of a REQ in its datagram. */
    private static final int REQ_DATA = 24 + 140;
    /** The byte of a REQ with the transport in the bits 1 and 2. */
    private static final int REQ_TRANSPORT = 24 + 43;
    private static final CmParameters PARAMETERS = new CmParameters(new byte[0], 1, 1, false, 5, 6, false, 100, 0);

    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);
    private CmIdOps active;
    private CmIdOps passive;

    private void runMillis(long millis) {
        network.runUntil(network.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Connects up to the accept of the passive side. */
    private void acceptRequest() {
        server.listen(server.address(PORT), 1);
        active = client.connect(server, PARAMETERS);
        CmEventData request = server.next(CmEventType.CONNECT_REQUEST);
        passive = request.id();
        passive.owner("child");
        passive.accept(PARAMETERS);
        client.next(CmEventType.CONNECT_RESPONSE);
    }

    private void establish() {
        acceptRequest();
        active.establish();
        server.next(CmEventType.ESTABLISHED);
    }

    private void assertNoEvents() {
        runMillis(600_000);
        assertNull(client.poll());
        assertNull(server.poll());
    }

    /** K30, K120: 16 DREQs, each after 6144 ms. */
    @Test
    void aDisconnectWithoutResponseIsReportedAsATimeout() {
        establish();
        network.filter((mad, path) -> false);
        active.disconnect();
        runMillis(16 * 6144 - 1);
        assertNull(client.poll());
        assertEquals(-Errno.ETIMEDOUT.code(), client.next(CmEventType.DISCONNECTED).status());
        runMillis(2048);
        client.next(CmEventType.TIMEWAIT_EXIT);
        assertNull(client.poll());
    }

    /** K30, K120. */
    @Test
    void aDisconnectWithAResponseHasTheStatus0OnBothSides() {
        establish();
        active.disconnect();
        assertEquals(0, server.next(CmEventType.DISCONNECTED).status());
        passive.disconnect();
        assertEquals(0, client.next(CmEventType.DISCONNECTED).status());
    }

    /** K121: there is no TIMEWAIT_EXIT for an ID that is destroyed. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIdThatIsDestroyedGetsNoTimewaitExit(boolean isDisconnected) {
        establish();
        if (isDisconnected) {
            active.disconnect();
            server.next(CmEventType.DISCONNECTED);
            passive.disconnect();
            client.next(CmEventType.DISCONNECTED);
        }
        active.destroy();
        passive.destroy();
        assertNoEvents();
        assertEquals(0, client.device.agent().call(client.device.agent()::size));
        assertEquals(0, server.device.agent().call(server.device.agent()::size));
    }

    /** K112, K117: the peer has lost its half of an established connection. */
    @Test
    void aRejOfAnEstablishedConnectionIsReportedOnceWithItsReason() {
        ConnectReject[] reject = new ConnectReject[1];
        network.filter((mad, path) -> {
            if (CmMessage.decode(mad) instanceof ReadyToUse ready) {
                reject[0] = new ConnectReject(ready.remoteCommId(), ready.localCommId(), CmMessageType.OTHER,
                        RejectReason.CONSUMER_DEFINED, PrivateData.NONE, PrivateData.NONE);
            }
            return true;
        });
        establish();
        assertNotNull(reject[0]);
        for (int i = 0; i < 2; i++) {
            client.device.agent().receive(reject[0].encode(1), new CmPath(client.gid, server.gid));
            client.device.agent().run(() -> {});
        }
        assertEquals(RejectReason.CONSUMER_DEFINED, client.next(CmEventType.REJECTED).status());
        passive.destroy();
        assertNoEvents();
    }

    /** K119: the DREQ overtakes the RTU. */
    @Test
    void aDisconnectBeforeTheRtuIsReportedAndTheRtuThatFollowsIsNot() {
        acceptRequest();
        ManagementDatagram[] late = new ManagementDatagram[1];
        network.filter((mad, path) -> {
            if (mad.attribute() == CmAttribute.RTU) {
                late[0] = mad;
                return false;
            }
            return true;
        });
        active.establish();
        active.disconnect();
        server.next(CmEventType.DISCONNECTED);
        server.device.agent().receive(late[0], new CmPath(server.gid, client.gid));
        server.device.agent().run(() -> {});
        runMillis(1);
        assertNull(server.poll());
        passive.disconnect();
        client.next(CmEventType.DISCONNECTED);
    }

    /** Changes a byte of each REQ on its way. */
    private void alterRequests(int offset, int and, int or) {
        network.filter((mad, path) -> {
            if (mad.attribute() != CmAttribute.REQ) {
                return true;
            }
            byte[] bytes = mad.toBytes();
            bytes[offset] = (byte) (bytes[offset] & and | or);
            server.device.agent().receive(ManagementDatagram.of(bytes), new CmPath(server.gid, client.gid));
            return false;
        });
    }

    /** K54, K89: the columns are an offset in the header of the private data, a value and what it means. */
    @ParameterizedTest
    @CsvSource({"0, 1, header version 1", "1, 0x50, IP version 5", "1, 0, IP version 0"})
    void aRequestWhoseHeaderIsNotUnderstoodIsRejectedWithReason28(int offset, int value, String meaning) {
        server.listen(server.address(PORT), 1);
        alterRequests(REQ_DATA + offset, 0, value);
        client.connect(server, PARAMETERS);
        CmEventData rejected = client.next(CmEventType.REJECTED);
        assertEquals(RejectReason.CONSUMER_DEFINED, rejected.status(), meaning);
        assertEquals(PrivateData.of(new byte[148]), PrivateData.of(rejected.parameters().privateData()));
        assertNull(server.poll());
    }

    /** K47, K54. */
    @Test
    void aRequestOfAnotherQueuePairTypeIsRejectedWithReason28() {
        server.listen(server.address(PORT), 1);
        alterRequests(REQ_TRANSPORT, ~0b110, 0b010);
        client.connect(server, PARAMETERS);
        assertEquals(RejectReason.CONSUMER_DEFINED, client.next(CmEventType.REJECTED).status());
        assertNull(server.poll());
    }

    /** K54: the listener has another address of the device. */
    @Test
    void aRequestForAnotherAddressThanTheListenersIsRejectedWithReason28() {
        server.listen(server.secondAddress(PORT), 1);
        client.connect(server, PARAMETERS);
        assertEquals(RejectReason.CONSUMER_DEFINED, client.next(CmEventType.REJECTED).status());
        assertNull(server.poll());
    }

    /** K108: 16 SIDR_REQs, each after 4096 ms. */
    @Test
    void aLookupWithoutReplyIsUnreachable() {
        CmIdOps id = client.resolve(client.datagramId(), server.address(PORT));
        network.filter((mad, path) -> false);
        id.connect(PARAMETERS);
        runMillis(16 * 4096 - 1);
        assertNull(client.poll());
        assertEquals(-Errno.ETIMEDOUT.code(), client.next(CmEventType.UNREACHABLE).status());
        assertEquals(16, client.device.agent().counters().sent(CmAttribute.SIDR_REQ));
    }

    /** K59: a lookup of an ID that is destroyed ends, and its reply is for nobody. */
    @Test
    void aLookupOfADestroyedIdEnds() {
        CmIdOps id = client.resolve(client.datagramId(), server.address(PORT));
        id.connect(PARAMETERS);
        id.destroy();
        assertNoEvents();
        assertEquals(1, client.device.agent().counters().sent(CmAttribute.SIDR_REQ));
        assertEquals(0, client.device.agent().call(client.device.agent()::size));
    }

    /** K78, K11: the device connects to itself. */
    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "127.0.0.1", "127.0.0.77"})
    void aWildcardOrLoopbackDestinationIsTheDevicesOwnAddress(String destination) {
        server.listen(new InetSocketAddress("0.0.0.0", PORT), 1);
        CmIdOps id = server.resolve(server.id(), new InetSocketAddress(destination, PORT));
        assertEquals(server.gid, id.route().remoteGid());
        assertEquals(server.gid, id.route().localGid());
        id.connect(PARAMETERS);
        CmEventData request = server.next(CmEventType.CONNECT_REQUEST);
        assertEquals(server.address(PORT), request.id().route().local());
    }

    /** K61, K130: the software device joins groups of both families, and no others. */
    @ParameterizedTest
    @CsvSource({"239.1.2.3, true", "ff15::1, true", "192.0.2.2, false", "0.0.0.0, false", "::, false"})
    void onlyAMulticastAddressIsJoined(String group, boolean allowed) {
        CmIdOps id = client.datagramId();
        id.bind(client.address(0));
        InetSocketAddress address = new InetSocketAddress(group, 0);
        if (allowed) {
            id.join(address, false, "context");
            CmEventData joined = client.next(CmEventType.MULTICAST_JOIN);
            assertEquals("context", joined.context());
        } else {
            assertEquals(Errno.EINVAL, assertThrows(
                    VerbsException.class, () -> id.join(address, false, "context")).error());
            assertNull(client.poll());
        }
    }
}
