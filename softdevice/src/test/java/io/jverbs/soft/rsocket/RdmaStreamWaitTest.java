package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What threads wait for wakes them. A thread that misses it waits for 50 ms, after which it looks again, so the times
 * say whether one was missed; other programs delay some of the threads, too, but not most.
 */
@Timeout(120)
@Isolated("it measures times")
final class RdmaStreamWaitTest {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final RdmaStreamOptions BLOCKING = RdmaStreamOptions.DEFAULT.withSpin(Duration.ZERO);

    private interface Step {
        long nanos() throws Exception;
    }

    /** Returns the median of the times of a number of steps. */
    private static long median(int steps, Step step) throws Exception {
        long[] times = new long[steps];
        for (int i = 0; i < steps; i++) {
            times[i] = step.nanos();
        }
        Arrays.sort(times);
        return times[steps / 2];
    }

    private static void assertShort(long nanos) {
        assertTrue(nanos < SHORT_NANOS, nanos / 1000 + " us");
    }

    private static int readByte(RdmaStream from) throws IOException, InterruptedException {
        return from.read(ByteBuffer.allocate(1));
    }

    /** The completion queue has more completions than a thread polls at a time, and raises no event for them. */
    @Test
    void aWriterFindsItsCreditsBehindMoreMessagesThanOnePollReturns() throws Exception {
        RdmaStreamOptions small = BLOCKING.withReceiveBufferSize(4096).withSendBufferSize(4096);
        assertShort(median(7, () -> {
            try (StreamPair pair = StreamPair.connect("jvm", BLOCKING, small)) {
                ByteBuffer data = ByteBuffer.allocate(4096);
                StreamPair.await("a full receive buffer", () -> {
                    try {
                        pair.client().tryWrite(data);
                        return !data.hasRemaining();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
                for (int i = 0; i < 350; i++) {
                    pair.server().write(ByteBuffer.allocate(1));
                }
                ByteBuffer into = ByteBuffer.allocate(4096);
                while (into.hasRemaining()) {
                    pair.server().read(into);
                }
                long start = System.nanoTime();
                pair.client().write(ByteBuffer.allocate(1));
                return System.nanoTime() - start;
            }
        }));
    }

    @Test
    void aShutdownOfTheInputWakesTheThreadThatReads() throws Exception {
        assertShort(median(21, () -> {
            try (StreamPair pair = StreamPair.connect("jvm", BLOCKING, BLOCKING)) {
                BackgroundTransfer reader = BackgroundTransfer.start(() -> assertEquals(-1, readByte(pair.client())));
                reader.awaitBlocked();
                long start = System.nanoTime();
                pair.client().shutdownInput();
                reader.get();
                return System.nanoTime() - start;
            }
        }));
    }

    @Test
    void aThreadThatWaitsForAStreamThatConnectsFindsTheFirstMessage() throws Exception {
        try (RdmaContext context = Verbs.open("soft");
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context), BLOCKING)) {
            assertShort(median(21, () -> {
                try (RdmaStream client = RdmaStream.beginConnect(context, listener.localAddress(), BLOCKING)) {
                    BackgroundTransfer waiter = BackgroundTransfer
                            .start(() -> assertTrue(client.awaitReadable(Duration.ofSeconds(30))));
                    try (RdmaStream server = listener.accept()) {
                        long start = System.nanoTime();
                        server.write(ByteBuffer.allocate(1));
                        waiter.get();
                        return System.nanoTime() - start;
                    }
                }
            }));
        }
    }

    /** All streams have one context, so most threads that wait do not wait for the events themselves. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesOfManyStreamsOfAContextWakeTheirThreads(boolean virtual) throws Exception {
        int count = 8;
        SplittableRandom random = new SplittableRandom(5);
        try (RdmaContext context = Verbs.open("soft");
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context), BLOCKING)) {
            List<RdmaStream> clients = new ArrayList<>();
            List<BackgroundTransfer> echoes = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                clients.add(RdmaStream.connect(context, listener.localAddress(), BLOCKING));
                RdmaStream server = listener.accept();
                echoes.add(virtual
                        ? BackgroundTransfer.startVirtual(() -> echo(server))
                        : BackgroundTransfer.start(() -> echo(server)));
            }
            assertShort(median(501, () -> {
                long start = System.nanoTime();
                RdmaStream client = clients.get(random.nextInt(count));
                client.write(ByteBuffer.allocate(1));
                assertEquals(1, readByte(client));
                return System.nanoTime() - start;
            }));
            clients.forEach(RdmaStream::close);
            for (BackgroundTransfer each : echoes) {
                each.get();
            }
        }
    }

    private static void echo(RdmaStream stream) throws IOException, InterruptedException {
        try (stream) {
            while (readByte(stream) == 1) {
                stream.write(ByteBuffer.allocate(1));
            }
        }
    }
}
