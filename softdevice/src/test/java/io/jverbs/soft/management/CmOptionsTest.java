package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.QpState;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the options of a CM ID change, and the addresses that IDs can be bound to at the same time. */
final class CmOptionsTest {
    private static final int TOS = 0;
    private static final int FAMILY_ONLY = 2;
    private static final int ACK_TIMEOUT = 3;
    private static final int NO_OPTION = -1;

    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);
    private final List<CmMessage> sent = new ArrayList<>();

    private static CmParameters parameters(int qpn) {
        return new CmParameters(new byte[0], 1, 1, false, 5, 6, false, qpn, 0);
    }

    private static Errno errno(Runnable task) {
        return assertThrows(VerbsException.class, task::run).error();
    }

    private void runMillis(long millis) {
        network.runUntil(network.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    /** Accepts the request that the server gets next. */
    private CmIdOps accept(int ackTimeout) {
        CmEventData request = server.next(CmEventType.CONNECT_REQUEST);
        request.id().owner("child");
        if (ackTimeout != NO_OPTION) {
            request.id().option(ACK_TIMEOUT, ackTimeout);
        }
        request.id().accept(parameters(200));
        return request.id();
    }

    /** K62, K83: the column is whether it is set before the route is resolved. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theTypeOfServiceIsTheTrafficClassOfBothQueuePairs(boolean before) {
        server.listen(server.address(CmHost.PORT), 1);
        CmIdOps active = client.id();
        if (before) {
            active.option(TOS, 32);
        }
        client.resolve(active, server.address(CmHost.PORT));
        active.option(TOS, before ? 64 : 32);
        active.connect(parameters(100));
        CmIdOps passive = accept(NO_OPTION);
        client.next(CmEventType.CONNECT_RESPONSE);
        AhAttributes passivePath = passive.qpAttributes(QpState.RTR).addressVector();
        assertEquals(before ? 32 : 0, passivePath.trafficClass());
        assertEquals(before ? 32 : 0, active.qpAttributes(QpState.RTR).addressVector().trafficClass());
    }

    /** K62, K126: the column is whether it is set before the route is resolved. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theTypeOfServiceIsTheTrafficClassOfDatagrams(boolean before) {
        CmIdOps listener = server.datagramId();
        listener.bind(server.address(CmHost.PORT));
        listener.listen(1);
        CmIdOps active = client.datagramId();
        if (before) {
            active.option(TOS, 32);
        }
        client.resolve(active, server.address(CmHost.PORT));
        active.option(TOS, before ? 64 : 32);
        active.connect(parameters(100));
        accept(NO_OPTION);
        assertEquals(before ? 32 : 0, client.next(CmEventType.ESTABLISHED).address().trafficClass());
    }

    /** K55: two life times and 4096 ms; K102. The columns are T, what the REQ has, and the milliseconds to the next. */
    @ParameterizedTest
    @CsvSource({"15, 16, 4224", "10, 15, 4100", "1, 15, 4098", "0, 19, 6144", "-1, 19, 6144"})
    void anAckTimeoutThatIsSetBeforeTheRouteIsResolvedIsTheLifeTimePlus1(int timeout, int inRequest, long millis) {
        CmIdOps active = client.id();
        if (timeout != NO_OPTION) {
            active.option(ACK_TIMEOUT, timeout);
        }
        loseAll();
        client.resolve(active, server.address(CmHost.PORT));
        connectAndAssert(active, inRequest, millis);
    }

    private void loseAll() {
        network.filter((mad, path) -> {
            sent.add(CmMessage.decode(mad));
            return false;
        });
    }

    private void connectAndAssert(CmIdOps active, int ackTimeout, long millis) {
        active.connect(parameters(100));
        assertEquals(ackTimeout, ((ConnectRequest) sent.getFirst()).primaryPath().localAckTimeout());
        runMillis(millis - 1);
        assertEquals(1, sent.size());
        runMillis(1);
        assertEquals(2, sent.size());
    }

    /** K55. */
    @Test
    void anAckTimeoutThatIsSetAfterTheRouteIsResolvedDoesNotChangeIt() {
        loseAll();
        CmIdOps active = client.resolve(server);
        active.option(ACK_TIMEOUT, 10);
        connectAndAssert(active, 19, 6144);
    }

    /** K103: the columns are which side sets it to which value, and the ACK timeouts of both queue pairs. */
    @ParameterizedTest
    @CsvSource({"active, 8, 8, 15", "active, 0, 0, 19", "passive, 8, 19, 8", "passive, 0, 19, 0", "none, 0, 19, 19"})
    void anAckTimeoutIsThatOfTheOwnQueuePairOnly(String side, int timeout, int expectedActive, int expectedPassive) {
        server.listen(server.address(CmHost.PORT), 1);
        CmIdOps active = client.id();
        if (side.equals("active")) {
            active.option(ACK_TIMEOUT, timeout);
        }
        client.resolve(active, server.address(CmHost.PORT));
        active.connect(parameters(100));
        CmIdOps passive = accept(side.equals("passive") ? timeout : NO_OPTION);
        client.next(CmEventType.CONNECT_RESPONSE);
        assertEquals(expectedActive, active.qpAttributes(QpState.RTS).timeout());
        assertEquals(expectedPassive, passive.qpAttributes(QpState.RTS).timeout());
    }

    /** K103, K121: the columns are the delay in the REP, and the time in TIMEWAIT; the life time is 18. */
    @ParameterizedTest
    @CsvSource({"0, 19", "18, 20", "19, 20", "22, 22"})
    void timewaitOfTheActiveSideIncludesTheDelayOfThePeer(int delay, int code) {
        server.listen(server.address(CmHost.PORT), 1);
        network.filter((mad, path) -> {
            if (mad.attribute() != CmAttribute.REP) {
                return true;
            }
            ConnectReply reply = (ConnectReply) CmMessage.decode(mad);
            client.device.agent().receive(new ConnectReply(reply.localCommId(), reply.remoteCommId(), 0, reply.qpn(),
                    reply.startingPsn(), 1, 1, delay, 0, false, 7, false, reply.caGuid(), reply.ece(),
                    reply.privateData()).encode(mad.transactionId()),
                    new CmPath(client.gid, server.gid));
            client.device.agent().run(() -> {});
            return false;
        });
        CmIdOps active = client.connect(server, parameters(100));
        CmIdOps passive = accept(NO_OPTION);
        client.next(CmEventType.CONNECT_RESPONSE);
        assertEquals(code, active.qpAttributes(QpState.RTS).timeout());
        active.establish();
        server.next(CmEventType.ESTABLISHED);
        active.disconnect();
        server.next(CmEventType.DISCONNECTED);
        long begin = network.nanoTime();
        passive.disconnect();
        client.next(CmEventType.DISCONNECTED);
        long millis = 1L << code - 8;
        network.runUntil(begin + TimeUnit.MILLISECONDS.toNanos(millis));
        assertNull(client.poll());
        runMillis(1);
        assertEquals(CmEventType.TIMEWAIT_EXIT, client.poll().type());
    }

    /** K69, K88: as on Linux, which sets the option of an ID at an IPv4 address unless the program has set it. */
    @ParameterizedTest
    @ValueSource(ints = {NO_OPTION, 1, 0})
    void anIdAtTheIpv4WildcardAddressIsLimitedToItsFamilyUnlessTheProgramSaysOtherwise(int option)
            throws UnknownHostException {
        CmIdOps first = server.id();
        if (option != NO_OPTION) {
            first.option(FAMILY_ONLY, option);
        }
        first.bind(new InetSocketAddress("0.0.0.0", CmHost.PORT));
        CmIdOps second = server.id();
        second.option(FAMILY_ONLY, 1);
        InetSocketAddress ipv6 = new InetSocketAddress("::", CmHost.PORT);
        if (option == 0) {
            assertEquals(Errno.EADDRNOTAVAIL, errno(() -> second.bind(ipv6)));
        } else {
            second.bind(ipv6);
        }
        first.listen(1);
        boolean servesIpv6 = ((LockedCmId) first).id().binding().accepts(InetAddress.getByName("2001:db8::1"));
        assertEquals(option == 0, servesIpv6);
    }

    /** K69: the option is off for IPv6, so the wildcard address takes the port of both families. */
    @Test
    void anIdAtTheIpv6WildcardAddressServesBothFamilies() {
        server.id().bind(new InetSocketAddress("::", CmHost.PORT));
        CmIdOps other = server.id();
        assertEquals(Errno.EADDRNOTAVAIL, errno(() -> other.bind(new InetSocketAddress("0.0.0.0", CmHost.PORT))));
    }

    /** K49: the device has another address, so a loopback address stands for all of its addresses. */
    @ParameterizedTest
    @CsvSource({"127.0.0.1, 127.0.0.1", "127.0.0.1, 127.0.0.2", "127.0.0.1, 192.0.2.2", "192.0.2.2, 127.0.0.1",
        "127.0.0.1, 0.0.0.0"})
    void aLoopbackAddressCountsAsAny(String first, String second) {
        server.id().bind(new InetSocketAddress(first, CmHost.PORT));
        CmIdOps other = server.id();
        assertEquals(Errno.EADDRNOTAVAIL, errno(() -> other.bind(new InetSocketAddress(second, CmHost.PORT))));
        assertNull(other.route().local());
    }

    /** K49, K71, K92. */
    @Test
    void aListenerAtALoopbackAddressGetsRequestsForTheAddressOfTheDevice() {
        server.listen(new InetSocketAddress("127.0.0.1", CmHost.PORT), 1);
        client.connect(server, parameters(100));
        CmIdOps.Route route = server.next(CmEventType.CONNECT_REQUEST).id().route();
        assertEquals(server.address(CmHost.PORT), route.local());
    }
}
