package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Many IDs of one device, and many connect requests to one listener at the same time. */
@Timeout(120)
final class ManyConnectRequestsTest {
    private static final int CONNECTIONS = 2000;
    private static final int CLIENTS = 4;
    private static final int SERVER_THREADS = 2;
    private static final int IDS = 10_000;
    private static final int BACKLOG = 128;
    private static final int PORT = 7471;
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(20);

    /** One side: its objects, its IDs, and how often each of them has had each event. */
    private static final class Side implements AutoCloseable {
        final RdmaContext context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final CmEventChannel channel;
        final Map<CmId, Map<CmEventType, Integer>> events = new HashMap<>();

        Side(String selector) {
            context = Verbs.select(selector).open();
            pd = context.allocatePd();
            cq = context.createCompletionQueue(CONNECTIONS);
            channel = CmEventChannel.create(context);
        }

        InetSocketAddress address() {
            return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), PORT);
        }

        void createQueuePair(CmId id) {
            id.createQueuePair(pd, QpInitAttributes.builder(QpType.RC).cq(cq).maxSendWr(1).maxRecvWr(1).build());
        }

        CmEvent next() throws InterruptedException {
            CmEvent event = channel.awaitEvent(STEP);
            assertNotNull(event, () -> "no event; the IDs had " + total());
            return count(event);
        }

        synchronized CmEvent count(CmEvent event) {
            events.computeIfAbsent(event.id(), id -> new EnumMap<>(CmEventType.class)).merge(event.type(), 1,
                    Integer::sum);
            return event;
        }

        synchronized Map<CmEventType, Integer> total() {
            Map<CmEventType, Integer> total = new EnumMap<>(CmEventType.class);
            events.values().forEach(each -> each.forEach((type, count) -> total.merge(type, count, Integer::sum)));
            return total;
        }

        @Override
        public void close() {
            context.close();
        }
    }

    private static ConnectionParameters parameters() {
        return ConnectionParameters.builder().retryCount(7).rnrRetryCount(7).build();
    }

    /** Accepts connections, in several threads at once, until all are established. */
    private static Void serve(Side server, AtomicInteger established) throws InterruptedException {
        while (established.get() < CONNECTIONS) {
            CmEvent event = server.channel.awaitEvent(SHORT);
            if (event == null) {
                continue;
            }
            try (CmEvent counted = server.count(event)) {
                switch (counted.type()) {
                    case CONNECT_REQUEST -> {
                        server.createQueuePair(counted.id());
                        counted.id().accept(parameters());
                    }
                    case ESTABLISHED -> established.incrementAndGet();
                    default -> throw new AssertionError("the server's event is " + counted);
                }
            }
        }
        return null;
    }

    private static Void connect(Side client, InetSocketAddress server) throws InterruptedException {
        for (int i = 0; i < CONNECTIONS / CLIENTS; i++) {
            client.channel.createId(PortSpace.TCP).resolveAddress(server, STEP);
        }
        for (int established = 0; established < CONNECTIONS / CLIENTS;) {
            try (CmEvent event = client.next()) {
                switch (event.type()) {
                    case ADDR_RESOLVED -> event.id().resolveRoute(STEP);
                    case ROUTE_RESOLVED -> {
                        client.createQueuePair(event.id());
                        event.id().connect(parameters());
                    }
                    case ESTABLISHED -> established++;
                    default -> throw new AssertionError("the client's event is " + event);
                }
            }
        }
        return null;
    }

    private static void start(String name, Callable<Void> task, List<CompletableFuture<Void>> all) {
        CompletableFuture<Void> running = new CompletableFuture<>();
        all.add(running);
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                running.complete(task.call());
            } catch (Throwable e) {
                running.completeExceptionally(e);
            }
        });
    }

    /** K14, K51: requests beyond the backlog are dropped, and succeed when they are sent again. */
    @ParameterizedTest
    @CsvSource({"soft:127.0.9.1?fabric=wire, soft:127.0.9.2%d?fabric=wire", "soft:soft40, soft:soft4%d"})
    void twoThousandClientsOfSeveralDevicesThatConnectToOneListenerAtOnceAllSucceed(String serverSelector,
            String clientSelectors) throws Exception {
        List<Side> clients = new ArrayList<>();
        try (Side server = new Side(serverSelector)) {
            for (int i = 1; i <= CLIENTS; i++) {
                clients.add(new Side(clientSelectors.formatted(i)));
            }
            CmId listener = server.channel.createId(PortSpace.TCP);
            listener.bind(server.address());
            listener.listen(BACKLOG);
            AtomicInteger established = new AtomicInteger();
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < SERVER_THREADS; i++) {
                start("server", () -> serve(server, established), all);
            }
            for (Side client : clients) {
                start("client", () -> connect(client, server.address()), all);
            }
            for (CompletableFuture<Void> each : all) {
                each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
            assertEquals(Map.of(CmEventType.CONNECT_REQUEST, CONNECTIONS, CmEventType.ESTABLISHED, CONNECTIONS),
                    server.total());
            assertEachOnce(server, CONNECTIONS);
            int share = CONNECTIONS / CLIENTS;
            for (Side client : clients) {
                assertEquals(Map.of(CmEventType.ADDR_RESOLVED, share, CmEventType.ROUTE_RESOLVED, share,
                        CmEventType.ESTABLISHED, share), client.total());
                assertEachOnce(client, share);
            }
        } finally {
            clients.forEach(Side::close);
        }
    }

    private static void assertEachOnce(Side side, int ids) {
        assertEquals(ids, side.events.size());
        side.events.forEach((id, events) -> {
            assertTrue(events.values().stream().allMatch(count -> count == 1), () -> id + " had " + events);
            assertEquals(QpState.RTS, id.queuePair().state());
        });
    }

    @Test
    void tenThousandIdsOfOneChannelResolveTheirAddresses() throws Exception {
        try (Side server = new Side("soft:127.0.9.3?fabric=wire");
                Side client = new Side("soft:127.0.9.4?fabric=wire")) {
            for (int i = 0; i < IDS; i++) {
                client.channel.createId(PortSpace.TCP).resolveAddress(server.address(), STEP);
            }
            for (int i = 0; i < IDS; i++) {
                client.next().close();
            }
            assertEquals(Map.of(CmEventType.ADDR_RESOLVED, IDS), client.total());
            assertEquals(IDS, client.events.size());
        }
    }
}
