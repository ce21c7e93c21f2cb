package io.jverbs.samples.connect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.TwoSides;
import io.jverbs.samples.console.SampleFailure;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a connection of rdma_cm, and the messages before it. */
class CmMessageChannelTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final byte[] MESSAGE = {1, 2, 3};
    private static final int PORT = 5001;

    /** The peer sends its message and disconnects after the poll for messages and before the check for its end. */
    private static final class PeerThatEndsAtTheCheck extends CmEvents {
        private final CountDownLatch begin = new CountDownLatch(1);

        PeerThatEndsAtTheCheck(RdmaContext context) {
            super(context, PATIENCE);
        }

        @Override
        boolean isDisconnected(CmId id) {
            begin.countDown();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            boolean disconnected = super.isDisconnected(id);
            while (!disconnected && System.nanoTime() - deadline < 0) {
                Thread.onSpinWait();
                disconnected = super.isDisconnected(id);
            }
            assertTrue(disconnected, "the peer has not disconnected within " + PATIENCE);
            return true;
        }
    }

    @Test
    void aMessageThatArrivesBeforeTheDisconnectionIsReceivedAndThenTheEndIsReported() {
        try (RdmaContext context = Verbs.open("soft")) {
            InetSocketAddress address = new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), PORT);
            try (CmConnections server = CmConnections.server(context, address, QpType.RC, PATIENCE);
                    PeerThatEndsAtTheCheck events = new PeerThatEndsAtTheCheck(context)) {
                CompletableFuture<Void> sender = TwoSides.inThread(() -> sendAtTheCheck(server, events));
                try (MessageChannel messages = connect(events, address)) {
                    assertArrayEquals(MESSAGE, messages.receive("the message", MESSAGE.length, PATIENCE));
                    SampleFailure end = assertThrows(SampleFailure.class,
                            () -> messages.receive("the next message", 1, PATIENCE));
                    assertEquals("the peer exited before the end of the test, where the next message was expected;"
                            + " its output may say why.", end.getMessage());
                }
                sender.join();
            }
        }
    }

    private static Void sendAtTheCheck(CmConnections server, PeerThatEndsAtTheCheck events) {
        MessageChannel messages = server.messages();
        try {
            events.begin.await();
        } catch (InterruptedException e) {
            throw CompletionWait.interrupted();
        }
        messages.send(MESSAGE);
        messages.close();
        return null;
    }

    private static CmId resolve(CmEvents events, InetSocketAddress address) {
        CmId id = events.create(PortSpace.TCP);
        id.resolveAddress(address, PATIENCE);
        events.await(CmEventType.ADDR_RESOLVED, id, "the address", PATIENCE).close();
        id.resolveRoute(PATIENCE);
        events.await(CmEventType.ROUTE_RESOLVED, id, "the route", PATIENCE).close();
        return id;
    }

    private static MessageChannel connect(CmEvents events, InetSocketAddress address) {
        CmId id = resolve(events, address);
        CmMessageChannel messages = new CmMessageChannel(id, events);
        id.connect(ConnectionParameters.builder().build());
        events.await(CmEventType.ESTABLISHED, id, "the connection", PATIENCE).close();
        return messages;
    }

    /** Counts the checks whether the peer has ended the connection. */
    private static final class CountedChecks extends CmEvents {
        private final AtomicInteger checks = new AtomicInteger();

        CountedChecks(RdmaContext context) {
            super(context, PATIENCE);
        }

        @Override
        boolean isDisconnected(CmId id) {
            boolean disconnected = super.isDisconnected(id);
            checks.incrementAndGet();
            return disconnected;
        }
    }

    @Test
    void aRequestThatArrivesWhileTheSideWaitsForAMessageIsNotLost() {
        try (RdmaContext context = Verbs.open("soft");
                CountedChecks server = new CountedChecks(context);
                CmEvents client = new CmEvents(context, PATIENCE)) {
            InetSocketAddress address = new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), PORT);
            CmId listener = server.create(PortSpace.TCP);
            listener.bind(address);
            listener.listen(2);
            CompletableFuture<CmId> second = TwoSides.inThread(() -> receiveThenAccept(server));
            try (MessageChannel messages = connect(client, address)) {
                CmId next = resolve(client, address);
                MessageChannel more = new CmMessageChannel(next, client);
                next.connect(ConnectionParameters.builder().build());
                // the second check began after the request was sent
                int seen = server.checks.get();
                while (server.checks.get() < seen + 2 && !second.isDone()) {
                    CompletionWait.pause(Duration.ofMillis(1));
                }
                messages.send(MESSAGE);
                client.await(CmEventType.ESTABLISHED, next, "the second connection", PATIENCE).close();
                second.join();
                more.close();
            }
        }
    }

    private static CmId receiveThenAccept(CmEvents server) {
        CmId first = request(server);
        MessageChannel messages = new CmMessageChannel(first, server);
        accept(server, first);
        assertArrayEquals(MESSAGE, messages.receive("the message", MESSAGE.length, PATIENCE));
        CmId second = request(server);
        MessageChannel more = new CmMessageChannel(second, server);
        accept(server, second);
        more.close();
        messages.close();
        return second;
    }

    private static CmId request(CmEvents server) {
        try (CmEvent request = server.await(CmEventType.CONNECT_REQUEST, null, "a request", PATIENCE)) {
            return request.id();
        }
    }

    private static void accept(CmEvents server, CmId id) {
        id.accept(ConnectionParameters.builder().build());
        server.await(CmEventType.ESTABLISHED, id, "the connection", PATIENCE).close();
    }
}
