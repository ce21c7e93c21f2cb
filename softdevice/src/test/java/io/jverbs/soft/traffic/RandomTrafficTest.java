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
 * The long random run: each seed is traffic over RC, UC and UD through faults of all kinds, held against the model. A build runs the
 * same seeds each time, {@code -Djverbs.traffic.seeds} says how many; {@code -Djverbs.traffic.seed} runs one, {@code
 * -Djverbs.traffic.steps} some of its steps.
 */
final class RandomTrafficTest {
    private static final int SEEDS = Integer.getInteger("jverbs.traffic.seeds", 50_000);
    private static final int AGAIN = 50;
    private static final long LEAST_PACKETS_EACH = 10;
    /** Far longer than any seed takes. */
    private static final long LONGEST_SECONDS = 60;

    private static List<Integer> steps(String text) {
        return text.equals("none")
                ? List.of()
                : Arrays.stream(text.split(",")).map(String::strip).map(Integer::valueOf).toList();
    }

    /** Runs in a thread of its own: if a seed does not come back, that is told too, with where it is. */
    private static String watched(Traffic traffic, Callable<String> run) throws Exception {
        FutureTask<String> task = new FutureTask<>(run);
        Thread thread = Thread.ofPlatform().daemon().name("random-traffic").start(task);
        while (true) {
            Script before = traffic.current();
            try {
                return task.get(LONGEST_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (traffic.current() == before) {
                    AssertionError hangs = new AssertionError("seed " + before.seed() + " does not end"
                            + Traffic.replay(before), e);
                    hangs.setStackTrace(thread.getStackTrace());
                    throw hangs;
                }
            }
        }
    }

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void whatIsSentArrivesOnceAndWholeOrFailsAsItMust() throws Exception {
        Long seed = Long.getLong("jverbs.traffic.seed");
        Traffic traffic = new Traffic();
        if (seed != null) {
            String steps = System.getProperty("jverbs.traffic.steps");
            Script script = steps == null ? Script.of(seed) : Script.of(seed).only(steps(steps));
            assertNull(watched(traffic, () -> traffic.told(script)));
            return;
        }
        long first = Long.getLong("jverbs.traffic.first", 1);
        assertNull(watched(traffic, () -> traffic.failure(first, SEEDS)));
        assertTrue(traffic.packets() >= LEAST_PACKETS_EACH * SEEDS, traffic.packets() + " packets");
    }

    @Test
    void theSameSeedIsTheSamePackets() {
        Traffic traffic = new Traffic();
        for (long seed = 1; seed <= AGAIN; seed++) {
            Script script = Script.of(seed);
            assertEquals(traffic.hash(script), traffic.hash(script), "seed " + seed);
        }
        assertNotEquals(traffic.hash(Script.of(1)), traffic.hash(Script.of(2)));
    }
}
