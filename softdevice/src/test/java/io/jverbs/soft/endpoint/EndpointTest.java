package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.endpoint.Buffer;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Message;
import io.jverbs.endpoint.MessageHandler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages, requests and replies, handlers and the orderly end, on every kind of software device. */
@Timeout(60)
final class EndpointTest {
    private static final Duration SHORT = Duration.ofMillis(20);
    private static final long SECONDS = 30;

    /** Returns how often a test repeats: less where packets are lost and sent again after a timeout. */
    private static int rounds(String where, int most) {
        return where.equals("simulation") ? most / 5 : most;
    }

    private static MemorySegment bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return MemorySegment.ofArray(bytes);
    }

    private static String text(Endpoint from) throws InterruptedException {
        try (Message message = from.receive()) {
            return message == null ? null : message.text();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire", "simulation"})
    void messagesArriveInOrderInBothDirections(String where) throws InterruptedException {
        try (EndpointPair pair = EndpointPair.connect(where)) {
            for (int i = 0; i < rounds(where, 200); i++) {
                pair.client().send("to the server " + i);
                pair.server().send("to the client " + i);
                assertEquals("to the server " + i, text(pair.server()));
                assertEquals("to the client " + i, text(pair.client()));
            }
            assertNull(pair.client().receive(SHORT));
            assertEquals(0, pair.rnrNaks());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire", "simulation"})
    void aRequestGetsTheReplyOfAHandler(String where) throws Exception {
        try (EndpointPair pair = EndpointPair.connect(where)) {
            pair.server().onMessage((endpoint, message) -> message.reply("re: " + message.text()));
            List<CompletableFuture<Message>> replies = new ArrayList<>();
            for (int i = 0; i < rounds(where, 100); i++) {
                replies.add(pair.client().request(MemorySegment.ofArray(("request " + i).getBytes())));
                try (Message reply = pair.client().call(bytes('a', 'b'))) {
                    assertEquals("re: ab", reply.text());
                }
                if (i % 10 == 9) {
                    for (int k = 0; k < replies.size(); k++) {
                        try (Message reply = replies.get(k).get(SECONDS, TimeUnit.SECONDS)) {
                            assertEquals("re: request " + (i - 9 + k), reply.text());
                        }
                    }
                    replies.clear();
                }
            }
            assertEquals(0, pair.rnrNaks());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire", "simulation"})
    void whatWasSentBeforeTheCloseIsDeliveredAndThenTheStreamEnds(String where) throws InterruptedException {
        try (EndpointPair pair = EndpointPair.connect(where)) {
            for (int i = 0; i < 20; i++) {
                pair.client().send("message " + i);
            }
            pair.client().close();
            for (int i = 0; i < 20; i++) {
                assertEquals("message " + i, text(pair.server()));
            }
            assertNull(text(pair.server()));
            assertNull(text(pair.server()), "the end stays");
            assertFalse(pair.server().isOpen());
            EndpointException closed = assertThrows(EndpointException.class, () -> pair.server().send("late"));
            assertEquals(EndpointException.Reason.PEER_CLOSED, closed.reason());
            assertThrows(IllegalStateException.class, () -> pair.client().send("late"));
            assertThrows(IllegalStateException.class, () -> pair.client().receive());
            pair.client().close();
        }
    }

    @Test
    void aBufferIsSentWithoutACopyAndUsedAgain() throws InterruptedException {
        EndpointOptions one = EndpointOptions.builder().sendBuffers(1).receiveBuffers(1).messageSize(8).build();
        try (EndpointPair pair = EndpointPair.connect("jvm", one, one)) {
            for (long i = 0; i < 1000; i++) {
                Buffer buffer = pair.client().buffer();
                assertEquals(8, buffer.segment().byteSize());
                buffer.segment().set(ValueLayout.JAVA_LONG_UNALIGNED, 0, i);
                pair.client().send(buffer, 8);
                try (Message message = pair.server().receive()) {
                    assertEquals(i, message.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
                }
            }
            Buffer unused = pair.client().buffer();
            unused.close();
            unused.close();
            assertThrows(IllegalStateException.class, unused::segment);
            assertThrows(IllegalArgumentException.class, () -> pair.client().send(unused, 8));
            assertThrows(IllegalArgumentException.class, () -> pair.client().request(unused, 8));
            pair.client().buffer().close();
        }
    }

    @Test
    void aRequestFromABufferCompletesItsFuture() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm")) {
            pair.server().onMessage((endpoint, message) -> message.reply("re: " + message.text()));
            Buffer first = pair.client().buffer();
            first.segment().copyFrom(bytes('a', 'b'));
            CompletableFuture<Message> reply = pair.client().request(first, 2);
            Buffer second = pair.client().buffer();
            second.segment().copyFrom(bytes('c'));
            try (Message called = pair.client().call(second, 1, Duration.ofSeconds(SECONDS));
                    Message requested = reply.get(SECONDS, TimeUnit.SECONDS)) {
                assertEquals("re: ab, re: c", requested.text() + ", " + called.text());
            }
        }
    }

    @Test
    void messagesHaveAnyLengthUpToTheSmallerSizeOfBothSides() throws InterruptedException {
        EndpointOptions large = EndpointOptions.builder().messageSize(100_000).build();
        EndpointOptions small = EndpointOptions.builder().messageSize(70_000).build();
        try (EndpointPair pair = EndpointPair.connect("jvm", large, small)) {
            assertEquals(70_000, pair.client().maxMessageSize());
            assertEquals(70_000, pair.server().maxMessageSize());
            for (int length : new int[] {0, 1, 4096, 70_000}) {
                byte[] data = new byte[length];
                java.util.Arrays.fill(data, (byte) length);
                pair.client().send(MemorySegment.ofArray(data));
                try (Message message = pair.server().receive()) {
                    assertArrayEquals(data, message.bytes());
                }
            }
            IllegalArgumentException refusal = assertThrows(IllegalArgumentException.class,
                    () -> pair.client().send(MemorySegment.ofArray(new byte[70_001])));
            assertEquals("the message has 70001 bytes, allowed are 0 to 70000, the smaller messageSize of both sides",
                    refusal.getMessage());
            pair.client().send("still works");
            assertEquals("still works", text(pair.server()));
        }
    }

    @Test
    void aHandlerGetsEarlierMessagesAndTheEndOnce() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm")) {
            pair.client().send("before");
            EndpointPair.await("an arrival", () -> pair.server().isOpen());
            List<String> seen = new ArrayList<>();
            CountDownLatch closed = new CountDownLatch(1);
            AtomicReference<EndpointException> failure = new AtomicReference<>();
            pair.server().onMessage(new MessageHandler() {
                @Override
                public void onMessage(Endpoint endpoint, Message message) {
                    seen.add(message.text());
                }

                @Override
                public void onClosed(Endpoint endpoint, EndpointException cause) {
                    failure.set(cause);
                    closed.countDown();
                }
            });
            assertThrows(IllegalStateException.class, () -> pair.server().receive());
            assertThrows(IllegalStateException.class, () -> pair.server().onMessage((endpoint, message) -> {
                // is not set
            }));
            pair.client().send("after");
            pair.client().close();
            assertTrue(closed.await(SECONDS, TimeUnit.SECONDS));
            assertEquals(List.of("before", "after"), seen);
            assertNull(failure.get());
        }
    }

    @Test
    void virtualAndPlatformThreadsWaitForTheirRepliesAtTheSameTime() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm")) {
            pair.server().onMessage((endpoint, message) -> message.reply(message.segment().asSlice(0, 1)));
            List<Thread> threads = new ArrayList<>();
            List<Throwable> failures = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                byte own = (byte) i;
                Thread.Builder builder = i % 2 == 0 ? Thread.ofVirtual() : Thread.ofPlatform();
                threads.add(builder.start(() -> {
                    try {
                        for (int k = 0; k < 200; k++) {
                            try (Message reply = pair.client().call(bytes(own, k))) {
                                assertEquals(own, reply.bytes()[0]);
                            }
                        }
                    } catch (InterruptedException | RuntimeException | AssertionError e) {
                        synchronized (failures) {
                            failures.add(e);
                        }
                    }
                }));
            }
            for (Thread each : threads) {
                assertTrue(each.join(Duration.ofSeconds(SECONDS)), "a thread still waits");
            }
            assertEquals(List.of(), failures);
        }
    }

    @Test
    void aHandlerMayCallAnotherEndpointAndWaitForItsReply() throws Exception {
        try (EndpointPair back = EndpointPair.connect("jvm"); EndpointPair front = EndpointPair.connect("jvm")) {
            back.server().onMessage((endpoint, message) -> message.reply("back " + message.text()));
            front.server().onMessage((endpoint, message) -> {
                try (Message reply = back.client().call(MemorySegment.ofArray(message.bytes()))) {
                    message.reply("front " + reply.text());
                }
            });
            for (int i = 0; i < 50; i++) {
                try (Message reply = front.client().call(bytes('x'), Duration.ofSeconds(SECONDS))) {
                    assertEquals("front back x", reply.text());
                }
            }
        }
    }

    @Test
    void connectionsAreEstablishedWhileNobodyAcceptsAndTheBacklogLetsTheRestWait() throws Exception {
        EndpointOptions two = EndpointOptions.builder().backlog(2).build();
        try (EndpointPair pair = EndpointPair.connect("jvm", EndpointOptions.DEFAULT, two)) {
            List<Endpoint> clients = new ArrayList<>();
            clients.add(Endpoint.connect(pair.clientContext(), pair.listener().localAddress()));
            clients.add(Endpoint.connect(pair.clientContext(), pair.listener().localAddress()));
            CompletableFuture<Endpoint> third = CompletableFuture.supplyAsync(() -> {
                try {
                    return Endpoint.connect(pair.clientContext(), pair.listener().localAddress());
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            Thread.sleep(50);
            assertFalse(third.isDone());
            List<Endpoint> servers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                servers.add(pair.listener().accept(Duration.ofSeconds(SECONDS)));
            }
            clients.add(third.get(SECONDS, TimeUnit.SECONDS));
            for (int i = 0; i < 3; i++) {
                clients.get(i).send("client " + i);
                assertEquals("client " + i, text(servers.get(i)));
            }
            clients.forEach(Endpoint::close);
            servers.forEach(Endpoint::close);
            assertNull(pair.listener().accept(Duration.ZERO));
        }
    }

    @Test
    void theAddressOfAnIpv6PeerIsInBrackets() {
        try (RdmaContext context = Verbs.open("soft:soft79")) {
            EndpointException failure = assertThrows(EndpointException.class,
                    () -> Endpoint.connect(context, new InetSocketAddress("2001:db8::9", 7)));
            assertTrue(failure.getMessage().startsWith("connection to [2001:db8:0:0:0:0:0:9]:7: "),
                    failure::getMessage);
        }
    }
}
