package io.jverbs.soft.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand reliable connections between two processes. */
@Timeout(240)
class CrowdTest {
    private static final int QUEUE_PAIRS = 1000;
    private static final long MILLIS = Long.getLong("jverbs.crowd.millis", 6_000);

    @Test
    void aThousandConnectionsLoseNothingAreServedAlikeAndCauseNoStorm() throws IOException {
        try (PeerProcess peer = PeerProcess.start(Crowd.class, "soft:" + LoopbackAddress.next(),
                Integer.toString(QUEUE_PAIRS),
                Long.toString(MILLIS)); Crowd crowd = new Crowd("soft:" + LoopbackAddress.next(), QUEUE_PAIRS)) {
            crowd.connect(peer.line());
            Crowd.Result here = crowd.run(peer.line(), MILLIS);
            long[] there = peer.line().exchange(here.completed());
            long repeatedThere = peer.line().exchange(here.repeated())[0];

            assertServedAlike(here.completed());
            assertServedAlike(there);
            assertNoStorm(here.repeated(), there);
            assertNoStorm(repeatedThere, here.completed());
        }
    }

    private static void assertServedAlike(long[] messages) {
        long least = Arrays.stream(messages).min().orElseThrow();
        long most = Arrays.stream(messages).max().orElseThrow();
        assertTrue(least * 2 >= most,
                "one queue pair sent " + most + " messages, another one " + least);
    }

    /** On a busy machine some acknowledgements are late; windows that flood the socket repeat a fifth of all on any machine. */
    private static void assertNoStorm(long repeated, long[] sent) {
        long all = Arrays.stream(sent).sum();
        assertTrue(repeated * 10 <= all, repeated + " packets came again or too early, of " + all + " messages");
    }
}
