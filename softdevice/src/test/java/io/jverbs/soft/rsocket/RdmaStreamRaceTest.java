package io.jverbs.soft.rsocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.control.DeviceCounters;
import io.jverbs.rsocket.RdmaStream;
import io.jverbs.rsocket.RdmaStreamException;
import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What one thread does while another one is in the middle of a step. */
@Timeout(60)
final class RdmaStreamRaceTest {
    private static final Duration SECONDS = Duration.ofSeconds(30);
    /** No other test uses this device, so that its objects can be counted. */
    private static final String DEVICE = "soft:soft81";
    private static final String MAPPER = "mapper";
    private static final RdmaStreamOptions FEW = RdmaStreamOptions.DEFAULT.withReceiveQueueSize(16);
    /** A stream has so many more receive requests than messages. */
    private static final int MORE_RECEIVES = 32;

    private final VerbHook hook = new VerbHook();
    private final Set<Thread> threads = StreamPair.threads();
    private RdmaContext context;
    private RdmaContext hooked;

    @BeforeEach
    void open() {
        context = Verbs.open(DEVICE);
        hooked = Verbs.select(DEVICE).open(hook);
    }

    @AfterEach
    void allThreadsEnd() throws Exception {
        hooked.close();
        context.close();
        StreamPair.await("the end of the threads", () -> threads.containsAll(StreamPair.threads()));
    }

    /** Returns the numbers of objects of the device, with CM IDs. */
    private Map<String, Long> objects() {
        DeviceCounters counters = context.device().capability(DeviceCounters.class).orElseThrow();
        Map<String, Long> objects = new HashMap<>(counters.resources());
        objects.put("cm_id", (long) counters.cmIds().size());
        return objects;
    }

    private static boolean ofEvents(Thread thread) {
        return thread.getName().equals("jverbs-rsocket-events");
    }

    private static void transfer(RdmaStream from, RdmaStream to) throws IOException, InterruptedException {
        from.write(ByteBuffer.wrap(new byte[] {7}));
        ByteBuffer into = ByteBuffer.allocate(2);
        assertEquals(1, to.read(into));
        assertEquals(7, into.get(0));
    }

    @Test
    void aCloseWhileTheQueuePairIsCreatedGivesEverythingBack() throws Exception {
        assertCloseGivesEverythingBack(() -> hook.pauseIn("createQp", RdmaStreamRaceTest::ofEvents));
    }

    /** The close destroys the queue pair. Its completion queue and memory belong to the thread that is stopped. */
    @Test
    void aCloseAfterTheQueuePairIsCreatedGivesEverythingBack() throws Exception {
        assertCloseGivesEverythingBack(
                () -> hook.pauseAfterReceive(FEW.receiveQueueSize() + MORE_RECEIVES, RdmaStreamRaceTest::ofEvents));
    }

    private void assertCloseGivesEverythingBack(Runnable pause) throws Exception {
        try (RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context))) {
            Map<String, Long> before = objects();
            pause.run();
            RdmaStream stream = RdmaStream.beginConnect(hooked, listener.localAddress(), FEW);
            hook.awaitPaused();
            BackgroundTransfer closing = BackgroundTransfer.start(stream::close);
            closing.awaitIn("CmId");
            hook.proceed();
            closing.get();
            assertEquals(before, objects());
        }
    }

    /** The stream is not one of the listener yet, or it is. */
    @ParameterizedTest
    @CsvSource({"route, false", "route, true", "createQp, false", "createQp, true"})
    void aListenerThatIsClosedWhileItAcceptsGivesEverythingBack(String verb, boolean fails) throws Exception {
        Map<String, Long> before = objects();
        RdmaStreamListener listener = RdmaStreamListener.bind(hooked, StreamPair.anyPort(hooked));
        hook.pauseIn(verb, RdmaStreamRaceTest::ofEvents);
        try (RdmaStream stream = RdmaStream.beginConnect(context, listener.localAddress(),
                RdmaStreamOptions.DEFAULT)) {
            hook.awaitPaused();
            BackgroundTransfer closing = BackgroundTransfer.start(listener::close);
            closing.awaitIn("EventCounter");
            if (fails) {
                hook.proceedWith(new VerbsException(verb, Errno.ENOMEM, "none for a test"));
            } else {
                hook.proceed();
            }
            closing.get();
            StreamPair.await("the end of the stream", () -> !stream.isOpen());
        }
        StreamPair.await("the end of all objects but " + before, () -> before.equals(objects()));
    }

    /** An interrupt during a post or a poll would close the sockets of some devices. */
    @Test
    void theThreadOfTheContextIsNotInterruptedWhileItProcessesAnEvent() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch woken = new CountDownLatch(1);
            AtomicReference<String> seen = new AtomicReference<>();
            assertEquals(0, pair.client().requestNotification(RdmaStream.READABLE, () -> {
                begun.countDown();
                while (woken.getCount() > 0) {
                    Thread.onSpinWait();
                }
                Thread own = Thread.currentThread();
                seen.set(own.getName() + (own.isInterrupted() ? " is interrupted" : " is not interrupted"));
            }));
            pair.server().write(ByteBuffer.allocate(1));
            begun.await();
            // its timer is earlier than those before, so it wakes the thread
            try (RdmaStream other = RdmaStream.beginConnect(pair.clientContext(), pair.listener().localAddress(),
                    RdmaStreamOptions.DEFAULT.withConnectTimeout(Duration.ofSeconds(1)))) {
                woken.countDown();
                StreamPair.await("the notification", () -> seen.get() != null);
                assertEquals(pair.listener().localAddress(), other.peerAddress());
            } finally {
                woken.countDown();
            }
            assertEquals("jverbs-rsocket-completions is not interrupted", seen.get());
        }
    }

    @Test
    void aBufferThatIsMappedWhileTheMessageOfAnotherOneIsPostedIsAnnounced() throws Exception {
        RdmaStreamOptions one = RdmaStreamOptions.DEFAULT.withIomapSize(1);
        try (Arena arena = Arena.ofShared();
                RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context), one);
                RdmaStream owner = RdmaStream.connect(hooked, listener.localAddress(), one);
                RdmaStream writer = listener.accept(SECONDS)) {
            MemorySegment first = arena.allocate(8);
            MemorySegment second = arena.allocate(8);
            hook.pauseIn("postSend", thread -> thread.getName().equals(MAPPER));
            BackgroundTransfer mapping = BackgroundTransfer.start(() -> {
                Thread.currentThread().setName(MAPPER);
                owner.iomap().map(first, 0);
            });
            hook.awaitPaused();
            BackgroundTransfer next = BackgroundTransfer.start(() -> {
                owner.iomap().unmap(first);
                owner.iomap().map(second, 100);
            });
            next.awaitIn("StreamWriter");
            hook.proceed();
            mapping.get();
            next.get();
            StreamPair.await("the second buffer", () -> canWrite(owner, writer));
            transfer(writer, owner);
            assertEquals(7, second.get(ValueLayout.JAVA_BYTE, 0));
        }
    }

    private static boolean canWrite(RdmaStream owner, RdmaStream writer) {
        writer.ready();
        try {
            // sends the messages of mapped buffers that had to wait
            owner.tryWrite(ByteBuffer.allocate(0));
            return writer.iomap().tryWrite(ByteBuffer.wrap(new byte[] {7}), 100) == 1;
        } catch (IllegalArgumentException e) {
            // it is not mapped yet
            return false;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Two selectors request notifications of one channel: the second one must not drop what wakes the first. */
    @Test
    void aRequestOfANotificationThatIsDueIsNotReplacedBeforeItIsNotified() throws Exception {
        try (StreamPair pair = StreamPair.connect("jvm")) {
            AtomicBoolean fails = new AtomicBoolean(true);
            AtomicInteger failures = new AtomicInteger();
            AtomicBoolean notified = new AtomicBoolean();
            assertEquals(0, pair.client().requestNotification(RdmaStream.READABLE, () -> {
                if (fails.get()) {
                    failures.incrementAndGet();
                    throw new StackOverflowError("for a test");
                }
                notified.set(true);
            }));
            pair.server().write(ByteBuffer.allocate(1));
            StreamPair.await("both attempts", () -> failures.get() >= 2);
            fails.set(false);
            assertEquals(RdmaStream.READABLE, pair.client().requestNotification(RdmaStream.READABLE, () -> {}));
            assertTrue(notified.get());
        }
    }

    @Test
    void aThreadThatWaitsGetsNoErrorOfAnotherStreamWhoseEventItProcesses() throws Exception {
        RdmaStreamOptions blocking = RdmaStreamOptions.DEFAULT.withSpin(Duration.ZERO);
        try (RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context));
                RdmaStream failing = RdmaStream.connect(hooked, listener.localAddress(), blocking);
                RdmaStream itsPeer = listener.accept(SECONDS);
                RdmaStream waiting = RdmaStream.connect(hooked, listener.localAddress(), blocking);
                RdmaStream peer = listener.accept(SECONDS)) {
            BackgroundTransfer reader = BackgroundTransfer.start(() -> {
                ByteBuffer into = ByteBuffer.allocate(1);
                while (into.get(0) == 0) {
                    assertEquals(1, waiting.read(into.clear()));
                }
            });
            // after an event, a thread that waits leads: it processes the events of the other stream, too
            StreamPair.await("a reader that leads", () -> reader.isIn("EventLeader") || !writes(peer, 0));
            assertEquals(0, failing.requestNotification(RdmaStream.READABLE, () -> {}));
            hook.failPollOf(0);
            itsPeer.write(ByteBuffer.allocate(1));
            StreamPair.await("the Error", hook::hasFailed);
            StreamPair.await("the failure of its stream", () -> !failing.isOpen());
            assertFalse(reader.isDone());
            assertTrue(writes(peer, 1));
            reader.get();
            assertEquals(Reason.DEVICE_FAILED, assertThrows(RdmaStreamException.class,
                    () -> failing.read(ByteBuffer.allocate(1))).reason());
        }
    }

    private static boolean writes(RdmaStream to, int value) {
        try {
            return to.tryWrite(ByteBuffer.wrap(new byte[] {(byte) value})) == 1;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aStreamThatConnectsRefusesAShutdownAndConnects() throws Exception {
        try (RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context))) {
            hook.pauseIn("createQp", RdmaStreamRaceTest::ofEvents);
            try (RdmaStream stream = RdmaStream.beginConnect(hooked, listener.localAddress(),
                    RdmaStreamOptions.DEFAULT)) {
                hook.awaitPaused();
                assertThrows(IllegalStateException.class, stream::shutdownOutput);
                assertThrows(IllegalStateException.class, stream::shutdownInput);
                hook.proceed();
                try (RdmaStream accepted = listener.accept(SECONDS)) {
                    assertTrue(stream.awaitWritable(SECONDS));
                    transfer(stream, accepted);
                    stream.shutdownOutput();
                    assertEquals(-1, accepted.read(ByteBuffer.allocate(1)));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.lang.IllegalArgumentException", "java.lang.StackOverflowError"})
    void aConnectRequestWhoseStreamCannotBeCreatedIsRejectedAndItsIdIsClosed(String failure) throws Exception {
        try (RdmaStreamListener listener = RdmaStreamListener.bind(hooked, StreamPair.anyPort(hooked))) {
            Map<String, Long> before = objects();
            hook.failRequest((Throwable) Class.forName(failure).getConstructor().newInstance());
            RdmaStreamException rejected = assertThrows(RdmaStreamException.class,
                    () -> RdmaStream.connect(context, listener.localAddress()));
            assertEquals(Reason.REJECTED, rejected.reason(), rejected::getMessage);
            StreamPair.await("the end of all objects, such as " + before, () -> before.equals(objects()));
            try (RdmaStream next = RdmaStream.connect(context, listener.localAddress());
                    RdmaStream accepted = listener.accept(SECONDS)) {
                transfer(next, accepted);
            }
        }
    }

    @Test
    void queuesThatTheDeviceDoesNotHaveAreShorterAndTheStreamConnects() throws Exception {
        RdmaStreamOptions longest = RdmaStreamOptions.DEFAULT.withSendQueueSize(65_534).withReceiveQueueSize(65_534);
        int most = context.queryDevice().maxQpWr();
        try (RdmaStreamListener listener = RdmaStreamListener.bind(context, StreamPair.anyPort(context), longest);
                RdmaStream stream = RdmaStream.connect(hooked, listener.localAddress(), longest);
                RdmaStream accepted = listener.accept(SECONDS)) {
            transfer(stream, accepted);
            assertTrue(most < 65_534, "the device has such queues: " + most);
            assertEquals(most, accepted.options().sendQueueSize());
            assertEquals(most - MORE_RECEIVES, stream.options().receiveQueueSize());
        }
    }
}
