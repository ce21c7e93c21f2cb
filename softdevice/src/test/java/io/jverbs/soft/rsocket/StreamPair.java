package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.fault.FaultInjection;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Two contexts, a listener, and a stream between them. */
final class StreamPair implements AutoCloseable {
    private static final AtomicInteger NETWORKS = new AtomicInteger();
    /** All pairs use these devices, since each device keeps a socket and a thread until the JVM ends. */
    private static final String[] WIRED = {LoopbackAddress.wired(), LoopbackAddress.wired()};
    private static final Duration ACCEPT = Duration.ofSeconds(30);
    private static final long DEADLINE_SECONDS = 30;

    private final RdmaContext clientContext;
    private final RdmaContext serverContext;
    private final RdmaStreamListener listener;
    private final RdmaStream client;
    private final RdmaStream server;

    private StreamPair(RdmaContext clientContext, RdmaContext serverContext, RdmaStreamOptions clientOptions,
            RdmaStreamOptions serverOptions) throws IOException, InterruptedException {
        this.clientContext = clientContext;
        this.serverContext = serverContext;
        listener = RdmaStreamListener.bind(serverContext, anyPort(serverContext), serverOptions);
        client = RdmaStream.connect(clientContext, listener.localAddress(), clientOptions);
        server = listener.accept(ACCEPT);
        assertNotNull(server);
    }

    /** Returns the address of the device with any port. */
    static InetSocketAddress anyPort(RdmaContext context) {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    /**
     * Returns the selectors of two devices: in the JVM, over UDP, or on a simulated network that loses one packet in
     * 100, in 20, or none.
     */
    static String[] selectors(String where) {
        return switch (where) {
            case "jvm" -> new String[] {"soft", "soft"};
            case "wire" -> WIRED.clone();
            case "simulation" -> simulated("0.01");
            case "lossy" -> simulated("0.05");
            case "perfect" -> simulated("0");
            default -> throw new IllegalArgumentException(where);
        };
    }

    private static String[] simulated(String loss) {
        String options = "?seed=7&time=real&loss=" + loss + "&network=rsocket" + NETWORKS.incrementAndGet();
        return new String[] {"soft:sim0" + options, "soft:sim1" + options};
    }

    static StreamPair connect(String where) throws IOException, InterruptedException {
        return connect(where, RdmaStreamOptions.DEFAULT, RdmaStreamOptions.DEFAULT);
    }

    static StreamPair connect(String where, RdmaStreamOptions client, RdmaStreamOptions server)
            throws IOException, InterruptedException {
        String[] selectors = selectors(where);
        return new StreamPair(Verbs.open(selectors[0]), Verbs.open(selectors[1]), client, server);
    }

    /** Connects within the JVM; the context of the server has a layer of faults. */
    static StreamPair connect(FaultInjection server) throws IOException, InterruptedException {
        return new StreamPair(Verbs.open("soft"), Verbs.select("soft").open(server), RdmaStreamOptions.DEFAULT,
                RdmaStreamOptions.DEFAULT);
    }

    RdmaStream client() {
        return client;
    }

    RdmaStream server() {
        return server;
    }

    RdmaStreamListener listener() {
        return listener;
    }

    RdmaContext clientContext() {
        return clientContext;
    }

    RdmaContext serverContext() {
        return serverContext;
    }

    /** Returns the threads of all contexts that have streams. */
    static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("jverbs-rsocket")).collect(Collectors.toSet());
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
