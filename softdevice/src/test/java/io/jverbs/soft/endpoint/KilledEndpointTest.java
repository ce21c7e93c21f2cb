package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Message;
import io.jverbs.soft.LoopbackAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process of a peer is killed with SIGKILL. */
@Timeout(120)
final class KilledEndpointTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    /** Twice the interval and the timeout, and two seconds because the machine may be busy. */
    private static final Duration MOST = INTERVAL.multipliedBy(2).plus(TIMEOUT).plusSeconds(2);

    @Test
    void theKeepAliveTellsAnIdleEndpointInTimeAndOtherConnectionsContinue() throws Exception {
        EndpointOptions options = EndpointOptions.builder().keepAlive(INTERVAL).keepAliveTimeout(TIMEOUT)
                .closeTimeout(Duration.ofMillis(500)).build();
        try (EchoProcess victim = EchoProcess.start(LoopbackAddress.next());
                EchoProcess survivor = EchoProcess.start(LoopbackAddress.next());
                RdmaContext context = Verbs.open("soft:" + LoopbackAddress.next());
                Endpoint toVictim = Endpoint.connect(context, victim.address(), options);
                Endpoint toSurvivor = Endpoint.connect(context, survivor.address(), options)) {
            assertEcho(toVictim);
            assertEcho(toSurvivor);

            victim.kill();
            long start = System.nanoTime();
            EndpointException failure = assertThrows(EndpointException.class, toVictim::receive);

            assertEquals(Reason.PEER_SILENT, failure.reason(), failure::getMessage);
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(MOST) < 0, () -> "took " + took + ", at most " + MOST);
            assertEcho(toSurvivor);
            assertFalse(toVictim.isOpen());
        }
    }

    private static void assertEcho(Endpoint endpoint) throws InterruptedException {
        try (Message reply = endpoint.call("hello")) {
            assertEquals("hello", reply.text());
        }
    }
}
