package io.jverbs.soft.management;

import static io.jverbs.soft.management.CmPair.LONG;
import static io.jverbs.soft.management.CmPair.SHORT;
import static io.jverbs.soft.management.CmPair.resultOf;
import static io.jverbs.soft.management.CmPair.start;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QueuePair;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When the steps of synchronous IDs end, and when they do not wait. */
@Timeout(60)
final class SynchronousStepsTest {
    private static final InetSocketAddress GROUP = new InetSocketAddress("239.1.2.3", 0);

    private static String refused(Errno errno, Executable call) {
        VerbsException refusal = assertThrows(VerbsException.class, call);
        assertEquals(errno, refusal.error(), refusal::getMessage);
        return refusal.getMessage();
    }

    /** K117, K118, K138: each side gets one DISCONNECTED; a further disconnect waits for none. */
    @Test
    void aSecondDisconnectReturnsAtOnce() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP); SynchronousCmId server = pair.connect()) {
            FutureTask<Object> disconnected = start(() -> {
                server.disconnect(LONG);
                return null;
            });
            pair.client.disconnect(LONG);
            resultOf(disconnected);
            assertEquals(CmEventType.DISCONNECTED, pair.client.event().type());

            pair.client.disconnect();
            server.disconnect();

            assertEquals(QpState.ERR, pair.client.queuePair().state());
        }
    }

    /** K28, K29: the DREP that the peer waits for is sent, although the event was retrieved before. */
    @Test
    void aDisconnectAfterTheEventWasRetrievedRespondsToThePeerAndReturns() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP); SynchronousCmId server = pair.connect()) {
            FutureTask<Object> disconnected = start(() -> {
                server.disconnect(LONG);
                return null;
            });
            pair.client.id().channel().awaitEvent().close();

            pair.client.disconnect();

            resultOf(disconnected);
        }
    }

    /** K126: a UD ID has no connection that could end. */
    @Test
    void aDisconnectOfADatagramIdReturnsAtOnce() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.UDP); SynchronousCmId server = pair.connect()) {
            pair.client.disconnect();
            server.disconnect();
        }
    }

    @Test
    void aDisconnectAfterARejectReturnsAtOnce() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            FutureTask<Object> rejected = start(() -> {
                try (SynchronousCmId server = pair.listener.getRequest()) {
                    server.reject(ByteBuffer.allocate(0));
                }
                return null;
            });
            CmException failure = assertThrows(CmException.class,
                    () -> pair.client.connect(ConnectionParameters.DEFAULT));
            assertEquals(CmEventType.REJECTED, failure.type());

            pair.client.disconnect();

            resultOf(rejected);
        }
    }

    /** K109: the queue pair cannot be connected, because the program has moved it. */
    @Test
    void aDisconnectAfterTheQueuePairCouldNotBeConnectedReturnsAtOnce() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            FutureTask<Object> accepted = start(() -> {
                try (SynchronousCmId server = pair.listener.getRequest()) {
                    pair.serverSide.createQueuePair(server);
                    return assertThrows(CmException.class, () -> server.accept(ConnectionParameters.DEFAULT, LONG));
                }
            });
            QueuePair qp = pair.client.queuePair();
            qp.modify(QpAttributes.builder().state(QpState.ERR).build());
            CmException failure = assertThrows(CmException.class,
                    () -> pair.client.connect(ConnectionParameters.DEFAULT));
            assertEquals(CmEventType.CONNECT_ERROR, failure.type());
            assertEquals(-1, failure.status());
            assertTrue(failure.getCause() instanceof VerbsException, failure::toString);
            assertTrue(failure.getMessage().contains("the queue pair could not be connected ("
                    + failure.getCause().getMessage() + "): close the ID"), failure::getMessage);

            pair.client.disconnect();

            // K59: the peer learns of it when the ID is closed
            pair.client.close();
            resultOf(accepted);
        }
    }

    /** K138. */
    @Test
    void anIdWithoutAQueuePairIsConnectedUpToTheResponse() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.TCP)) {
            FutureTask<CmEventType> accepted = start(() -> {
                try (SynchronousCmId server = pair.listener.getRequest()) {
                    pair.serverSide.createQueuePair(server);
                    server.accept(ConnectionParameters.DEFAULT);
                    return server.event().type();
                }
            });
            QueuePair own = pair.clientSide.pd.createQueuePair(pair.clientSide.attributes(pair.client.id().qpType()));

            pair.client.connect(ConnectionParameters.builder().queuePair(own.number(), false).build());

            assertEquals(CmEventType.CONNECT_RESPONSE, pair.client.event().type());
            pair.client.id().establish();
            assertEquals(CmEventType.ESTABLISHED, resultOf(accepted));
        }
    }

    /** K140. */
    @Test
    void anIdThatDoesNotListenGetsNoRequest() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.TCP)) {
            String message = refused(Errno.EINVAL, pair.client::getRequest);
            assertTrue(message.contains("does not listen: call its listen first"), message);
        }
    }

    /** K3, K66: the child has got its request from the listener, but does not keep it open. */
    @Test
    void aListenerIsClosedBeforeItsChildAccepts() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            FutureTask<Object> connected = start(() -> {
                pair.client.connect(ConnectionParameters.DEFAULT, LONG);
                return null;
            });
            try (SynchronousCmId server = pair.listener.getRequest()) {
                pair.listener.close();

                pair.serverSide.createQueuePair(server);
                assertEquals(CmEventType.CONNECT_REQUEST, server.event().type());
                server.accept(ConnectionParameters.DEFAULT, LONG);
                resultOf(connected);
            }
        }
    }

    @Test
    void aWaitForARequestReturnsNullWhenTheTimeIsUp() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.TCP)) {
            assertNull(pair.listener.getRequest(SHORT));
            assertNull(pair.listener.getRequest(Duration.ZERO));
        }
    }

    /** Nobody accepts; the server waits for an RTU that does not come; the client for a DREP that does not come. */
    @ParameterizedTest
    @ValueSource(strings = {"connect", "accept", "disconnect"})
    void aStepThatDoesNotEndInTimeFailsWithATimeout(String step) throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            String message;
            if (step.equals("connect")) {
                message = refused(Errno.ETIMEDOUT, () -> pair.client.connect(ConnectionParameters.DEFAULT, SHORT));
            } else if (step.equals("accept")) {
                // the channel moves the queue pair, and sends the RTU, when the event is retrieved
                pair.client.id().connect(ConnectionParameters.DEFAULT);
                try (SynchronousCmId server = pair.listener.getRequest()) {
                    pair.serverSide.createQueuePair(server);
                    message = refused(Errno.ETIMEDOUT, () -> server.accept(ConnectionParameters.DEFAULT, SHORT));
                }
            } else {
                try (SynchronousCmId server = pair.connect()) {
                    message = refused(Errno.ETIMEDOUT, () -> pair.client.disconnect(SHORT));
                    assertEquals(QpState.RTS, server.queuePair().state());
                }
            }
            assertTrue(message.startsWith(step + ": ETIMEDOUT"), message);
            assertTrue(message.contains("has not ended within PT0.05S: it goes on, so close the ID"), message);
        }
    }

    @Test
    void aNegativeTimeoutIsRefusedBeforeTheStepBegins() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP)) {
            Duration negative = Duration.ofNanos(-1);
            assertThrows(IllegalArgumentException.class,
                    () -> pair.client.connect(ConnectionParameters.DEFAULT, negative));
            assertThrows(IllegalArgumentException.class, () -> pair.listener.getRequest(negative));
            assertNull(pair.listener.getRequest(Duration.ZERO), "no request was sent");
            try (SynchronousCmId server = pair.connect()) {
                assertThrows(IllegalArgumentException.class, () -> server.disconnect(negative));
                assertEquals(QpState.RTS, server.queuePair().state());
            }
        }
    }

    /** K144: the channel establishes the connection of a queue pair. */
    @Test
    void anIdWithAQueuePairIsNotEstablishedByTheProgram() throws Exception {
        try (CmPair pair = CmPair.withQueuePair(PortSpace.TCP); SynchronousCmId server = pair.connect()) {
            for (SynchronousCmId each : new SynchronousCmId[] {pair.client, server}) {
                VerbsException refusal = assertThrows(VerbsException.class, each.id()::establish);
                assertEquals(Errno.EINVAL, refusal.error());
                assertTrue(refusal.getMessage().contains("allowed are IDs without one"), refusal::getMessage);
                assertEquals(QpState.RTS, each.queuePair().state());
            }
        }
    }

    /** K36, K127. */
    @Test
    void aDatagramIdJoinsAGroup() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.UDP);
                SynchronousCmId member = SynchronousCmId.create(pair.clientSide.context, PortSpace.UDP)) {
            member.bind(pair.clientSide.address());
            pair.clientSide.createQueuePair(member);
            member.joinMulticast(GROUP, false);
            assertEquals("::ffff:239.1.2.3", member.event().address().destination().toString());
            member.id().leaveMulticast(GROUP);
            member.joinMulticast(GROUP, true, LONG);
            assertEquals(CmEventType.MULTICAST_JOIN, member.event().type());
        }
    }

    /** K131: the event of the join becomes one of a failure, which says why. */
    @Test
    void aQueuePairThatCannotBeAttachedFailsTheJoin() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.UDP);
                SynchronousCmId member = SynchronousCmId.create(pair.clientSide.context, PortSpace.UDP)) {
            member.bind(pair.clientSide.address());
            pair.clientSide.createQueuePair(member);
            member.queuePair().close();
            CmException failure = assertThrows(CmException.class, () -> member.joinMulticast(GROUP, false));
            assertEquals(CmEventType.MULTICAST_ERROR, failure.type());
            assertEquals(-1, failure.status());
            assertTrue(failure.getMessage().contains("could not be attached to the group ("
                    + failure.getCause().getMessage() + "): leave the group"), failure::getMessage);
        }
    }

    /** K77, K80. */
    @Test
    void anAddressIsResolvedFromTheGivenSource() throws Exception {
        try (CmPair pair = new CmPair(PortSpace.TCP);
                SynchronousCmId id = SynchronousCmId.create(pair.clientSide.context, PortSpace.TCP)) {
            InetSocketAddress source = new InetSocketAddress(pair.clientSide.address().getAddress(), 7071);
            id.resolveAddress(source, pair.listener.id().localAddress(), LONG);
            assertEquals(source, id.id().localAddress());
        }
    }
}
