package io.jverbs.soft.layers.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.AddressInfo;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmException;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.Listener;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Fault injection for the connection manager: resolutions and connects that fail. */
@Timeout(60)
final class FaultyConnectionsTest {
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(20);

    private static InetSocketAddress address(RdmaContext context, int port) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), port);
    }

    private static void assertEvent(CmEventChannel channel, CmId id, CmEventType type, int status) throws Exception {
        try (CmEvent event = channel.awaitEvent(STEP)) {
            assertNotNull(event, "no event");
            assertEquals(type, event.type());
            assertEquals(status, event.status());
            assertEquals(id, event.id());
        }
    }

    @Test
    void aResolutionThatARuleFailsEndsWithAddrErrorAndTheNextOneSucceeds() throws Exception {
        FaultInjection faults = FaultInjection.of(FaultRule.failResolution(Errno.EHOSTUNREACH).nth(1));
        try (RdmaContext context = Verbs.select("soft").open(faults);
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.TCP)) {
            id.resolveAddress(address(context, 7), STEP);
            assertEvent(channel, id, CmEventType.ADDR_ERROR, -Errno.EHOSTUNREACH.code());
            assertNull(channel.awaitEvent(SHORT), "the injected event must not end a later wait");
            id.resolveAddress(address(context, 7), STEP);
            assertEvent(channel, id, CmEventType.ADDR_RESOLVED, 0);
            assertEquals(1, faults.hits().getFirst().fired());
        }
    }

    @Test
    void aThreadThatWaitsGetsTheInjectedEvent() throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(FaultInjection.parse("resolve=ETIMEDOUT"));
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.UDP)) {
            CompletableFuture<CmEvent> next = channel.nextEvent().toCompletableFuture();
            id.resolveAddress(address(context, 7), STEP);
            try (CmEvent event = next.get(30, TimeUnit.SECONDS)) {
                assertEquals(CmEventType.ADDR_ERROR, event.type());
            }
        }
    }

    @Test
    void anInjectedEventMovesWithItsIdAndIsDiscardedWithIt() throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(FaultInjection.parse("resolve=ETIMEDOUT"));
                CmEventChannel first = CmEventChannel.create(context);
                CmEventChannel second = CmEventChannel.create(context)) {
            CmId id = first.createId(PortSpace.TCP);
            id.resolveAddress(address(context, 7), STEP);
            VerbsException refused = assertThrows(VerbsException.class,
                    () -> id.resolveAddress(address(context, 7), STEP));
            assertTrue(refused.getMessage().contains("retrieve it first"), refused::getMessage);
            id.migrate(second);
            assertNull(first.awaitEvent(SHORT));
            assertEvent(second, id, CmEventType.ADDR_ERROR, -Errno.ETIMEDOUT.code());
            id.resolveAddress(address(context, 7), STEP);
            id.close();
            assertNull(second.awaitEvent(SHORT));
        }
    }

    @Test
    void aConnectThatARuleFailsIsRejectedOrUnreachableAndItsQueuePairFails() throws Exception {
        try (RdmaContext servers = Verbs.open("soft"); CmEventChannel listening = CmEventChannel.create(servers)) {
            CmId listener = listening.createId(PortSpace.TCP);
            listener.bind(address(servers, 0));
            listener.listen(4);
            for (CmEventType event : new CmEventType[] {CmEventType.REJECTED, CmEventType.UNREACHABLE}) {
                FaultInjection faults = FaultInjection.of(FaultRule.failConnection(event).queuePairCreated(1));
                try (RdmaContext context = Verbs.select("soft").open(faults);
                        ProtectionDomain pd = context.allocatePd();
                        CompletionQueue cq = context.createCompletionQueue(4);
                        SynchronousCmId id = SynchronousCmId.create(context,
                                AddressInfo.active(listener.localAddress().getAddress().getHostAddress(),
                                        listener.localAddress().getPort(), PortSpace.TCP),
                                pd, QpInitAttributes.builder(QpType.RC).cq(cq).build())) {
                    CmException failure = assertThrows(CmException.class,
                            () -> id.connect(ConnectionParameters.DEFAULT));
                    assertTrue(failure.getMessage().contains(event.name()), failure::getMessage);
                    if (event == CmEventType.REJECTED) {
                        assertEquals(QpState.ERR, id.queuePair().state());
                    }
                    assertNull(listening.awaitEvent(SHORT), "the peer got a request");
                }
            }
            listener.close();
        }
    }

    @Test
    void connectionsWorkBehindFaultInjectionWithoutRules() throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(FaultInjection.of());
                Listener listener = Listener.bind(context, address(context, 0));
                Endpoint client = Endpoint.connect(context, listener.localAddress());
                Endpoint server = listener.accept(STEP)) {
            client.send("hello");
            assertEquals("hello", server.receive().text());
        }
    }

    @Test
    void rulesOfTheConnectionManagerAreWrittenAndReadAndBadOnesRefused() {
        assertEquals("resolve=EHOSTUNREACH,nth=2", FaultRule.failResolution(Errno.EHOSTUNREACH).nth(2).toString());
        assertEquals("connect=UNREACHABLE", FaultInjection.parse("connect=UNREACHABLE").hits().getFirst().rule()
                .toString());
        for (String bad : new String[] {"connect=ESTABLISHED", "connect", "resolve=UNKNOWN", "resolve=ETIMEDOUT,qp=#1",
            "connect=REJECTED,opcode=SEND"}) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> FaultInjection.parse(bad), bad);
            assertTrue(refused.getMessage().contains(FaultInjection.GRAMMAR), refused::getMessage);
        }
    }
}
