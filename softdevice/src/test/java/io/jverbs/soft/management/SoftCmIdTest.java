package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.Mtu;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.management.communication.CmDurations;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.ConnectReply;
import io.jverbs.soft.management.message.ConnectRequest;
import io.jverbs.soft.management.message.KernelMessages;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** CM IDs of two devices: the calls of both programs, and the events that they get. */
final class SoftCmIdTest {
    private static final int FAMILY_ONLY = 2;
    private static final int PORT = 7471;

    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);

    private static CmParameters parameters(int qpn, int resources, int depth, String data) {
        return new CmParameters(data.getBytes(), resources, depth, false, 5, 6, false, qpn, 0);
    }

    private static String text(CmEventData event, int length) {
        byte[] data = event.parameters().privateData();
        assertArrayEquals(new byte[data.length - length], Arrays.copyOfRange(data, length, data.length));
        return new String(data, 0, length);
    }

    private static Errno errno(Runnable task) {
        return assertThrows(VerbsException.class, task::run).error();
    }

    private static CmIdOps child(CmEventData event) {
        event.id().owner("child of " + event.listener().owner());
        return event.id();
    }

    /**
     * K41, K42, K106: the starting PSN of a message is that of the first packet of its receiver. So it is in the
     * conversation of two kernels whose messages {@code kernel-messages.txt} has: after the second REQ, with starting
     * PSN 0xB8844E, and its REP, with 0x239325, the client's first SEND has the PSN 0x239325, and the server's first
     * READ has 0xB8844E.
     */
    @Test
    void eachSideSendsItsFirstPacketWithTheStartingPsnOfThePeersMessage() throws IOException {
        ConnectRequest request = KernelMessages.of(ConnectRequest.class).get(1);
        ConnectReply reply = KernelMessages.of(ConnectReply.class).get(0);
        NegotiatedAttributes clientAttributes = new NegotiatedAttributes(QpType.RC);
        clientAttributes.reqSent(request, CmDurations.PACKET_LIFE_TIME);
        clientAttributes.repReceived(reply);
        NegotiatedAttributes serverAttributes = new NegotiatedAttributes(QpType.RC);
        serverAttributes.reqReceived(request);
        serverAttributes.repSent(reply);
        CmOptions options = new CmOptions();
        assertEquals(0x239325,
                clientAttributes.attributes(QpState.RTS, null, null, request.startingPsn(), options).sqPsn());
        assertEquals(0xB8844E,
                serverAttributes.attributes(QpState.RTS, null, null, reply.startingPsn(), options).sqPsn());
    }

    /** K5, K6, K16, K18, K52, K92, K103, K106. */
    @Test
    void bothSidesGetTheParametersOfThePeerAndTheAttributesOfTheQueuePair() {
        server.listen(server.address(PORT), 1);
        CmIdOps active = client.connect(server, parameters(100, 3, 4, "hello"));
        CmEventData request = server.next(CmEventType.CONNECT_REQUEST);
        assertEquals("hello", text(request, 5));
        assertEquals(ConnectionService.REQUEST_DATA, request.parameters().privateData().length);
        assertEquals(4, request.parameters().responderResources());
        assertEquals(3, request.parameters().initiatorDepth());
        CmIdOps passive = child(request);
        assertEquals("child of owner 2", passive.owner());
        assertEquals(server.address(PORT), passive.route().local());
        assertEquals(active.route().local(), passive.route().remote());
        server.run(() -> passive.accept(parameters(200, 1, 2, "welcome")));
        CmEventData response = client.next(CmEventType.CONNECT_RESPONSE);
        assertEquals("welcome", text(response, 7));
        assertEquals(ConnectionService.REPLY_DATA, response.parameters().privateData().length);
        assertEquals(2, response.parameters().responderResources());
        client.run(active::establish);
        server.next(CmEventType.ESTABLISHED);

        QpAttributes activeRtr = active.qpAttributes(QpState.RTR);
        QpAttributes passiveRts = passive.qpAttributes(QpState.RTS);
        assertEquals(200, activeRtr.destinationQpn());
        assertEquals(100, passive.qpAttributes(QpState.RTR).destinationQpn());
        assertEquals(passiveRts.sqPsn(), activeRtr.rqPsn());
        assertEquals(active.qpAttributes(QpState.RTS).sqPsn(), passive.qpAttributes(QpState.RTR).rqPsn());
        assertEquals(2, activeRtr.maxDestRdAtomic());
        assertEquals(1, active.qpAttributes(QpState.RTS).maxRdAtomic());
        assertEquals(1, passive.qpAttributes(QpState.RTR).maxDestRdAtomic());
        assertEquals(2, passiveRts.maxRdAtomic());
        assertEquals(5, passiveRts.retryCount());
        assertEquals(6, passiveRts.rnrRetry());
        assertEquals(19, passiveRts.timeout());
        assertEquals(Mtu.MTU_1024, activeRtr.pathMtu());
        assertEquals(server.gid, activeRtr.addressVector().destination());
        assertEquals(Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC,
                active.qpAttributes(QpState.INIT).accessFlags());
    }

    /** K107. */
    @Test
    void anIdWithoutResponderResourcesAllowsNoReads() {
        server.listen(server.address(PORT), 1);
        client.connect(server, parameters(100, 1, 1, ""));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        server.run(() -> passive.accept(parameters(200, 0, 0, "")));
        assertEquals(Access.REMOTE_WRITE, passive.qpAttributes(QpState.INIT).accessFlags());
    }

    /** K28 to K31, K117: the column is which sides disconnect. */
    @ParameterizedTest
    @CsvSource({"active", "passive", "both", "active twice"})
    void eachSideIsDisconnectedOnceIfEitherDisconnects(String who) {
        server.listen(server.address(PORT), 1);
        CmIdOps active = client.connect(server, parameters(100, 1, 1, ""));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        server.run(() -> passive.accept(parameters(200, 1, 1, "")));
        client.next(CmEventType.CONNECT_RESPONSE);
        client.run(active::establish);
        server.next(CmEventType.ESTABLISHED);
        if (!who.equals("passive")) {
            client.run(active::disconnect);
        }
        if (who.equals("active twice")) {
            client.run(active::disconnect);
        }
        if (who.equals("passive") || who.equals("both")) {
            server.run(passive::disconnect);
        }
        network.runUntil(network.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1));
        // K29: the other side responds when its program disconnects
        client.run(active::disconnect);
        server.run(passive::disconnect);
        for (CmHost host : new CmHost[] {client, server}) {
            host.next(CmEventType.DISCONNECTED);
            network.runUntil(network.nanoTime() + TimeUnit.SECONDS.toNanos(3));
            host.next(CmEventType.TIMEWAIT_EXIT);
            assertNull(host.poll());
        }
    }

    /** K23, K54, K90, K113: the columns are where the server listens, and the reason. */
    @ParameterizedTest
    @CsvSource({"nowhere, 8", "another port, 8", "another address, 28"})
    void aRequestWithoutAListenerIsRejected(String where, int reason) {
        if (where.equals("another port")) {
            server.listen(server.address(PORT + 1), 1);
        } else if (where.equals("another address")) {
            CmIdOps id = server.id();
            server.run(() -> {
                id.bind(new InetSocketAddress("::", PORT));
                id.option(FAMILY_ONLY, 1);
                id.listen(1);
            });
        }
        client.connect(server, parameters(100, 1, 1, ""));
        assertEquals(reason, client.next(CmEventType.REJECTED).status());
    }

    /** K23. */
    @Test
    void aRejectCarriesPrivateData() {
        server.listen(server.address(PORT), 1);
        client.connect(server, parameters(100, 1, 1, ""));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        server.run(() -> passive.reject(28, "no".getBytes()));
        CmEventData rejected = client.next(CmEventType.REJECTED);
        assertEquals(28, rejected.status());
        assertEquals("no", text(rejected, 2));
        assertEquals(ConnectionService.REJECT_DATA, rejected.parameters().privateData().length);
    }

    /** K14, K51: a request beyond the backlog is dropped, and succeeds when it is sent again. */
    @Test
    void aRequestBeyondTheBacklogIsDroppedAndSucceedsLater() {
        server.listen(server.address(PORT), 2);
        for (int i = 0; i < 3; i++) {
            client.connect(server, parameters(100 + i, 1, 1, ""));
        }
        for (int i = 0; i < 2; i++) {
            server.next(CmEventType.CONNECT_REQUEST);
        }
        assertNull(server.poll());
        network.runUntil(network.nanoTime() + TimeUnit.SECONDS.toNanos(7));
        server.next(CmEventType.CONNECT_REQUEST);
        assertEquals(0, client.device.agent().counters().received(CmAttribute.REJ));
    }

    /** K15, K16, K97, K164: the columns are the call, the length, and whether it is allowed. */
    @ParameterizedTest
    @CsvSource({"connect, 56, true", "connect, 57, false", "accept, 196, true", "accept, 197, false",
        "reject, 148, true", "reject, 149, false"})
    void privateDataThatDoesNotFitIsRefused(String call, int length, boolean allowed) {
        server.listen(server.address(PORT), 1);
        CmIdOps active = client.resolve(server);
        CmParameters data = parameters(100, 1, 1, "x".repeat(length));
        Runnable task = () -> client.run(() -> active.connect(data));
        if (!call.equals("connect")) {
            client.run(() -> active.connect(parameters(100, 1, 1, "")));
            CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
            task = () -> server.run(() -> {
                if (call.equals("accept")) {
                    passive.accept(data);
                } else {
                    passive.reject(28, data.privateData());
                }
            });
        }
        if (allowed) {
            task.run();
        } else {
            assertEquals(Errno.EINVAL, errno(task));
        }
    }

    /** K4, K12, K13, K96, K116: calls in the wrong state change nothing. */
    @Test
    void aCallInTheWrongStateIsRefusedAndNamesTheState() {
        CmIdOps id = client.id();
        assertEquals(Errno.EINVAL, errno(() -> id.resolveRoute(0)));
        assertEquals(Errno.EINVAL, errno(() -> id.connect(parameters(1, 1, 1, ""))));
        assertEquals(Errno.EINVAL, errno(() -> id.accept(parameters(1, 1, 1, ""))));
        assertEquals(Errno.EINVAL, errno(id::establish));
        assertEquals(Errno.EINVAL, errno(id::disconnect));
        client.run(() -> id.bind(client.address(0)));
        VerbsException again = assertThrows(VerbsException.class, () -> id.bind(client.address(0)));
        assertTrue(again.getMessage().contains("state ADDR_BOUND"), again.getMessage());
        client.run(() -> id.listen(0));
        assertEquals(Errno.EINVAL, errno(() -> id.listen(0)));
    }

    /** K4: no state would allow the call. */
    @Test
    void aCallForADestroyedIdIsRefusedAndSaysThatItIsDestroyed() {
        CmIdOps id = client.id();
        id.destroy();
        List<Runnable> calls = List.of(() -> id.option(FAMILY_ONLY, 1), () -> id.postUserEvent(0, 1),
                () -> id.migrate(client.channel));
        for (Runnable call : calls) {
            VerbsException refusal = assertThrows(VerbsException.class, call::run);
            assertEquals(Errno.EINVAL, refusal.error());
            assertTrue(refusal.getMessage().contains("the ID is destroyed"), refusal.getMessage());
        }
    }

    /** K134: either channel has the request and its ID, whichever thread is first. */
    @Test
    void aRequestThatIsRetrievedWhileItsListenerMovesBelongsToTheChannelThatHadIt() throws Exception {
        for (int round = 0; round < 300; round++) {
            SoftCmChannel second = new SoftCmChannel(server.device, EventWait.PARKING);
            CmIdOps listener = server.listen(server.address(PORT), 1);
            CmIdOps active = client.connect(server, parameters(100, 1, 1, ""));
            network.runUntil(network.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1));
            CyclicBarrier together = new CyclicBarrier(2);
            FutureTask<CmEventData> retrieving = CmPair.start(() -> {
                together.await();
                return server.channel.await(0);
            });
            together.await();
            listener.migrate(second);
            CmEventData first = CmPair.resultOf(retrieving);
            CmEventData request = first == null ? second.await(0) : first;
            assertSame(first == null ? second : server.channel, ((LockedCmId) request.id()).id().channel());
            active.destroy();
            request.id().destroy();
            listener.destroy();
        }
    }

    /** K9, K50. */
    @Test
    void anAddressOfAnotherDeviceIsRefused() {
        CmIdOps id = client.id();
        VerbsException refusal = assertThrows(VerbsException.class, () -> id.bind(server.address(PORT)));
        assertEquals(Errno.ENODEV, refusal.error());
        assertTrue(refusal.getMessage().contains("192.0.2.1"), refusal.getMessage());
    }

    /** K13, K70. */
    @Test
    void anIdThatIsNotBoundListensAtAnyPort() {
        CmIdOps id = server.id();
        server.run(() -> id.listen(0));
        assertTrue(id.route().local().getAddress().isAnyLocalAddress() && id.route().local().getPort() != 0);
    }

    /** K66: the port is free, and the children live on. */
    @Test
    void theDestructionOfAListenerFreesItsPort() {
        CmIdOps listener = server.listen(server.address(PORT), 1);
        client.connect(server, parameters(100, 1, 1, ""));
        CmIdOps passive = child(server.next(CmEventType.CONNECT_REQUEST));
        server.run(listener::destroy);
        server.listen(server.address(PORT), 1);
        server.run(() -> passive.accept(parameters(200, 1, 1, "")));
        client.next(CmEventType.CONNECT_RESPONSE);
    }

    /** K79. */
    @Test
    void anAddressThatIsNotReachedIsAnErrorAndMayBeResolvedAgain() {
        CmIdOps id = client.id();
        client.run(() -> id.resolveAddress(null, new InetSocketAddress("198.51.100.1", PORT), 0));
        assertEquals(-Errno.EHOSTUNREACH.code(), client.next(CmEventType.ADDR_ERROR).status());
        client.run(() -> id.resolveAddress(null, server.address(PORT), 0));
        client.next(CmEventType.ADDR_RESOLVED);
    }
}
