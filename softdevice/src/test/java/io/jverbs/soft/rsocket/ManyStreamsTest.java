package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.linux.Descriptors;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thousand streams that are connected, used and closed in a random order: none hangs, and nothing is left. */
final class ManyStreamsTest {
    private static final int ROUNDS = Integer.getInteger("jverbs.stream.rounds", 1);
    private static final int STREAMS = 1000;
    private static final int THREADS = 8;
    private static final int MAX_LENGTH = 1500;
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final RdmaStreamOptions SMALL = RdmaStreamOptions.DEFAULT.withSendBufferSize(4096)
            .withReceiveBufferSize(4096).withSendQueueSize(16).withReceiveQueueSize(16).withConnectTimeout(LIMIT);

    private final Random random = new Random(Long.getLong("jverbs.test.seed", 1));

    /** What is left to be done with a stream: its steps in this order. */
    private enum Step {
        CONNECT, USE, CLOSE_ONE, CLOSE_OTHER
    }

    /** A stream, and its accepted end. */
    private final class Connection {
        private final int number;
        private final boolean clientFirst = random.nextBoolean();
        private final int length = 1 + random.nextInt(MAX_LENGTH);
        private final CompletableFuture<RdmaStream> server = new CompletableFuture<>();
        private RdmaStream client;
        private int next;

        Connection(int number) {
            this.number = number;
        }

        /** Takes the next step; returns whether there is another one. */
        boolean proceed(Round round) throws Exception {
            switch (Step.values()[next]) {
                case CONNECT -> {
                    client = RdmaStream.connect(round.client, round.listener.localAddress(), SMALL);
                    client.write(ByteBuffer.allocate(Integer.BYTES).putInt(0, number));
                    round.accept();
                }
                case USE -> {
                    RdmaStream accepted = server.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
                    for (int i = 0; i < 3; i++) {
                        exchange(client, accepted);
                        exchange(accepted, client);
                    }
                }
                case CLOSE_ONE -> end(clientFirst).close();
                case CLOSE_OTHER -> end(!clientFirst).close();
            }
            next++;
            return next < Step.values().length;
        }

        private RdmaStream end(boolean isClient) {
            return isClient ? client : server.join();
        }

        private void exchange(RdmaStream from, RdmaStream to) throws IOException, InterruptedException {
            ByteBuffer sent = ByteBuffer.allocate(length);
            for (int i = 0; i < length; i++) {
                sent.put(i, (byte) (number + i));
            }
            from.write(sent);
            ByteBuffer received = ByteBuffer.allocate(length);
            while (received.hasRemaining()) {
                assertTrue(to.read(received) > 0, "the stream has ended");
            }
            assertEquals(sent.flip(), received.flip());
        }
    }

    /** Streams between two contexts, whose next steps the threads take. */
    private final class Round {
        private final RdmaContext client;
        private final RdmaStreamListener listener;
        private final List<Connection> all = new ArrayList<>();
        private final List<Connection> waiting = new ArrayList<>();
        private final Random order = new Random(random.nextLong());

        Round(RdmaContext client, RdmaStreamListener listener, int streams) {
            this.client = client;
            this.listener = listener;
            for (int i = 0; i < streams; i++) {
                all.add(new Connection(i));
            }
            waiting.addAll(all);
        }

        /** Accepts a stream, which says its number. */
        void accept() throws IOException, InterruptedException {
            RdmaStream accepted = listener.accept(LIMIT);
            assertNotNull(accepted);
            ByteBuffer number = ByteBuffer.allocate(Integer.BYTES);
            while (number.hasRemaining()) {
                assertTrue(accepted.read(number) > 0, "the stream has ended");
            }
            all.get(number.getInt(0)).server.complete(accepted);
        }

        private synchronized Connection take() {
            if (waiting.isEmpty()) {
                return null;
            }
            Collections.swap(waiting, order.nextInt(waiting.size()), waiting.size() - 1);
            return waiting.removeLast();
        }

        private synchronized void giveBack(Connection connection) {
            waiting.add(connection);
        }

        /** Takes random steps, until there is none. */
        void work() throws Exception {
            for (Connection next = take(); next != null; next = take()) {
                if (next.proceed(this)) {
                    giveBack(next);
                }
            }
        }

        void run() throws Exception {
            List<CompletableFuture<Void>> workers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                CompletableFuture<Void> done = new CompletableFuture<>();
                workers.add(done);
                Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
                builder.start(() -> {
                    try {
                        work();
                        done.complete(null);
                    } catch (Throwable e) {
                        done.completeExceptionally(e);
                    }
                });
            }
            for (CompletableFuture<Void> worker : workers) {
                worker.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    /** Returns the objects of the devices, and the descriptors and device threads of this process. */
    private static Map<String, Long> counts(RdmaContext... contexts) {
        Map<String, Long> counts = new HashMap<>();
        for (RdmaContext each : contexts) {
            each.device().capability(DeviceCounters.class).orElseThrow().resources()
                    .forEach((name, count) -> counts.put(each.device() + " " + name, count));
        }
        counts.put("threads", Thread.getAllStackTraces().keySet().stream()
                .filter(each -> each.getName().startsWith("jverbs-")).count());
        try {
            counts.put("descriptors", Files.isDirectory(Descriptors.LIST) ? Descriptors.count() : 0);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return counts;
    }

    private static boolean areWithin(Map<String, Long> counts, Map<String, Long> most) {
        return counts.entrySet().stream().allMatch(each -> each.getValue() <= most.getOrDefault(each.getKey(), 0L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    @Timeout(value = 100, unit = TimeUnit.MINUTES)
    void eightThreadsConnectUseAndCloseStreamsInARandomOrderAndNothingIsLeft(String where) throws Exception {
        String[] selectors = StreamPair.selectors(where);
        try (RdmaContext server = Verbs.open(selectors[0]);
                RdmaContext client = Verbs.open(selectors[1]);
                RdmaStreamListener listener = RdmaStreamListener.bind(server, StreamPair.anyPort(server), SMALL)) {
            // what is opened once stays open, such as the sockets of the devices
            new Round(client, listener, 2 * THREADS).run();
            Map<String, Long> before = counts(server, client);
            long start = System.nanoTime();
            for (int i = 0; i < ROUNDS; i++) {
                new Round(client, listener, STREAMS).run();
                StreamPair.await("the end of all streams of round " + i + ", after " + before,
                        () -> areWithin(counts(server, client), before));
            }
            System.out.println(ROUNDS + " rounds of " + STREAMS + " streams (" + where + "): "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start) + " ms");
        }
    }
}
