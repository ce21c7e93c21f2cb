package io.jverbs.soft.layers.strict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.cm.AddressInfo;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.StrictViolationException;
import io.jverbs.strict.Violation;
import io.jverbs.strict.Violation.Kind;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Strict mode of the connection manager: IDs and channels that are left, events, and receive requests. */
@Timeout(60)
final class StrictConnectionsTest extends StrictReports {
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final ConnectionParameters NO_RETRY = ConnectionParameters.builder().rnrRetryCount(0).build();

    private static String host(RdmaContext context) {
        return context.preferredGid(1).gid().toInetAddress().getHostAddress();
    }

    private static InetSocketAddress address(RdmaContext context) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    /** A listener and a client that has resolved its address, with queue pairs. */
    private static final class ConnectingPair {
        final RdmaContext context;
        final SynchronousCmId listener;
        final SynchronousCmId client;

        ConnectingPair(StrictMode strict) throws InterruptedException {
            context = Verbs.select("soft").open(strict);
            ProtectionDomain pd = context.allocatePd();
            CompletionQueue cq = context.createCompletionQueue(16);
            QpInitAttributes attributes = QpInitAttributes.builder(QpType.RC).cq(cq).build();
            listener = SynchronousCmId.create(context, AddressInfo.passive(host(context), 0, PortSpace.TCP), pd,
                    attributes);
            listener.listen(1);
            client = SynchronousCmId.create(context,
                    AddressInfo.active(host(context), listener.id().localAddress().getPort(), PortSpace.TCP), pd,
                    attributes);
        }

        void postReceive(SynchronousCmId id) {
            id.queuePair().postReceive(ReceiveWorkRequest.create(0));
        }

        CmEventType clientEvent() throws InterruptedException {
            try (CmEvent event = client.id().channel().awaitEvent(STEP)) {
                return event.type();
            }
        }
    }

    @Test
    void channelsAndIdsThatAreLeftToTheCloseOfTheContextAreReported() {
        RdmaContext context = Verbs.select("soft").open(strict);
        CmEventChannel channel = CmEventChannel.create(context);
        channel.createId(PortSpace.TCP).close();
        channel.createId(PortSpace.UDP);

        assertEquals(List.of("context of soft0", "CM event channel", "CM ID"),
                strict.open().stream().map(StrictMode.OpenObject::what).toList());
        context.close();

        assertFound(Kind.OBJECT_LEAKED, "CM event channel created at " + getClass().getName(),
                "CM ID created at " + getClass().getName(), "2 objects still open");
    }

    @Test
    void anIdThatIsClosedBeforeItsEventIsAcknowledgedIsReported() throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(strict);
                CmEventChannel channel = CmEventChannel.create(context)) {
            CmId id = channel.createId(PortSpace.TCP);
            id.resolveAddress(new InetSocketAddress(host(context), 7), STEP);
            CmEvent event = channel.awaitEvent(STEP);
            Thread acknowledging = Thread.ofPlatform().start(() -> {
                while (strict.violations().isEmpty()) {
                    Thread.onSpinWait();
                }
                event.acknowledge();
            });
            id.close();

            acknowledging.join();
            assertFound(Kind.EVENTS_NOT_ACKNOWLEDGED, "the CM ID created at " + getClass().getName(),
                    "has 1 unacknowledged event");
        }
    }

    @Test
    void aConnectWithoutReceiveRequestsAndWithoutRnrRetriesIsReportedAndEstablished() throws Exception {
        ConnectingPair both = new ConnectingPair(strict);
        both.client.id().connect(NO_RETRY);
        assertFound(Kind.NO_RECEIVE_POSTED, "connects with rnrRetryCount 0", "RC queue pair");
        try (SynchronousCmId server = both.listener.getRequest()) {
            both.postReceive(server);
            server.id().accept(NO_RETRY);
            assertEquals(CmEventType.ESTABLISHED, both.clientEvent());
        }
        both.client.close();
        both.listener.close();
        assertEquals(List.of(Kind.NO_RECEIVE_POSTED), found());
        both.context.close();
    }

    @Test
    void aConnectThatStrictModeRefusesCanBeRepeatedOnceReceivesArePostedAndAnAcceptIsOnlyReported() throws Exception {
        StrictMode throwing = StrictMode.throwing();
        ConnectingPair both = new ConnectingPair(throwing);
        StrictViolationException refusal = assertThrows(StrictViolationException.class,
                () -> both.client.id().connect(NO_RETRY));
        assertTrue(refusal.getMessage().contains("connects with rnrRetryCount 0"), refusal::getMessage);
        both.postReceive(both.client);
        both.client.id().connect(NO_RETRY);
        try (SynchronousCmId server = both.listener.getRequest()) {
            server.id().accept(NO_RETRY);
            assertEquals(CmEventType.ESTABLISHED, both.clientEvent());
        }
        both.client.close();
        both.listener.close();
        assertEquals(List.of(Kind.NO_RECEIVE_POSTED, Kind.NO_RECEIVE_POSTED),
                throwing.violations().stream().map(Violation::kind).toList());
        assertTrue(throwing.violations().getLast().explanation().contains("accepts with rnrRetryCount 0"));
        both.context.close();
    }

    /** Endpoints post receive requests before they connect, acknowledge their events and close their IDs. */
    @Test
    void endpointsCauseNoReport() throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(strict)) {
            try (Listener listener = Listener.bind(context, address(context));
                    Endpoint client = Endpoint.connect(context, listener.localAddress());
                    Endpoint server = listener.accept(STEP)) {
                client.send("hello");
                try (Message message = server.receive()) {
                    assertEquals("hello", message.text());
                }
            }
            assertNothingFound();
        }
        assertNothingFound();
    }
}
