package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamCounters;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What streams count: bytes, messages, credit updates, and threads that block. */
@Timeout(60)
final class RdmaStreamCountersTest {
    private static final RdmaStreamOptions BLOCKING = RdmaStreamOptions.DEFAULT.withSpin(Duration.ZERO);

    private static void read(RdmaStream from, int length) throws IOException, InterruptedException {
        ByteBuffer into = ByteBuffer.allocate(length);
        while (into.hasRemaining()) {
            assertTrue(from.read(into) > 0, () -> "the stream has ended after " + into.position() + " bytes");
        }
    }

    private static boolean hasAllUpdates(RdmaStream stream, RdmaStream peer) {
        stream.ready();
        return stream.counters().receivedCreditUpdates() == peer.counters().sentCreditUpdates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void whatOneSideHasSentTheOtherOneHasReceived(String where) throws Exception {
        RdmaStreamOptions small = RdmaStreamOptions.DEFAULT.withReceiveBufferSize(8192);
        try (StreamPair pair = StreamPair.connect(where, small, small)) {
            for (int i = 0; i < 100; i++) {
                pair.client().write(ByteBuffer.allocate(1000));
                read(pair.server(), 1000);
            }
            pair.server().write(ByteBuffer.allocate(70));
            read(pair.client(), 70);
            StreamPair.await("the last credit update of the server", () -> hasAllUpdates(pair.client(), pair.server()));
            StreamPair.await("the last credit update of the client", () -> hasAllUpdates(pair.server(), pair.client()));
            RdmaStreamCounters client = pair.client().counters();
            RdmaStreamCounters server = pair.server().counters();
            assertEquals(100_000, client.sentBytes());
            assertEquals(100_000, server.receivedBytes());
            assertTrue(client.sentMessages() >= 100, client::toString);
            assertEquals(client.sentMessages(), server.receivedMessages());
            assertTrue(server.sentCreditUpdates() >= 100_000 / 8192, server::toString);
            assertEquals(70, server.sentBytes());
            assertEquals(1, server.sentMessages());
            assertEquals(70, client.receivedBytes());
            assertEquals(1, client.receivedMessages());
        }
    }

    @Test
    void bytesCountWhenTheyArriveAlsoIfNobodyReadsThem() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            pair.client().write(ByteBuffer.allocate(10));
            StreamPair.await("the bytes", () -> pair.server().available() == 10);
            pair.server().shutdownInput();
            pair.client().write(ByteBuffer.allocate(5));
            StreamPair.await("bytes that are discarded", () -> {
                pair.server().ready();
                return pair.server().counters().receivedBytes() == 15;
            });
        }
    }

    @Test
    void aMappedBufferCountsAsAMessageAndWritesToItDoNotCount() throws Exception {
        RdmaStreamOptions options = RdmaStreamOptions.DEFAULT.withIomapSize(1);
        try (StreamPair pair = StreamPair.connect("jvm", options, options); Arena arena = Arena.ofShared()) {
            pair.server().iomap().map(arena.allocate(100), 0);
            pair.server().write(ByteBuffer.allocate(1));
            read(pair.client(), 1);
            assertEquals(100, pair.client().iomap().tryWrite(ByteBuffer.allocate(100), 0));
            assertEquals(2, pair.server().counters().sentMessages());
            assertEquals(2, pair.client().counters().receivedMessages());
            assertEquals(1, pair.client().counters().receivedBytes());
            assertEquals(0, pair.client().counters().sentBytes());
            assertEquals(0, pair.client().counters().sentMessages());
        }
    }

    @Test
    void onlyAThreadThatBlocksCountsAsAWait() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm", BLOCKING, BLOCKING)) {
            long before = pair.server().counters().waits();
            pair.client().write(ByteBuffer.allocate(1));
            StreamPair.await("a byte", () -> pair.server().available() == 1);
            read(pair.server(), 1);
            assertEquals(before, pair.server().counters().waits());
            BackgroundTransfer reader = BackgroundTransfer.start(() -> read(pair.server(), 1));
            reader.awaitBlocked();
            assertEquals(before + 1, pair.server().counters().waits());
            pair.client().write(ByteBuffer.allocate(1));
            reader.get();
            assertEquals(before + 1, pair.server().counters().waits());
        }
    }

    @Test
    void countersCanBeReadWhileTheStreamConnectsAndAfterItsEnd() throws Exception {
        RdmaStream client;
        RdmaStream server;
        try (RdmaContext context = Verbs.open("soft");
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context))) {
            client = RdmaStream.beginConnect(context, listener.localAddress(), RdmaStreamOptions.DEFAULT);
            RdmaStreamCounters atFirst = client.counters();
            // it may be established already, with a first update of the credits
            long updates = Math.min(1, atFirst.sentCreditUpdates());
            assertEquals(new RdmaStreamCounters(0, 0, updates, 0, 0, 0, 0), atFirst);
            server = listener.accept(Duration.ofSeconds(30));
            assertNotNull(server);
            assertTrue(client.awaitWritable(Duration.ofSeconds(30)));
            client.write(ByteBuffer.allocate(3));
            read(server, 3);
            client.close();
            assertEquals(3, client.counters().sentBytes());
        }
        assertEquals(3, server.counters().receivedBytes());
    }
}
