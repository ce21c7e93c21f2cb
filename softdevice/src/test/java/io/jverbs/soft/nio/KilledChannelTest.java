package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.rsocket.StreamProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process of a peer is killed with SIGKILL: selectors report its channels, whose reads and writes throw. */
@Timeout(120)
final class KilledChannelTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration MOST = INTERVAL.multipliedBy(2).plus(TIMEOUT).plusSeconds(2);

    private static SocketChannel connect(RdmaSelectorProvider provider, StreamProcess process) throws IOException {
        SocketChannel channel = provider.openSocketChannel();
        channel.connect(process.address());
        channel.write(ByteBuffer.allocate(1));
        assertEquals(1, channel.read(ByteBuffer.allocate(1)));
        channel.configureBlocking(false);
        return channel;
    }

    @Test
    void aSelectorReportsTheChannelsOfAKilledProcessWithinTheTimeOfTheKeepAlive() throws Exception {
        RdmaStreamOptions checking = RdmaStreamOptions.DEFAULT.withKeepAlive(INTERVAL).withKeepAliveTimeout(TIMEOUT)
                .withCloseTimeout(TIMEOUT);
        try (StreamProcess victim = StreamProcess.start();
                StreamProcess survivor = StreamProcess.start();
                RdmaContext context = Verbs.open("soft:" + LoopbackAddress.next())) {
            RdmaSelectorProvider provider = new RdmaSelectorProvider(context, "always", checking);
            try (Selector selector = provider.openSelector();
                    SocketChannel reading = connect(provider, victim);
                    SocketChannel writing = connect(provider, victim);
                    SocketChannel other = connect(provider, survivor)) {
                while (writing.write(ByteBuffer.allocate(100_000)) > 0) {
                    // until the buffers are full
                }
                SelectionKey toRead = reading.register(selector, SelectionKey.OP_READ);
                SelectionKey toWrite = writing.register(selector, SelectionKey.OP_WRITE);
                SelectionKey otherKey = other.register(selector, SelectionKey.OP_READ);

                victim.kill();
                long start = System.nanoTime();
                Set<SelectionKey> reported = new HashSet<>();
                while (reported.size() < 2) {
                    selector.select(reported::add, 1000);
                    assertTrue(System.nanoTime() - start < MOST.toNanos(), () -> "after " + MOST + ": " + reported);
                }

                assertEquals(Set.of(toRead, toWrite), reported);
                assertTrue(toRead.isReadable());
                assertTrue(toWrite.isWritable());
                assertThrows(IOException.class, () -> reading.read(ByteBuffer.allocate(1)));
                assertThrows(IOException.class, () -> writing.write(ByteBuffer.allocate(1)));
                assertEquals(0, other.read(ByteBuffer.allocate(1)));
                assertTrue(otherKey.isValid());
            }
        }
    }
}
