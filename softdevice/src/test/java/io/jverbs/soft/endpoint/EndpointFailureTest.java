package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmException;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import io.jverbs.endpoint.MessageHandler;
import io.jverbs.fault.FaultInjection;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections fail: what the program is told, within which time, and that other connections continue. */
@Timeout(60)
final class EndpointFailureTest {
    private static final long SECONDS = 30;
    private static final MemorySegment ONE = MemorySegment.ofArray(new byte[1]);

    private static EndpointException assertFails(Reason reason, org.junit.jupiter.api.function.Executable call) {
        EndpointException failure = assertThrows(EndpointException.class, call);
        assertEquals(reason, failure.reason(), failure::getMessage);
        return failure;
    }

    /** Runs a call that waits, in another thread, and returns once it waits. */
    private static <T> CompletableFuture<T> waiting(Callable<T> call, AtomicReference<Thread> thread)
            throws InterruptedException {
        CompletableFuture<T> result = new CompletableFuture<>();
        thread.set(Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(call.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        }));
        EndpointPair.await("a waiting thread", () -> thread.get().getState() != Thread.State.RUNNABLE);
        return result;
    }

    private static <T> CompletableFuture<T> waiting(Callable<T> call) throws InterruptedException {
        return waiting(call, new AtomicReference<>());
    }

    private static Throwable failure(CompletableFuture<?> future) throws Exception {
        return assertThrows(ExecutionException.class, () -> future.get(SECONDS, TimeUnit.SECONDS)).getCause();
    }

    private static void assertWorks(EndpointPair pair) throws InterruptedException {
        pair.client().send("still works");
        try (Message message = pair.server().receive()) {
            assertEquals("still works", message.text());
        }
    }

    @Test
    void aPortWithoutAListenerIsRefusedWithTheReason() throws InterruptedException {
        try (RdmaContext context = Verbs.open("soft")) {
            InetSocketAddress absent = new InetSocketAddress(EndpointPair.anyPort(context).getAddress(), 7399);
            EndpointException refusal = assertFails(Reason.REJECTED, () -> Endpoint.connect(context, absent));
            assertTrue(refusal.getMessage().endsWith(":7399: REJECTED: reason 8: there is no listener at this port:"
                    + " check the port and the port space"), refusal::getMessage);
        }
    }

    @Test
    void theRemovalOfTheDeviceIsReportedToEndpointsAndToThreadsThatWaitForConnections() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft93")) {
            Listener listener = Listener.bind(context, EndpointPair.anyPort(context));
            Endpoint client = Endpoint.connect(context, listener.localAddress());
            Endpoint server = listener.accept();
            CompletableFuture<Endpoint> accepting = waiting(listener::accept);
            CompletableFuture<Message> receiving = waiting(server::receive);

            context.device().capability(DeviceRemoval.class).orElseThrow().remove();

            assertEquals(Reason.DEVICE_FAILED, assertInstanceOf(EndpointException.class, failure(accepting)).reason());
            assertInstanceOf(EndpointException.class, failure(receiving));
            EndpointException refused = assertFails(Reason.DEVICE_FAILED, listener::accept);
            assertTrue(refused.getMessage().endsWith("DEVICE_REMOVAL, the device was removed: close the ID"),
                    refused::getMessage);
            client.close();
            server.close();
            listener.close();
        }
    }

    @Test
    void aHostThatDoesNotRespondEndsTheConnectWithinItsTimeout() {
        try (RdmaContext context = Verbs.open("soft:sim0?seed=3&time=real&network=silent")) {
            InetSocketAddress absent = new InetSocketAddress("10.99.99.99", 7399);
            long start = System.nanoTime();
            EndpointOptions options = EndpointOptions.builder().connectTimeout(Duration.ofMillis(300)).build();
            EndpointException failure = assertThrows(EndpointException.class,
                    () -> Endpoint.connect(context, absent, options));
            assertTrue(failure.reason() == Reason.TIMED_OUT
                    ? failure.getMessage().contains(" has not ended within PT0.3S: check ")
                    : failure.getMessage().contains(" failed with "), failure::getMessage);
            assertTrue(failure.getMessage().contains("resolving the address ")
                    || failure.getMessage().contains("connecting "), failure::getMessage);
            assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(10), "took too long");
        }
    }

    @Test
    void aFailedStepOfTheConnectIsNamedWithItsEventAndStatus() {
        try (RdmaContext context = Verbs.select("soft").open(FaultInjection.parse("resolve=EHOSTUNREACH"))) {
            EndpointException failure = assertFails(Reason.UNREACHABLE,
                    () -> Endpoint.connect(context, EndpointPair.anyPort(context)));
            assertTrue(failure.getMessage().endsWith("UNREACHABLE: resolving the address failed with ADDR_ERROR,"
                    + " EHOSTUNREACH (113): no route to the address: check the address and the routing table"),
                    failure::getMessage);
        }
    }

    @Test
    void aListenerOfAnotherProgramIsNoEndpoint() throws Exception {
        try (RdmaContext context = Verbs.open("soft");
                ProtectionDomain pd = context.allocatePd();
                CompletionQueue cq = context.createCompletionQueue(16);
                SynchronousCmId listener = SynchronousCmId.create(context, PortSpace.TCP)) {
            listener.bind(EndpointPair.anyPort(context));
            listener.listen(1);
            CompletableFuture<EndpointException> client = waiting(() -> assertFails(Reason.INCOMPATIBLE,
                    () -> Endpoint.connect(context, listener.id().localAddress())));
            try (SynchronousCmId server = listener.getRequest()) {
                server.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(cq).build());
                server.accept(ConnectionParameters.builder().privateData(ByteBuffer.wrap("hello, you".getBytes()))
                        .build());
                assertTrue(client.get(SECONDS, TimeUnit.SECONDS).getMessage().endsWith("the peer is not an endpoint:"
                        + " its private data begins with 0x68656c6c instead of 0x4a564550"));
            }
        }
    }

    @Test
    void aClientThatIsNoEndpointOrHasAnotherVersionIsRejectedAndTheListenerContinues() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm");
                ProtectionDomain pd = pair.clientContext().allocatePd();
                CompletionQueue cq = pair.clientContext().createCompletionQueue(16)) {
            byte[] future = new byte[16];
            ByteBuffer.wrap(future).putInt(0x4A564550).putShort((short) 9).putShort((short) 0).putInt(1).putInt(1);
            byte[] tooMany = new byte[16];
            ByteBuffer.wrap(tooMany).putInt(0x4A564550).putShort((short) 1).putShort((short) 0).putInt(-1).putInt(1);
            for (byte[] data : new byte[][] {{}, "hello".getBytes(), future, tooMany}) {
                try (SynchronousCmId id = SynchronousCmId.create(pair.clientContext(), PortSpace.TCP)) {
                    id.resolve(pair.listener().localAddress(), Duration.ofSeconds(2));
                    id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(cq).build());
                    CmException refusal = assertThrows(CmException.class, () -> id.connect(
                            ConnectionParameters.builder().privateData(ByteBuffer.wrap(data)).build()));
                    assertEquals(28, refusal.status());
                    String text = new String(bytes(id.event().privateData()));
                    assertTrue(text.contains(data == future
                            ? "has version 9"
                            : data == tooMany
                                    ? "receiveBuffers 4294967295, which is outside 1..4096"
                                    : "is not an endpoint"),
                            text);
                }
            }
            assertNull(pair.listener().accept(Duration.ZERO));
            assertWorks(pair);
        }
    }

    private static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    @Test
    void aPeerThatViolatesTheProtocolEndsItsConnectionOnly() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm");
                ProtectionDomain pd = pair.clientContext().allocatePd();
                CompletionQueue cq = pair.clientContext().createCompletionQueue(16);
                MemoryRegion region = pd.allocate(64, Access.LOCAL_WRITE)) {
            byte[] hello = new byte[16];
            ByteBuffer.wrap(hello).putInt(0x4A564550).putShort((short) 1).putShort((short) 0).putInt(4).putInt(64);
            for (byte[] header : new byte[][] {{1}, {9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                {1, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0}, {4, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
                {4, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}) {
                try (SynchronousCmId id = SynchronousCmId.create(pair.clientContext(), PortSpace.TCP)) {
                    id.resolve(pair.listener().localAddress(), Duration.ofSeconds(2));
                    var qp = id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(cq).build());
                    id.connect(ConnectionParameters.builder().privateData(ByteBuffer.wrap(hello)).build());
                    MemorySegment.copy(MemorySegment.ofArray(header), 0, region.segment(), 0, header.length);
                    qp.postSend(SendWorkRequest.create(1).sge(region, 0, header.length));
                    try (Endpoint server = pair.listener().accept()) {
                        assertFails(Reason.PROTOCOL_ERROR, server::receive);
                    }
                }
            }
            assertWorks(pair);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandlerThatThrowsEndsItsConnectionOnly(boolean isError) throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm"); EndpointPair other = EndpointPair.connect("jvm")) {
            AtomicReference<EndpointException> told = new AtomicReference<>();
            CountDownLatch closed = new CountDownLatch(1);
            pair.server().onMessage(new MessageHandler() {
                @Override
                public void onMessage(Endpoint endpoint, Message message) {
                    if (isError) {
                        throw new AssertionError("thrown on purpose");
                    }
                    throw new IllegalStateException("thrown on purpose");
                }

                @Override
                public void onClosed(Endpoint endpoint, EndpointException failure) {
                    told.set(failure);
                    closed.countDown();
                }
            });
            CompletableFuture<Message> reply = pair.client().request(ONE);
            assertTrue(closed.await(SECONDS, TimeUnit.SECONDS));
            assertEquals(Reason.HANDLER_FAILED, told.get().reason());
            assertEquals("thrown on purpose", told.get().getCause().getMessage());
            assertEquals(Reason.PEER_LOST, ((EndpointException) failure(reply)).reason());
            assertFails(Reason.PEER_LOST, () -> pair.client().receive());
            assertFails(Reason.HANDLER_FAILED, () -> pair.server().send("late"));
            assertWorks(other);
        }
    }

    @Test
    void closingWakesAThreadThatWaits() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm")) {
            CompletableFuture<Message> receiver = waiting(() -> pair.client().receive());
            CompletableFuture<Message> caller = waiting(() -> pair.client().call(ONE));
            CompletableFuture<Endpoint> accepting = waiting(() -> pair.listener().accept());
            pair.client().close();
            assertEquals(IllegalStateException.class, failure(receiver).getClass());
            assertEquals(IllegalStateException.class, failure(caller).getClass());
            pair.listener().close();
            assertEquals(IllegalStateException.class, failure(accepting).getClass());
            pair.listener().close();
            pair.client().close();
        }
    }

    @Test
    void thePeersCloseEndsRequestsWithoutAReply() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm")) {
            CompletableFuture<Message> reply = pair.client().request(ONE);
            CompletableFuture<Message> caller = waiting(() -> pair.client().call(ONE));
            pair.server().close();
            assertEquals(Reason.PEER_CLOSED, ((EndpointException) failure(reply)).reason());
            assertEquals(Reason.PEER_CLOSED, ((EndpointException) failure(caller)).reason());
        }
    }

    @Test
    void anInterruptEndsAWaitAndTheConnectionContinues() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm")) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            CompletableFuture<Message> receiver = waiting(() -> pair.server().receive(), thread);
            thread.get().interrupt();
            assertEquals(InterruptedException.class, failure(receiver).getClass());
            CompletableFuture<Endpoint> accepting = waiting(() -> pair.listener().accept(), thread);
            thread.get().interrupt();
            assertEquals(InterruptedException.class, failure(accepting).getClass());
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> pair.server().receive());
            assertWorks(pair);
        }
    }

    @Test
    void aCallThatTimesOutLeavesTheConnectionAndDropsTheLateReply() throws Exception {
        EndpointOptions few = EndpointOptions.builder().receiveBuffers(2).build();
        try (EndpointPair pair = EndpointPair.connect("jvm", few, few)) {
            for (int i = 0; i < 10; i++) {
                boolean isText = i % 2 == 0;
                assertFails(Reason.TIMED_OUT, () -> {
                    Duration limit = Duration.ofMillis(2);
                    if (isText) {
                        pair.client().call("a", limit);
                    } else {
                        pair.client().call(pair.client().buffer(), 1, limit);
                    }
                });
                try (Message request = pair.server().receive()) {
                    request.reply("late");
                    assertThrows(IllegalStateException.class, () -> request.reply("twice"));
                }
            }
            assertWorks(pair);
        }
    }

    @Test
    void aClosedContextEndsItsEndpointsAndListeners() throws Exception {
        String[] selectors = EndpointPair.selectors("wire");
        RdmaContext clients = Verbs.open(selectors[0]);
        RdmaContext servers = Verbs.open(selectors[1]);
        Listener listener = Listener.bind(servers, EndpointPair.anyPort(servers));
        String closed = listener + " is closed";
        Endpoint client = Endpoint.connect(clients, listener.localAddress());
        Endpoint server = listener.accept();
        CompletableFuture<Message> receiver = waiting(server::receive);
        CompletableFuture<Endpoint> accepting = waiting(listener::accept);
        servers.close();
        assertEquals(Reason.CONTEXT_CLOSED, ((EndpointException) failure(receiver)).reason());
        assertEquals(IllegalStateException.class, failure(accepting).getClass());
        assertFails(Reason.PEER_LOST, client::receive);
        server.close();
        assertEquals(closed, assertThrows(IllegalStateException.class, listener::accept).getMessage());
        listener.close();
        assertEquals(closed, assertThrows(IllegalStateException.class, listener::accept).getMessage());
        client.close();
        assertThrows(IllegalStateException.class, () -> Listener.bind(servers, listener.localAddress()));
        clients.close();
        assertThrows(IllegalStateException.class, () -> Endpoint.connect(clients, listener.localAddress()));
    }

    @Test
    void aSilentPeerIsNoticedWithinTwiceTheKeepAliveAndItsTimeout() throws Exception {
        EndpointOptions options = EndpointOptions.builder().keepAlive(Duration.ofMillis(200))
                .keepAliveTimeout(Duration.ofMillis(300)).closeTimeout(Duration.ofMillis(200)).build();
        try (EndpointPair pair = EndpointPair.connect("simulation", options, options)) {
            Thread.sleep(1000);
            assertTrue(pair.client().isOpen(), "keep-alives are acknowledged");
            pair.clientContext().device().capability(SimulatedNetwork.class).orElseThrow().partition(1);
            long start = System.nanoTime();
            EndpointException failure = assertFails(Reason.PEER_SILENT, () -> pair.client().receive());
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertTrue(millis < 2 * 200 + 300 + 500, "took " + millis + " ms");
            assertTrue(failure.getMessage().contains("within PT0.3S"), failure::getMessage);
        }
    }

    @Test
    void aBoundAddressIsInUseForTheSecondListener() {
        try (RdmaContext context = Verbs.open("soft");
                Listener first = Listener.bind(context, EndpointPair.anyPort(context))) {
            VerbsException refusal = assertThrows(VerbsException.class,
                    () -> Listener.bind(context, first.localAddress()));
            assertEquals(io.jverbs.Errno.EADDRINUSE, refusal.error());
            assertEquals("cannot listen at " + first.localAddress() + ": the port is in use at this address:"
                    + " use another port or address", refusal.explanation());
            InetSocketAddress wildcard = new InetSocketAddress(first.localAddress().getPort());
            refusal = assertThrows(VerbsException.class, () -> Listener.bind(context, wildcard));
            assertEquals(io.jverbs.Errno.EADDRNOTAVAIL, refusal.error());
            assertEquals("cannot listen at " + wildcard + ": the port is in use at an address that includes this one"
                    + " or is included in it, or no port is free, or this machine does not have the address:"
                    + " use another port or address", refusal.explanation());
        }
    }

    @Test
    void optionsOutOfRangeAreRefusedWithTheRange() {
        EndpointOptions.Builder builder = EndpointOptions.builder();
        assertRefused("messageSize 0 is outside 1..16777216", () -> builder.messageSize(0));
        assertRefused("sendBuffers 1025 is outside 1..1024", () -> builder.sendBuffers(1025));
        assertRefused("receiveBuffers 4097 is outside 1..4096", () -> builder.receiveBuffers(4097));
        assertRefused("backlog 0 is outside 1..4096", () -> builder.backlog(0));
        assertRefused("keepAlive PT-1S is outside PT0S..PT24H", () -> builder.keepAlive(Duration.ofSeconds(-1)));
        assertRefused("connectTimeout PT0S is outside PT0.001S..PT24H", () -> builder.connectTimeout(Duration.ZERO));
        assertEquals(EndpointOptions.DEFAULT.toString(), builder.build().toString());
    }

    private static void assertRefused(String message, org.junit.jupiter.api.function.Executable call) {
        assertEquals(message, assertThrows(IllegalArgumentException.class, call).getMessage());
    }

    @Test
    void endpointsLeaveNoThreadBehind() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        EndpointPair.connect("jvm").close();
        EndpointPair.await("the end of the threads", () -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("jverbs-endpoint") && !before.contains(thread)));
    }

    @Test
    void aSendAfterTheContextWasClosedSaysSo() throws Exception {
        String[] selectors = EndpointPair.selectors("wire");
        try (RdmaContext servers = Verbs.open(selectors[1]);
                Listener listener = Listener.bind(servers, EndpointPair.anyPort(servers))) {
            for (int i = 0; i < 10; i++) {
                RdmaContext clients = Verbs.open(selectors[0]);
                Endpoint client = Endpoint.connect(clients, listener.localAddress());
                clients.close();
                assertFails(Reason.CONTEXT_CLOSED, () -> client.send("a"));
                client.close();
            }
        }
    }
}
