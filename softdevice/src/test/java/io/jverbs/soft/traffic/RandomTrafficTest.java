package io.jverbs.soft.traffic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random traffic. Each seed determines traffic over RC, UC and UD with faults of all kinds, which is compared with a
 * model. A build runs the same seeds each time. {@code -Djverbs.traffic.seeds} sets their number,
 * {@code -Djverbs.traffic.seed} runs one seed, and {@code -Djverbs.traffic.steps} runs some of its steps.
 */
final class RandomTrafficTest {
    private static final int SEEDS = Integer.getInteger("jverbs.traffic.seeds", 50_000);
    private static final int REPEATED_SEEDS = 50;
    private static final long MIN_PACKETS_PER_SEED = 10;
    /** The time limit for one seed; far longer than any seed takes. */
    private static final long SEED_TIMEOUT_SECONDS = 60;

    private static List<Integer> steps(String text) {
        return text.equals("none")
                ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).map(Integer::valueOf).toList();
    }

    /** Runs in a separate thread. If a seed does not end, fails with the seed and the stack of that thread. */
    private static String runWithTimeout(Traffic traffic, Callable<String> run) throws Exception {
        FutureTask<String> task = new FutureTask<>(run);
        Thread thread = Thread.ofPlatform().daemon().name("random-traffic").start(task);
        while (true) {
            Script before = traffic.current();
            try {
                return task.get(SEED_TIMEOUT_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (traffic.current() == before) {
                    AssertionError error = new AssertionError("seed " + before.seed() + " does not end within "
                            + SEED_TIMEOUT_SECONDS + " s" + Traffic.replay(before), e);
                    error.setStackTrace(thread.getStackTrace());
                    throw error;
                }
            }
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void eachMessageArrivesOnceAndIntactOrFailsWithRequiredStatus() throws Exception {
        Long seed = Long.getLong("jverbs.traffic.seed");
        Traffic traffic = new Traffic();
        if (seed != null) {
            String steps = System.getProperty("jverbs.traffic.steps");
            Script script = steps == null ? Script.of(seed) : Script.of(seed).only(steps(steps));
            assertNull(runWithTimeout(traffic, () -> traffic.describe(script)));
            return;
        }
        long first = Long.getLong("jverbs.traffic.first", 1);
        assertNull(runWithTimeout(traffic, () -> traffic.failure(first, SEEDS)));
        assertTrue(traffic.packets() >= MIN_PACKETS_PER_SEED * SEEDS, traffic.packets() + " packets");
    }

    @Test
    void sameSeedSendsSamePackets() {
        Traffic traffic = new Traffic();
        for (long seed = 1; seed <= REPEATED_SEEDS; seed++) {
            Script script = Script.of(seed);
            assertEquals(traffic.hash(script), traffic.hash(script), "seed " + seed);
        }
        assertNotEquals(traffic.hash(Script.of(1)), traffic.hash(Script.of(2)));
    }
}
