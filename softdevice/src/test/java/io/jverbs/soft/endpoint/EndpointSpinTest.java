package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Message;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Threads that wait for messages do not poll all the time for messages that come late. Their processor time shows it:
 * they poll for far longer than by default.
 */
@Timeout(60)
class EndpointSpinTest {
    private static final Duration SPIN = Duration.ofMillis(200);
    private static final Duration WAIT = Duration.ofMillis(210);
    /** More than a thread takes to block, and less than it gets while it polls beside many other programs. */
    private static final long LITTLE_NANOS = 2_000_000;
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final MemorySegment data = Arena.ofAuto().allocate(64);

    private static EndpointPair connect() throws InterruptedException {
        EndpointOptions options = EndpointOptions.builder().spin(SPIN).build();
        return EndpointPair.connect("jvm", options, options);
    }

    private static boolean waitsAndPolls(Endpoint endpoint, Duration time) throws InterruptedException {
        long before = THREADS.getCurrentThreadCpuTime();
        assertNull(endpoint.receive(time));
        return THREADS.getCurrentThreadCpuTime() - before > LITTLE_NANOS;
    }

    @Test
    void afterAWaitThatPollsTooShortTheNextOneBlocksAtOnce() throws InterruptedException {
        try (EndpointPair pair = connect()) {
            assertTrue(waitsAndPolls(pair.server(), WAIT), "the first wait polls");
            assertFalse(waitsAndPolls(pair.server(), WAIT), "the second wait blocks");
            assertTrue(waitsAndPolls(pair.server(), WAIT), "the third wait polls again");
            assertFalse(waitsAndPolls(pair.server(), WAIT), "the fourth wait blocks");
            assertFalse(waitsAndPolls(pair.server(), WAIT), "the fifth wait blocks");
        }
    }

    @Test
    void afterWaitsOfLessTimeThanTheSpinTheNextOnePolls() throws InterruptedException {
        try (EndpointPair pair = connect()) {
            for (int i = 0; i < 5; i++) {
                assertTrue(waitsAndPolls(pair.server(), SPIN.minusMillis(100)));
            }
        }
    }

    @Test
    void aMessageInTimeBeginsAgainWithOneWaitThatBlocks() throws InterruptedException {
        try (EndpointPair pair = connect()) {
            assertTrue(waitsAndPolls(pair.server(), WAIT));
            assertFalse(waitsAndPolls(pair.server(), WAIT));
            assertTrue(waitsAndPolls(pair.server(), WAIT));
            assertFalse(waitsAndPolls(pair.server(), WAIT));
            assertFalse(waitsAndPolls(pair.server(), WAIT));
            pair.client().send(data);
            try (Message message = pair.server().receive()) {
                assertEquals(data.byteSize(), message.length());
            }

            assertTrue(waitsAndPolls(pair.server(), WAIT));
            assertFalse(waitsAndPolls(pair.server(), WAIT));
            assertTrue(waitsAndPolls(pair.server(), WAIT));
        }
    }

    @Test
    void waitsForMessagesThatAreLateDoNotAffectWaitsForReplies() throws InterruptedException {
        try (EndpointPair pair = connect()) {
            assertTrue(waitsAndPolls(pair.client(), WAIT));
            assertFalse(waitsAndPolls(pair.client(), WAIT));
            assertTrue(waitsAndPolls(pair.client(), WAIT));
            long before = THREADS.getCurrentThreadCpuTime();

            assertThrows(EndpointException.class, () -> pair.client().call(data, WAIT));

            assertTrue(THREADS.getCurrentThreadCpuTime() - before > LITTLE_NANOS);
        }
    }
}
