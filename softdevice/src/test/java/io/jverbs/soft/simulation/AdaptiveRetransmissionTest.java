package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.WcStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** F29, F30: once a round trip was measured, packets are sent again before the ACK timeout, which uses up no retry. */
final class AdaptiveRetransmissionTest {
    private static final String OPTIONS = "seed=4&network=adaptive-test&time=stepped";
    private static final String EARLY = "roce_adp_retrans";

    private static ConnectedPair pair() {
        return new ConnectedPair(QpType.RC, 8, OPTIONS);
    }

    @Test
    void aLostPacketIsSentAgainAfterMillisecondsAndUsesUpNoRetry() {
        try (ConnectedPair pair = pair()) {
            pair.write(1);
            pair.awaitSent(1);
            Duration before = pair.network.now();
            pair.network.links().partition();
            pair.write(2);
            pair.network.advance(Duration.ofMillis(1));
            pair.network.links().heal();
            pair.awaitSent(2);

            Duration took = pair.network.now().minus(before);
            assertTrue(took.compareTo(Duration.ofMillis(10)) < 0, took::toString);
            assertEquals(1, pair.counted(pair.left, EARLY));
            assertEquals(0, pair.counted(pair.left, "local_ack_timeout_err"));
        }
    }

    @Test
    void withoutAMeasuredRoundTripThePacketIsSentAgainAfterTheAckTimeout() {
        try (ConnectedPair pair = pair()) {
            pair.network.links().partition();
            pair.write(1);
            pair.network.advance(Duration.ofMillis(1));
            pair.network.links().heal();
            pair.awaitSent(1);

            assertEquals(0, pair.counted(pair.left, EARLY));
            assertEquals(1, pair.counted(pair.left, "local_ack_timeout_err"));
        }
    }

    /** Each connection may have four packets in flight, because the others wait for room. */
    @ParameterizedTest
    @ValueSource(ints = {2, 8, 20})
    void connectionsThatShareAFullPathContinueAfterPacketsWereLost(int connections) {
        try (ConnectedPair pair = new ConnectedPair(QpType.RC, 1 << 17, OPTIONS)) {
            List<QueuePair> all = new ArrayList<>(List.of(pair.one));
            for (int i = 1; i < connections; i++) {
                all.add(pair.connectMore());
            }
            for (int round = 0; round < 3; round++) {
                if (round > 0) {
                    pair.network.links().partition();
                }
                for (QueuePair each : all) {
                    pair.write(each, round);
                }
                pair.network.advance(Duration.ofMillis(round));
                pair.network.links().heal();
                for (int i = 0; i < connections; i++) {
                    pair.awaitSent(round);
                }
            }
            assertTrue(pair.counted(pair.left, EARLY) > 0);
        }
    }

    /** Returns how long it takes until a request to a peer that does not respond fails. */
    private static Duration failure(int messagesBefore) {
        try (ConnectedPair pair = pair()) {
            for (int i = 0; i < messagesBefore; i++) {
                pair.write(i);
                pair.awaitSent(i);
            }
            Duration before = pair.network.now();
            pair.network.links().partition();
            pair.write(77);
            assertTrue(pair.network.runUntil(pair::hasSent, ConnectedPair.LONG));
            assertEquals(WcStatus.RETRY_EXC_ERR, pair.status());
            assertEquals(messagesBefore != 0, pair.counted(pair.left, EARLY) != 0);
            return pair.network.now().minus(before);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aRequestToASilentPeerFailsAfterTheSameTimeAsWithoutMeasurements(int messagesBefore) {
        assertEquals(failure(0), failure(messagesBefore));
    }
}
