package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.TemporaryProperties;
import io.jverbs.soft.simulation.LossyConnection.Outcome;
import io.jverbs.spi.SystemProperties;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Connections with queue pairs in a simulated network that loses, doubles, reorders and delays the messages of the
 * connection manager, also for longer than the intervals of their retransmission. Each seed has a network of its own.
 */
final class ConnectionsUnderLossTest {
    /** The seeds for each rate of loss. */
    private static final int SEEDS = Integer.getInteger("jverbs.cm.seeds", 10_000);
    private static final int REPEATED = 50;
    /** A rate at which all 16 messages of a kind are often lost. */
    private static final double MOST = 0.8;

    /** Runs with the times of Linux: tests divide them otherwise. */
    private static <T> T withStandardTimes(TemporaryProperties.Action<T, RuntimeException> action) {
        return TemporaryProperties.with(Map.of(SystemProperties.SOFT_CM_DIVISOR, "1"), action);
    }

    private static Outcome run(LossyConnection connection, long seed, double loss) {
        Outcome outcome = connection.connect();
        if (outcome != Outcome.FAILED) {
            connection.sendMessage(outcome);
            connection.disconnect(outcome, seed % 3 == 0, Math.min(loss, 0.3));
        }
        return outcome;
    }

    private static Map<Outcome, Integer> outcomes(int seeds, double loss) {
        return withStandardTimes(() -> {
            Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
            for (long seed = 1; seed <= seeds; seed++) {
                try (LossyConnection connection = new LossyConnection(seed, loss)) {
                    outcomes.merge(run(connection, seed, loss), 1, Integer::sum);
                }
            }
            return outcomes;
        });
    }

    /** K25, K30, K48, K55, K56, K117, K121. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.3})
    void eachConnectionIsEstablishedOnBothSidesWithinTheComputedTime(double loss) {
        Map<Outcome, Integer> outcomes = outcomes(SEEDS, loss);
        // that one of 16 rounds of REP and RTU gets through fails once in some 50,000 seeds at 30 % loss
        int withoutRtu = outcomes.getOrDefault(Outcome.ENDED_BY_PASSIVE_SIDE, 0);
        assertTrue(withoutRtu <= SEEDS / 5000, outcomes::toString);
        assertEquals(SEEDS - withoutRtu, outcomes.get(Outcome.ESTABLISHED), outcomes::toString);
    }

    /** K25, K55, K56, K117: with failures on the active side, on the passive side, and on both. */
    @Test
    void withMostMessagesLostEachConnectionIsEstablishedOnBothSidesOrFailsOnBothWithinTheComputedTime() {
        Map<Outcome, Integer> outcomes = outcomes(SEEDS / 10, MOST);
        for (Outcome outcome : Outcome.values()) {
            assertTrue(outcomes.getOrDefault(outcome, 0) >= SEEDS / 200, outcomes::toString);
        }
    }

    private static int resolved(int seeds, double loss) {
        return withStandardTimes(() -> {
            int resolved = 0;
            for (long seed = 1; seed <= seeds; seed++) {
                try (LossyResolution resolution = new LossyResolution(seed, loss)) {
                    if (resolution.resolve()) {
                        resolution.sendDatagram();
                        resolved++;
                    }
                }
            }
            return resolved;
        });
    }

    /** K25, K48. */
    @ParameterizedTest
    @ValueSource(doubles = {0.1, 0.3})
    void eachServiceIdIsResolvedWithinTheComputedTime(double loss) {
        assertEquals(SEEDS / 5, resolved(SEEDS / 5, loss));
    }

    /** K25. */
    @Test
    void withMostMessagesLostAServiceIdIsResolvedOrThePeerUnreachableAfterTheComputedTime() {
        int resolved = resolved(SEEDS / 10, MOST);
        assertTrue(resolved > SEEDS / 100 && resolved < SEEDS / 10 - SEEDS / 100, resolved + " were resolved");
    }

    private static String transcript(long seed) {
        try (LossyConnection connection = new LossyConnection(seed, MOST)) {
            run(connection, seed, MOST);
            return connection.transcript();
        }
    }

    private static String transcriptOfResolution(long seed) {
        try (LossyResolution resolution = new LossyResolution(seed, MOST)) {
            resolution.resolve();
            return resolution.transcript();
        }
    }

    @Test
    void theSeedDeterminesAllEventsTheirTimesAndAllPackets() {
        withStandardTimes(() -> {
            for (long seed = 1; seed <= REPEATED; seed++) {
                assertEquals(transcript(seed), transcript(seed));
                assertEquals(transcriptOfResolution(seed), transcriptOfResolution(seed));
            }
            assertNotEquals(transcript(1), transcript(2));
            return null;
        });
    }
}
