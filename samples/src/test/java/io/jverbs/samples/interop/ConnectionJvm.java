package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import io.jverbs.samples.interop.process.InteropSettings;
import io.jverbs.samples.interop.process.RdmacmProgram;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Another JVM that listens and connects, on a device of its own, and can be killed. It runs the commands of its
 * standard input at the same time, and prints how each one has ended. Not thread-safe.
 */
final class ConnectionJvm implements AutoCloseable {
    static final Duration LIMIT = Duration.ofSeconds(60);
    static final Duration KEEP_ALIVE = Duration.ofSeconds(3);
    static final Duration KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(5);
    static final EndpointOptions OPTIONS = EndpointOptions.builder().connectTimeout(LIMIT).keepAlive(KEEP_ALIVE)
            .keepAliveTimeout(KEEP_ALIVE_TIMEOUT).build();
    /** How an endpoint has ended that the other side has closed, and one that was told to close. */
    static final String CLOSED_BY_PEER = "closed by the peer";
    static final String CLOSED = "closed";
    /** The number of calls of an exchange. */
    static final int CALLS = 100;
    /** How long the JVM may take to start and to load the classes. */
    private static final Duration START_TIMEOUT = Duration.ofSeconds(180);
    private static final long POLL_MILLIS = 20;

    /** What the JVM can do. */
    enum Command {
        /** Listens, and serves each endpoint. */
        SERVE {
            @Override
            String run(RdmaContext context, InetSocketAddress address) throws Exception {
                try (Listener listener = Listener.bind(context, address, OPTIONS)) {
                    print(this, address, LISTENS);
                    while (true) {
                        Endpoint endpoint = listener.accept();
                        Thread.ofPlatform().daemon().start(() -> print(this, address, serve(endpoint)));
                    }
                }
            }
        },
        /** Connects, exchanges messages and closes. */
        EXCHANGE {
            @Override
            String run(RdmaContext context, InetSocketAddress address) throws Exception {
                try (Endpoint endpoint = Endpoint.connect(context, address, OPTIONS)) {
                    exchange(endpoint, CALLS);
                }
                return CLOSED;
            }
        },
        /** Connects, and keeps the connection until the other side ends it. */
        HOLD {
            @Override
            String run(RdmaContext context, InetSocketAddress address) throws Exception {
                try (Endpoint endpoint = Endpoint.connect(context, address, OPTIONS)) {
                    endpoint.call("hold").close();
                    print(this, address, HOLDS);
                    return serve(endpoint);
                }
            }
        },
        /** Connects an ID without a queue pair, with options of ECE. */
        OFFER_ECE {
            @Override
            String run(RdmaContext context, InetSocketAddress address) throws Exception {
                return EceConnection.offer(context, address);
            }
        },
        /** Accepts the connect request of an ID without a queue pair, with options of ECE. */
        ACCEPT_ECE {
            @Override
            String run(RdmaContext context, InetSocketAddress address) throws Exception {
                return EceConnection.accept(context, address, () -> print(this, address, LISTENS));
            }
        };

        static final String LISTENS = "listens";
        static final String HOLDS = "holds";

        /** Runs the command; returns how it has ended. */
        abstract String run(RdmaContext context, InetSocketAddress address) throws Exception;
    }

    private final RdmacmProgram process;

    /**
     * Starts the JVM. It opens its device with the first command.
     *
     * @param prefix the words that enter the network namespace of the device
     * @param settings the settings of this JVM
     * @param selector the device
     */
    ConnectionJvm(List<String> prefix, InteropSettings settings, String selector) throws IOException {
        process = RdmacmProgram.start(prefix, settings.jvm(selector, ConnectionJvm.class.getName(), List.of()));
    }

    /** Runs the commands of standard input: the name of the command, the address and the port. */
    public static void main(String[] args) throws IOException {
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (RdmaContext context = Verbs.open();
                var threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory())) {
            for (String line = commands.readLine(); line != null; line = commands.readLine()) {
                String[] words = line.split(" ");
                Command command = Command.valueOf(words[0]);
                InetSocketAddress address = new InetSocketAddress(words[1], Integer.parseInt(words[2]));
                threads.execute(() -> print(command, address, end(command, context, address)));
            }
            threads.shutdownNow();
        }
    }

    private static String end(Command command, RdmaContext context, InetSocketAddress address) {
        try {
            return command.run(context, address);
        } catch (Exception | AssertionError e) {
            return e.toString();
        }
    }

    private static void print(Command command, InetSocketAddress address, String text) {
        System.out.println(line(command, address, text));
    }

    private static String line(Command command, InetSocketAddress address, String text) {
        return command + " " + address + ": " + text;
    }

    /** Receives messages until there is no more; replies to requests, and closes at a message. Returns the end. */
    static String serve(Endpoint endpoint) {
        try (endpoint) {
            while (true) {
                try (Message message = endpoint.receive()) {
                    if (message == null) {
                        return CLOSED_BY_PEER;
                    }
                    if (!message.isRequest()) {
                        return CLOSED;
                    }
                    message.reply("re: " + message.text());
                }
            }
        } catch (EndpointException e) {
            return e.reason().toString();
        } catch (InterruptedException e) {
            return e.toString();
        }
    }

    /** Exchanges calls, and requests whose replies are futures, with an endpoint that replies as {@link #serve}. */
    static void exchange(Endpoint endpoint, int calls) throws Exception {
        for (int i = 0; i < calls; i++) {
            try (Message reply = endpoint.call("call " + i, LIMIT)) {
                assertEquals("re: call " + i, reply.text());
            }
        }
        CompletableFuture<Message> first = endpoint.request(MemorySegment.ofArray("first".getBytes()));
        CompletableFuture<Message> second = endpoint.request(MemorySegment.ofArray("second".getBytes()));
        try (Message one = first.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                Message two = second.get(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
            assertEquals("re: first, re: second", one.text() + ", " + two.text());
        }
    }

    /** Starts a command. */
    void start(Command command, InetSocketAddress address) throws IOException {
        process.input(command + " " + address.getAddress().getHostAddress() + " " + address.getPort());
    }

    /** Waits until the JVM has printed a text of a command; the first one may come after the start of the JVM. */
    void await(Command command, InetSocketAddress address, String text) throws InterruptedException {
        String line = line(command, address, text);
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!process.lines().contains(line)) {
            assertTrue(process.isRunning() && System.nanoTime() - deadline < 0,
                    () -> "no line \"" + line + "\" in " + process.lines());
            Thread.sleep(POLL_MILLIS);
        }
    }

    /** Kills the JVM with SIGKILL. */
    void kill() {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
