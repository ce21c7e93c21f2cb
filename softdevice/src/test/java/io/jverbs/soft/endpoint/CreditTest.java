package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The flow control by credits: no device sends an RNR NAK, and the sides do not wait for each other. */
@Timeout(120)
final class CreditTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static EndpointOptions buffers(int sends, int receives) {
        return EndpointOptions.builder().sendBuffers(sends).receiveBuffers(receives).messageSize(64).build();
    }

    private static void send(Endpoint to, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            to.send(MemorySegment.ofArray(new int[] {i}));
        }
    }

    /** Receives messages, some of them slowly, and holds some of them for a time. */
    private static void receiveSlowly(Endpoint from, int count, int holds, Random random) throws InterruptedException {
        List<Message> held = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Message message = from.receive();
            assertEquals(i, message.segment().get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            held.add(message);
            if (random.nextInt(50) == 0) {
                Thread.sleep(1);
            }
            while (held.size() > random.nextInt(holds + 1)) {
                held.remove(random.nextInt(held.size())).close();
            }
        }
        held.forEach(Message::close);
    }

    private interface Task {
        void run() throws InterruptedException;
    }

    private static Thread start(List<Throwable> failures, Task task) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                task.run();
            } catch (InterruptedException | RuntimeException | AssertionError e) {
                failures.add(e);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"jvm, 1, 1, 3000", "jvm, 16, 1, 3000", "jvm, 1, 32, 3000", "jvm, 16, 3, 3000", "jvm, 64, 16, 10000",
        "wire, 16, 2, 2000", "wire, 16, 32, 4000", "simulation, 4, 4, 60"})
    void aSlowReceiverNeverCausesAnRnrNak(String where, int sends, int receives, int count) throws Exception {
        EndpointOptions options = buffers(sends, receives);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (EndpointPair pair = EndpointPair.connect(where, options, options)) {
            List<Thread> threads = List.of(start(failures, () -> send(pair.client(), count)),
                    start(failures, () -> send(pair.server(), count)),
                    start(failures, () -> receiveSlowly(pair.client(), count, receives - 1, new Random(1))),
                    start(failures, () -> receiveSlowly(pair.server(), count, receives - 1, new Random(2))));
            for (Thread each : threads) {
                assertTrue(each.join(LIMIT), () -> "a thread still waits: " + failures);
            }
            assertEquals(List.of(), failures);
            assertEquals(0, pair.rnrNaks());
        }
    }

    @Test
    void sidesThatBothSendBeforeTheyReceiveFinishWithinTheirBuffers() throws Exception {
        try (EndpointPair pair = EndpointPair.connect("jvm", buffers(4, 8), buffers(4, 8))) {
            for (int round = 0; round < 100; round++) {
                send(pair.client(), 8);
                send(pair.server(), 8);
                receiveSlowly(pair.client(), 8, 7, new Random(round));
                receiveSlowly(pair.server(), 8, 7, new Random(round));
            }
            assertEquals(0, pair.rnrNaks());
        }
    }

    @Test
    void aSenderWaitsWhileThePeerHoldsAllBuffersAndContinuesWithTheFirstThatIsClosed() throws Exception {
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        try (EndpointPair pair = EndpointPair.connect("jvm", buffers(8, 8), buffers(8, 4))) {
            Thread sender = start(failures, () -> send(pair.client(), 5));
            List<Message> held = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                held.add(pair.server().receive());
            }
            assertEquals(null, pair.server().receive(Duration.ofMillis(50)));
            assertTrue(sender.isAlive(), "the fifth message waits");
            held.removeFirst().close();
            try (Message fifth = pair.server().receive()) {
                assertEquals(4, fifth.segment().get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            }
            assertTrue(sender.join(LIMIT));
            held.forEach(Message::close);
            assertEquals(List.of(), failures);
            assertEquals(0, pair.rnrNaks());
        }
    }
}
