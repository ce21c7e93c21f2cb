package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A server with one selector for all of its channels, clients that block, and a selector without work. */
@Timeout(120)
final class SelectorEchoTest {
    private static final int MAX_SIZE = 50_000;
    private static final int BUFFER = 4096;
    private static final long DEADLINE_SECONDS = 60;
    private static final long IDLE_MILLIS = 1_000;
    private static final long MAX_BUSY_MILLIS = 100;

    /** Echoes what arrives until it is closed. */
    private static final class EchoServer implements AutoCloseable {
        private final Selector selector;
        private final Thread thread;
        private final CompletableFuture<Throwable> end = new CompletableFuture<>();
        private volatile boolean closed;

        EchoServer(Selector selector, ServerSocketChannel listener) throws IOException {
            this.selector = selector;
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            thread = Thread.ofPlatform().name("echo").start(this::run);
        }

        private void run() {
            try {
                while (!closed) {
                    selector.select();
                    Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                    while (keys.hasNext()) {
                        process(keys.next());
                        keys.remove();
                    }
                }
                end.complete(null);
            } catch (Throwable e) {
                end.complete(e);
            }
        }

        private void process(SelectionKey key) throws IOException {
            if (key.isAcceptable()) {
                SocketChannel accepted = ((ServerSocketChannel) key.channel()).accept();
                accepted.configureBlocking(false);
                accepted.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(BUFFER));
                return;
            }
            SocketChannel channel = (SocketChannel) key.channel();
            ByteBuffer buffer = (ByteBuffer) key.attachment();
            int count = key.isReadable() ? channel.read(buffer) : 0;
            buffer.flip();
            channel.write(buffer);
            boolean isLeft = buffer.hasRemaining();
            buffer.compact();
            if (count < 0 && !isLeft) {
                channel.close();
            } else {
                // with a full buffer, it waits for room only
                key.interestOps((buffer.hasRemaining() && count >= 0 ? SelectionKey.OP_READ : 0)
                        | (isLeft ? SelectionKey.OP_WRITE : 0));
            }
        }

        @Override
        public void close() throws IOException {
            closed = true;
            selector.wakeup();
            assertNull(assertDoesNotThrow(() -> end.get(DEADLINE_SECONDS, TimeUnit.SECONDS)));
            selector.close();
        }
    }

    private static void exchange(ChannelPair pair, SocketAddress address, int rounds, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        try (SocketChannel client = pair.provider().openSocketChannel()) {
            client.connect(address);
            for (int i = 0; i < rounds; i++) {
                byte[] sent = new byte[random.nextInt(1, random.nextInt(4) == 0 ? MAX_SIZE : 100)];
                random.nextBytes(sent);
                ByteBuffer received = ByteBuffer.allocate(sent.length);
                CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                    try {
                        assertEquals(sent.length, client.write(ByteBuffer.wrap(sent)));
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }, task -> Thread.ofVirtual().start(task));
                while (received.hasRemaining()) {
                    assertTrue(client.read(received) > 0);
                }
                writer.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
                assertArrayEquals(sent, received.array());
                if (random.nextInt(8) == 0) {
                    // long enough for the selector to block
                    TimeUnit.MILLISECONDS.sleep(2);
                }
            }
            client.shutdownOutput();
            assertEquals(-1, client.read(ByteBuffer.allocate(1)));
        }
    }

    @ParameterizedTest
    @CsvSource({"jvm, 1, 300", "jvm, 12, 60", "wire, 1, 200", "wire, 8, 40"})
    void aServerWithASelectorEchoesAllBytesOfItsClients(String where, int clients, int rounds) throws Exception {
        try (ChannelPair pair = ChannelPair.connect(where);
                ServerSocketChannel listener = pair.provider().openServerSocketChannel()
                        .bind(ChannelPair.anyPort(pair.context()));
                EchoServer server = new EchoServer(pair.provider().openSelector(), listener)) {
            SocketAddress address = listener.getLocalAddress();
            List<CompletableFuture<Throwable>> ends = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                CompletableFuture<Throwable> end = new CompletableFuture<>();
                ends.add(end);
                long seed = i;
                Thread.ofPlatform().start(() -> {
                    try {
                        exchange(pair, address, rounds, seed);
                        end.complete(null);
                    } catch (Throwable e) {
                        end.complete(e);
                    }
                });
            }
            for (CompletableFuture<Throwable> end : ends) {
                assertNull(end.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
            }
            assertTrue(server.thread.isAlive());
        }
    }

    @Test
    void aSelectorWithoutWorkTakesNoProcessor() throws Exception {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            pair.server().register(selector, SelectionKey.OP_READ);
            long[] background = Thread.getAllStackTraces().keySet().stream()
                    .filter(each -> each.getName().startsWith("jverbs-rsocket")).mapToLong(Thread::threadId).toArray();
            assertTrue(background.length >= 2);
            long before = nanos(threads, background);
            assertEquals(0, selector.select(IDLE_MILLIS));
            long millis = TimeUnit.NANOSECONDS.toMillis(nanos(threads, background) - before);
            assertTrue(millis <= MAX_BUSY_MILLIS, millis + " ms of " + IDLE_MILLIS);
        }
    }

    private static long nanos(ThreadMXBean threads, long[] background) {
        long sum = threads.getCurrentThreadCpuTime();
        for (long each : background) {
            sum += Math.max(0, threads.getThreadCpuTime(each));
        }
        return sum;
    }
}
