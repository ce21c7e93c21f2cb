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
import io.jverbs.RdmaDevice;
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
import io.jverbs.control.CmMessage;
import io.jverbs.control.DeviceCounters;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.fault.FaultInjection;
import io.jverbs.fault.FaultRule;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    /** K79, K99: the device refuses a call without an address, or with one already, and it counts for no rule. */
    @Test
    void aCallThatTheStateDoesNotAllowIsRefusedAndMatchesNoRule() throws Exception {
        FaultInjection faults = FaultInjection.parse("connect=REJECTED;resolve=EHOSTUNREACH,nth=2");
        try (RdmaContext context = Verbs.select("soft").open(faults);
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.TCP)) {
            ConnectionParameters parameters = ConnectionParameters.builder().queuePair(9, false).build();
            assertRefused("IDLE, allowed: [ROUTE_RESOLVED]", () -> id.connect(parameters));
            id.resolveAddress(address(context, 7), STEP);
            assertEvent(channel, id, CmEventType.ADDR_RESOLVED, 0);
            assertRefused("ADDR_RESOLVED, allowed: [IDLE, ADDR_BOUND]",
                    () -> id.resolveAddress(address(context, 7), STEP));
            assertRefused("ADDR_RESOLVED, allowed: [ROUTE_RESOLVED]", () -> id.connect(parameters));
            id.resolveRoute(STEP);
            assertEvent(channel, id, CmEventType.ROUTE_RESOLVED, 0);
            assertRefused("no queue pair", () -> id.connect(ConnectionParameters.DEFAULT));
            assertEquals(List.of(0L, 1L), faults.hits().stream().map(each -> each.matched()).toList());
        }
    }

    /** K124: a UD peer rejects with the status of a SIDR_REP. */
    @Test
    void aLookupThatARuleRejectsEndsWithTheStatusOfUd() throws Exception {
        try (RdmaContext context = Verbs.select("soft").open(FaultInjection.parse("connect=REJECTED"));
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.UDP)) {
            id.resolveAddress(address(context, 7), STEP);
            assertEvent(channel, id, CmEventType.ADDR_RESOLVED, 0);
            id.resolveRoute(STEP);
            assertEvent(channel, id, CmEventType.ROUTE_RESOLVED, 0);
            id.connect(ConnectionParameters.DEFAULT);
            assertEvent(channel, id, CmEventType.UNREACHABLE, 2);
        }
    }

    private static void assertRefused(String state, Executable call) {
        VerbsException refused = assertThrows(VerbsException.class, call);
        assertEquals(Errno.EINVAL, refused.error());
        assertTrue(refused.getMessage().contains(state), refused::getMessage);
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

    @ParameterizedTest
    @CsvSource({"'lose-message,opcode=REQ,nth=1', 1", "'lose-message,opcode=REP,nth=1', 1",
        "'delay-message=50ms,opcode=RTU', 0"})
    void aConnectionIsEstablishedThoughAMessageIsLostOrLate(String rules, long lost) throws Exception {
        FaultInjection faults = FaultInjection.parse(rules);
        RdmaDevice device = Verbs.select("soft:soft94");
        DeviceCounters counters = device.capability(DeviceCounters.class).orElseThrow();
        long before = counters.snapshot().get("lost");
        // both contexts have the rules, which see each message once
        try (RdmaContext servers = device.open(faults);
                RdmaContext clients = device.open(faults);
                Listener listener = Listener.bind(servers, address(servers, 0));
                Endpoint client = Endpoint.connect(clients, listener.localAddress());
                Endpoint server = listener.accept(STEP)) {
            client.send("hello");
            assertEquals("hello", server.receive().text());
        }
        FaultInjection.Hits hits = faults.hits().getFirst();
        assertEquals(1, hits.fired());
        assertEquals(1 + lost, hits.matched(), "a message that is lost is sent again");
        assertEquals(lost, counters.snapshot().get("lost") - before);
    }

    @Test
    void aRequestThatIsLostEachTimeMakesTheListenerUnreachable() throws Exception {
        FaultInjection faults = FaultInjection.of(FaultRule.loseMessage().opcode(CmMessage.REQ));
        try (RdmaContext context = Verbs.select("soft:sim0?seed=5&time=real&network=lost-requests").open(faults);
                Listener listener = Listener.bind(context, address(context, 0))) {
            EndpointException failure = assertThrows(EndpointException.class,
                    () -> Endpoint.connect(context, listener.localAddress(),
                            EndpointOptions.builder().connectTimeout(Duration.ofMillis(300)).build()));
            assertEquals(EndpointException.Reason.TIMED_OUT, failure.reason(), failure::getMessage);
            assertTrue(faults.hits().getFirst().fired() > 0);
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
        assertEquals("lose-message,opcode=REQ,nth=2", FaultRule.loseMessage().opcode(CmMessage.REQ).nth(2).toString());
        assertEquals("delay-message=5ms,opcode=REP", FaultInjection.parse("delay-message=5ms,opcode=REP").toString());
        assertEquals("connect=UNREACHABLE", FaultInjection.parse("connect=UNREACHABLE").hits().getFirst().rule()
                .toString());
        for (String bad : new String[] {"connect=ESTABLISHED", "connect", "resolve=UNKNOWN", "resolve=ETIMEDOUT,qp=#1",
            "connect=REJECTED,opcode=SEND", "lose-message,opcode=SEND", "lose-message,qp=#1", "lose-message=1",
            "delay-message", "delay-message=0ms"}) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> FaultInjection.parse(bad), bad);
            assertTrue(refused.getMessage().contains(FaultInjection.GRAMMAR), refused::getMessage);
        }
    }
}
