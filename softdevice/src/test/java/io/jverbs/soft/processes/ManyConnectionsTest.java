package io.jverbs.soft.processes;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thousand reliable connections between two processes. */
@Timeout(240)
class ManyConnectionsTest {
    private static final int QUEUE_PAIRS = 1000;
    private static final long MILLIS = Long.getLong("jverbs.crowd.millis", 6_000);

    @Test
    void thousandConnectionsLoseNoMessageShareFairlyAndRarelyRetransmit() throws IOException {
        try (PeerProcess peer = PeerProcess.start(ManyConnections.class, "soft:" + LoopbackAddress.next(),
                Integer.toString(QUEUE_PAIRS), Long.toString(MILLIS));
                ManyConnections connections = new ManyConnections("soft:" + LoopbackAddress.next(), QUEUE_PAIRS)) {
            connections.connect(peer.control());
            ManyConnections.Result here = connections.run(peer.control(), MILLIS);
            long[] there = peer.control().exchange(here.completed());
            long repeatedThere = peer.control().exchange(here.repeated())[0];

            assertFair(here.completed());
            assertFair(there);
            assertFewRetransmissions(here.repeated(), there);
            assertFewRetransmissions(repeatedThere, here.completed());
        }
    }

    private static void assertFair(long[] messages) {
        long least = Arrays.stream(messages).min().orElseThrow();
        long most = Arrays.stream(messages).max().orElseThrow();
        assertTrue(least * 2 >= most,
                "one queue pair sent " + most + " messages, another one only " + least);
    }

    /**
     * At most one packet in ten messages may be repeated. On a busy machine some acknowledgements are late. Windows
     * that overflow the socket buffer repeat a fifth of all packets on any machine.
     */
    private static void assertFewRetransmissions(long repeated, long[] sent) {
        long all = Arrays.stream(sent).sum();
        assertTrue(repeated * 10 <= all,
                repeated + " packets arrived again or ahead of sequence, for " + all + " messages");
    }
}
