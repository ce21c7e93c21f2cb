package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Transfers and selections allocate nothing in the thread that calls them. */
@Timeout(120)
@Isolated("its threads spin on both processors")
final class NioAllocationTest {
    private static final int WARM_UP = 20_000;
    private static final int ROUNDS = 2_000;
    private static final int MEASUREMENTS = 25;
    /** The size of the smallest object: one per round would be more than the limit. */
    private static final long OBJECT_BYTES = 16;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** A number of rounds. */
    private interface Rounds {
        void run(int count) throws IOException;
    }

    private static void assertAllocatesNothing(Rounds rounds) throws IOException {
        rounds.run(WARM_UP);
        long least = Long.MAX_VALUE;
        for (int i = 0; i < MEASUREMENTS && least >= OBJECT_BYTES * ROUNDS / 10; i++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            rounds.run(ROUNDS);
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(least < OBJECT_BYTES * ROUNDS / 10, least + " bytes in " + ROUNDS + " rounds");
    }

    private static void readAll(SocketChannel from, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            from.read(into);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void transfersOfDirectAndHeapBuffers(boolean isDirect) throws Exception {
        RdmaStreamOptions spinning = RdmaStreamOptions.DEFAULT.withSpin(Duration.ofSeconds(10));
        try (ChannelPair pair = ChannelPair.connect("jvm", spinning)) {
            ByteBuffer one = isDirect ? ByteBuffer.allocateDirect(64) : ByteBuffer.allocate(64);
            ByteBuffer other = isDirect ? ByteBuffer.allocateDirect(64) : ByteBuffer.allocate(64);
            ByteBuffer[] both = {one, other};
            assertAllocatesNothing(count -> {
                for (int i = 0; i < count; i++) {
                    pair.client().write(one.clear());
                    readAll(pair.server(), one.clear());
                    one.clear();
                    other.clear();
                    pair.server().write(both);
                    readAll(pair.client(), one.clear());
                    readAll(pair.client(), other.clear());
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void selectionsThatFindAKey(boolean hasAction) throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            pair.client().configureBlocking(false);
            pair.server().register(selector, SelectionKey.OP_READ);
            ByteBuffer bytes = ByteBuffer.allocateDirect(64);
            Consumer<SelectionKey> action = key -> {
                try {
                    ((SocketChannel) key.channel()).read(bytes.clear());
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            };
            assertAllocatesNothing(count -> {
                for (int i = 0; i < count; i++) {
                    bytes.clear().limit(1);
                    assertEquals(1, pair.client().write(bytes));
                    if (hasAction) {
                        selector.select(action);
                    } else {
                        selector.select();
                        selector.selectedKeys().clear();
                        pair.server().read(bytes.clear());
                    }
                    selector.selectNow();
                    selector.selectedKeys().clear();
                }
            });
        }
    }
}
