package io.jverbs.soft.rsocket;

import static io.jverbs.soft.rsocket.BackgroundTransfer.start;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Streams between two sides on every kind of software device: bytes, their end, and what a program must not do. */
@Timeout(120)
final class RdmaStreamTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final long SECONDS = 60;

    private static ByteBuffer text(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    /** Reads a number of bytes. */
    private static String read(RdmaStream from, int length) throws IOException, InterruptedException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            assertTrue(from.read(into) > 0, "the stream has ended after " + into.position());
        }
        return new String(into.array(), StandardCharsets.US_ASCII);
    }

    private static int readByte(RdmaStream from) throws IOException, InterruptedException {
        return from.read(ByteBuffer.allocate(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire", "simulation"})
    void bytesArriveInOrderInBothDirections(String where) throws Exception {
        try (StreamPair pair = StreamPair.connect(where)) {
            for (int i = 0; i < 50; i++) {
                pair.client().write(text("request " + i % 10));
                assertEquals("request " + i % 10, read(pair.server(), 9));
                pair.server().write(text("response"));
                assertEquals("response", read(pair.client(), 8));
            }
            assertEquals(0, pair.client().tryRead(ByteBuffer.allocate(1)));
            assertEquals(RdmaStream.WRITABLE, pair.client().ready());
            assertFalse(pair.client().awaitReadable(SHORT));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void smallBuffersShareAMessageOfAGatheringWrite(String where) throws Exception {
        // far more buffers than messages that the peer has receives for
        ByteBuffer[] from = new ByteBuffer[3000];
        Arrays.setAll(from, i -> text(i % 3 == 0 ? "" : i % 2 == 0 ? "a" : "bc"));
        String expected = Arrays.stream(from).skip(1).limit(2998)
                .map(each -> StandardCharsets.US_ASCII.decode(each.duplicate()).toString())
                .collect(Collectors.joining());
        try (StreamPair pair = StreamPair.connect(where)) {
            assertEquals(expected.length(), pair.client().tryWrite(from, 1, 2998));
            assertFalse(from[2998].hasRemaining());
            assertTrue(from[2999].hasRemaining());
            assertEquals(expected, read(pair.server(), expected.length()));
            assertThrows(IndexOutOfBoundsException.class, () -> pair.client().tryWrite(from, 2, 2999));
        }
    }

    /** The byte at a position of the stream. */
    private static byte byteAt(long position) {
        return (byte) (position * 0x9E3779B97F4A7C15L >>> 56);
    }

    private static void sendRandom(RdmaStream to, long total, long seed) throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        MemorySegment segment = Arena.ofAuto().allocate(100_000);
        long position = 0;
        while (position < total) {
            int size = (int) Math.min(total - position, random.nextInt(1, 1 << random.nextInt(1, 17)));
            for (int i = 0; i < size; i++) {
                segment.set(ValueLayout.JAVA_BYTE, i, byteAt(position + i));
            }
            if (random.nextBoolean()) {
                to.write(segment.asSlice(0, size));
            } else {
                ByteBuffer bytes = random.nextBoolean()
                        ? segment.asSlice(0, size).asByteBuffer()
                        : ByteBuffer.wrap(segment.asSlice(0, size).toArray(ValueLayout.JAVA_BYTE));
                to.write(bytes);
                assertFalse(bytes.hasRemaining());
            }
            position += size;
        }
        to.shutdownOutput();
    }

    private static void receiveRandom(RdmaStream from, long total, long seed)
            throws IOException, InterruptedException {
        SplittableRandom random = new SplittableRandom(seed);
        ByteBuffer heap = ByteBuffer.allocate(70_000);
        MemorySegment segment = Arena.ofAuto().allocate(70_000);
        long position = 0;
        int count = 0;
        while (count >= 0) {
            int size = random.nextInt(1, 1 << random.nextInt(1, 17));
            if (random.nextBoolean()) {
                heap.clear().limit(size);
                count = from.read(heap);
                assertEquals(Math.max(0, count), heap.position());
                for (int i = 0; i < count; i++) {
                    check(position + i, heap.get(i));
                }
            } else {
                count = from.read(segment.asSlice(0, size));
                for (int i = 0; i < count; i++) {
                    check(position + i, segment.get(ValueLayout.JAVA_BYTE, i));
                }
            }
            position += Math.max(0, count);
        }
        assertEquals(total, position);
    }

    private static void check(long position, byte found) {
        if (found != byteAt(position)) {
            assertEquals(byteAt(position), found, "byte " + position);
        }
    }

    @ParameterizedTest
    @CsvSource({"jvm, 20000000, 4096, 16", "jvm, 50000000, 262144, 384", "wire, 20000000, 262144, 384",
        "wire, 5000000, 8192, 16", "simulation, 300000, 65536, 32"})
    void randomTransfersInBothDirectionsDeliverEveryByte(String where, long total, int buffer, int queue)
            throws Exception {
        RdmaStreamOptions options = RdmaStreamOptions.DEFAULT.withSendBufferSize(buffer).withReceiveBufferSize(buffer)
                .withReceiveQueueSize(queue).withSendQueueSize(queue);
        long seed = System.nanoTime();
        try (StreamPair pair = StreamPair.connect(where, options, options.withReceiveBufferSize(3 * buffer))) {
            BackgroundTransfer[] all = {start(() -> sendRandom(pair.client(), total, seed)),
                start(() -> receiveRandom(pair.server(), total, seed + 1)),
                start(() -> sendRandom(pair.server(), total / 2, seed + 2)),
                start(() -> receiveRandom(pair.client(), total / 2, seed + 3))};
            for (BackgroundTransfer each : all) {
                each.get();
            }
            StreamPair.await("the end", () -> (pair.client().ready() & RdmaStream.ENDED) != 0);
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aSideThatHasShutDownItsOutputStillReads(String where) throws Exception {
        try (StreamPair pair = StreamPair.connect(where)) {
            pair.client().write(text("last"));
            pair.client().shutdownOutput();
            pair.client().shutdownOutput();
            assertThrows(IllegalStateException.class, () -> pair.client().write(text("late")));
            assertEquals("last", read(pair.server(), 4));
            assertEquals(-1, readByte(pair.server()));
            assertEquals(-1, readByte(pair.server()), "the end stays");
            pair.server().write(text("reply"));
            assertEquals("reply", read(pair.client(), 5));
            pair.server().shutdownOutput();
            assertEquals(-1, readByte(pair.client()));
            StreamPair.await("the end", () -> !pair.client().isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire", "simulation"})
    void whatWasWrittenBeforeTheCloseIsReadAndThenTheStreamEnds(String where) throws Exception {
        try (StreamPair pair = StreamPair.connect(where)) {
            pair.client().write(text("before the close"));
            pair.client().close();
            pair.client().close();
            assertEquals("before the close", read(pair.server(), 16));
            assertEquals(-1, readByte(pair.server()));
            RdmaStreamException late = assertThrows(RdmaStreamException.class, () -> pair.server().write(text("late")));
            assertEquals(Reason.PEER_CLOSED, late.reason());
            assertThrows(IllegalStateException.class, () -> readByte(pair.client()));
            assertThrows(IllegalStateException.class, () -> pair.client().write(text("late")));
            assertThrows(IllegalStateException.class, () -> pair.client().ready());
        }
    }

    @Test
    void afterAShutdownOfTheInputWhatArrivesIsDiscardedAndThePeerCanWriteOn() throws Exception {
        RdmaStreamOptions small = RdmaStreamOptions.DEFAULT.withReceiveBufferSize(4096).withSendBufferSize(4096);
        try (StreamPair pair = StreamPair.connect("jvm", small, small)) {
            pair.client().write(text("unread"));
            pair.server().shutdownInput();
            assertEquals(-1, readByte(pair.server()));
            BackgroundTransfer written = start(() -> pair.client().write(ByteBuffer.allocate(100_000)));
            StreamPair.await("the write", () -> {
                pair.server().ready();
                return written.isDone();
            });
            written.get();
            pair.server().write(text("on"));
            assertEquals("on", read(pair.client(), 2));
        }
    }

    @Test
    void aWriteThatDoesNotFitWritesPartAndTheRestAfterTheReader() throws Exception {
        RdmaStreamOptions small = RdmaStreamOptions.DEFAULT.withReceiveBufferSize(4096).withSendBufferSize(8192);
        try (StreamPair pair = StreamPair.connect("jvm", small, small)) {
            ByteBuffer data = ByteBuffer.allocate(10_000);
            for (int i = 0; i < data.capacity(); i++) {
                data.put(i, byteAt(i));
            }
            int written = 0;
            StreamPair.await("both halves of the receive buffer", () -> {
                try {
                    pair.client().tryWrite(data);
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
                return data.position() == 4096;
            });
            assertEquals(0, pair.client().tryWrite(data));
            assertEquals(0, pair.client().ready() & RdmaStream.WRITABLE);
            BackgroundTransfer rest = start(() -> pair.client().write(data));
            ByteBuffer all = ByteBuffer.allocate(10_000);
            while (all.hasRemaining()) {
                written += pair.server().read(all);
            }
            rest.get();
            assertEquals(10_000, written);
            assertArrayEquals(data.array(), all.array());
        }
    }

    @Test
    void aThreadThatWaitsEndsWithTheCloseOfItsStream() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            BackgroundTransfer reader = start(() -> readByte(pair.client()));
            reader.awaitBlocked();
            pair.client().close();
            Throwable thrown = assertThrows(Exception.class, reader::get).getCause();
            assertEquals(IllegalStateException.class, thrown.getClass());
            assertTrue(thrown.getMessage().endsWith(" is closed"), thrown.getMessage());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void threadsThatBlockAtOnceAndVirtualThreadsTransferEverything(String where) throws Exception {
        RdmaStreamOptions blocking = RdmaStreamOptions.DEFAULT.withSpin(Duration.ZERO).withReceiveBufferSize(8192);
        try (StreamPair pair = StreamPair.connect(where, blocking, blocking)) {
            CompletableFuture<Void> echo = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    ByteBuffer bytes = ByteBuffer.allocate(1000);
                    while (pair.server().read(bytes.clear()) >= 0) {
                        pair.server().write(bytes.flip());
                    }
                    pair.server().shutdownOutput();
                    echo.complete(null);
                } catch (Throwable e) {
                    echo.completeExceptionally(e);
                }
            });
            BackgroundTransfer sent = start(() -> sendRandom(pair.client(), 300_000, 5));
            receiveRandom(pair.client(), 300_000, 6);
            sent.get();
            echo.get(SECONDS, TimeUnit.SECONDS);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void streamsLeaveNoThreadBehind(boolean contextsFirst) throws Exception {
        Set<Thread> before = StreamPair.threads();
        try (StreamPair pair = StreamPair.connect("jvm")) {
            pair.client().write(text("x"));
            assertTrue(StreamPair.threads().size() >= before.size() + 4);
            if (contextsFirst) {
                pair.clientContext().close();
                pair.serverContext().close();
            }
        }
        StreamPair.await("the end of the threads", () -> before.containsAll(StreamPair.threads()));
    }

    @Test
    void anInterruptEndsAWait() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> readByte(pair.client()));
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> pair.listener().accept());
        }
    }

    @Test
    void aConnectWithoutAListenerIsRejected() throws Exception {
        try (RdmaContext context = Verbs.open("soft")) {
            InetSocketAddress nobody = new InetSocketAddress(StreamPair.anyPort(context).getAddress(), 1);
            RdmaStreamException refused = assertThrows(RdmaStreamException.class,
                    () -> RdmaStream.connect(context, nobody));
            assertEquals(Reason.REJECTED, refused.reason());
            assertTrue(refused.getMessage().startsWith("stream to "), refused.getMessage());
        }
    }

    @Test
    void aConnectThatIsBegunDoesNotWait() throws Exception {
        try (RdmaContext context = Verbs.open("soft");
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context));
                RdmaStream stream = RdmaStream.beginConnect(context, listener.localAddress(),
                        RdmaStreamOptions.DEFAULT)) {
            StreamPair.await("the connection", () -> {
                try {
                    return stream.finishConnect();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            try (RdmaStream accepted = listener.accept()) {
                assertEquals(4, stream.tryWrite(text("fast")));
                assertEquals("fast", read(accepted, 4));
            }
            assertNull(listener.accept(Duration.ZERO));
        }
    }

    @Test
    void queuesAreAtMostAsLongAsTheDeviceAllows() throws Exception {
        RdmaStreamOptions longest = RdmaStreamOptions.DEFAULT.withSendQueueSize(65534).withReceiveQueueSize(65534);
        try (StreamPair pair = StreamPair.connect("jvm", longest, longest)) {
            int max = pair.clientContext().queryDevice().maxQpWr();
            assertEquals(max, pair.client().options().sendQueueSize());
            assertTrue(pair.client().options().receiveQueueSize() < max);
            pair.client().write(text("long queues"));
            assertEquals("long queues", read(pair.server(), 11));
        }
    }

    /** Waits for the end; the listener may not have got the RTU, and then disconnects without a message. */
    private static boolean hasEnded(RdmaStream stream) throws IOException, InterruptedException {
        try {
            return readByte(stream) == -1;
        } catch (RdmaStreamException e) {
            return e.reason() == Reason.PEER_LOST;
        }
    }

    @Test
    void aClosedListenerClosesTheStreamsThatWereNotAccepted() throws Exception {
        try (RdmaContext context = Verbs.open("soft")) {
            RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context));
            try (RdmaStream stream = RdmaStream.connect(context, listener.localAddress())) {
                listener.close();
                listener.close();
                assertTrue(hasEnded(stream));
                assertThrows(IllegalStateException.class, listener::accept);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void aClosedContextEndsTheStreamsAndTheWaits(String where) throws Exception {
        StreamPair pair = StreamPair.connect(where);
        BackgroundTransfer reader = start(() -> readByte(pair.client()));
        reader.awaitBlocked();
        pair.clientContext().close();
        Throwable thrown = assertThrows(Exception.class, reader::get).getCause();
        assertTrue(thrown instanceof RdmaStreamException failed && failed.reason() == Reason.CONTEXT_CLOSED,
                thrown::toString);
        pair.close();
    }

    @Test
    void aClosedContextNotifiesThoseWhoWaitForAStream() throws Exception {
        RdmaContext context = Verbs.open("soft");
        try (RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context))) {
            AtomicBoolean isNotified = new AtomicBoolean();
            assertFalse(listener.requestNotification(() -> isNotified.set(true)));
            context.close();
            StreamPair.await("the notification", isNotified::get);
            assertThrows(IllegalStateException.class, listener::tryAccept);
        }
    }
}
