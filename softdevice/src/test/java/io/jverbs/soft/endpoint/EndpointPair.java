package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.soft.LoopbackAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** Two contexts, a listener, and a connection between them. */
final class EndpointPair implements AutoCloseable {
    private static final AtomicInteger NETWORKS = new AtomicInteger();
    private static final Duration ACCEPT = Duration.ofSeconds(30);
    private static final long DEADLINE_SECONDS = 30;

    private final RdmaContext clientContext;
    private final RdmaContext serverContext;
    /** Other tests of this JVM use the same devices. */
    private final long rnrNaksBefore;
    private final Listener listener;
    private final Endpoint client;
    private final Endpoint server;

    private EndpointPair(RdmaContext clientContext, RdmaContext serverContext, EndpointOptions clientOptions,
            EndpointOptions serverOptions) throws InterruptedException {
        this.clientContext = clientContext;
        this.serverContext = serverContext;
        rnrNaksBefore = rnrNaks(clientContext) + rnrNaks(serverContext);
        listener = Listener.bind(serverContext, anyPort(serverContext), serverOptions);
        client = Endpoint.connect(clientContext, listener.localAddress(), clientOptions);
        server = listener.accept(ACCEPT);
        assertNotNull(server);
    }

    /** Returns the address of the device with any port. */
    static InetSocketAddress anyPort(RdmaContext context) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    /** Returns the selectors of two devices: in the JVM, over UDP, or on a simulated network that loses packets. */
    static String[] selectors(String where) {
        return switch (where) {
            case "jvm" -> new String[] {"soft", "soft"};
            case "wire" -> new String[] {LoopbackAddress.wired(), LoopbackAddress.wired()};
            case "simulation" -> {
                String options = "?seed=7&time=real&loss=0.01&network=endpoint" + NETWORKS.incrementAndGet();
                yield new String[] {"soft:sim0" + options, "soft:sim1" + options};
            }
            default -> throw new IllegalArgumentException(where);
        };
    }

    static EndpointPair connect(String where) throws InterruptedException {
        return connect(where, EndpointOptions.DEFAULT, EndpointOptions.DEFAULT);
    }

    static EndpointPair connect(String where, EndpointOptions client, EndpointOptions server)
            throws InterruptedException {
        String[] selectors = selectors(where);
        RdmaContext clients = Verbs.open(selectors[0]);
        RdmaContext servers = Verbs.open(selectors[1]);
        return new EndpointPair(clients, servers, client, server);
    }

    Endpoint client() {
        return client;
    }

    Endpoint server() {
        return server;
    }

    Listener listener() {
        return listener;
    }

    RdmaContext clientContext() {
        return clientContext;
    }

    RdmaContext serverContext() {
        return serverContext;
    }

    /** Returns the number of RNR NAKs that both devices have sent and received since this pair was created. */
    long rnrNaks() {
        return rnrNaks(clientContext) + rnrNaks(serverContext) - rnrNaksBefore;
    }

    private static long rnrNaks(RdmaContext context) {
        Map<String, Long> counters = context.device().capability(DeviceCounters.class).orElseThrow().snapshot(1);
        return counters.get("send_rnr_err") + counters.get("rcvd_rnr_err");
    }

    /** Waits until a condition holds. */
    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, what + " not within " + DEADLINE_SECONDS + " s");
            Thread.sleep(1);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
        listener.close();
        clientContext.close();
        serverContext.close();
    }
}
