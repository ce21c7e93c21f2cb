package io.jverbs.soft.rsocket.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.jverbs.rsocket.datagram.RdmaDatagramOptions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Datagrams over RDMA allocate nothing in the program's thread. */
@Timeout(120)
@Isolated("its threads spin on both processors")
final class RdmaDatagramAllocationTest {
    private static final int WARM_UP = 10_000;
    private static final int ROUNDS = 1_000;
    private static final int MEASUREMENTS = 25;
    /** The size of the smallest object. One per datagram would be four per round. */
    private static final long OBJECT_BYTES = 16;
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static void exchange(DatagramPair pair, InetSocketAddress left, InetSocketAddress right, ByteBuffer bytes,
            int rounds) throws IOException, InterruptedException {
        for (int i = 0; i < rounds; i++) {
            pair.left().send(bytes.clear());
            pair.right().receive(bytes.clear());
            pair.right().send(bytes.clear(), left);
            assertEquals(right, pair.left().receive(bytes.clear()));
        }
    }

    @ParameterizedTest
    @CsvSource({"jvm, 32", "jvm, 2000", "wire, 32"})
    void datagramsAllocateNothing(String where, int size) throws Exception {
        RdmaDatagramOptions spinning = RdmaDatagramOptions.DEFAULT.withSpin(Duration.ofSeconds(10));
        try (DatagramPair pair = DatagramPair.open(where, spinning)) {
            pair.left().connect(pair.right().localAddress());
            pair.resolve();
            ByteBuffer bytes = ByteBuffer.allocateDirect(size);
            InetSocketAddress left = pair.left().localAddress();
            InetSocketAddress right = pair.right().localAddress();
            exchange(pair, left, right, bytes, WARM_UP);
            long own = 0;
            for (int i = 0; i < MEASUREMENTS; i++) {
                own = THREADS.getCurrentThreadAllocatedBytes();
                exchange(pair, left, right, bytes, ROUNDS);
                own = THREADS.getCurrentThreadAllocatedBytes() - own;
                if (own < OBJECT_BYTES * ROUNDS) {
                    return;
                }
            }
            assertTrue(own < OBJECT_BYTES * ROUNDS, own + " bytes");
        }
    }
}
