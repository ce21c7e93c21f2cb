package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.soft.queue.DeferredWork;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A thread that runs the events of a network is not affected by the failure of one of them. */
final class EventRunnerTest {
    @RegisterExtension
    final CapturedLog log = CapturedLog.of(EventRunner.class);

    private final Schedule schedule = new Schedule(false);
    private final EventRunner runner = new EventRunner(schedule, new DeferredWork.DeferredQueue());
    private int runs;

    @BeforeEach
    void failToLog() {
        log.failWith(new OutOfMemoryError("no memory for a line"));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anEventThatFailsRunsOnceMoreAndNothingIsThrown(int failures) {
        schedule.set(10, () -> {
            if (runs++ < failures) {
                throw new OutOfMemoryError("in an event");
            }
        });

        assertTrue(runner.runNext(Long.MAX_VALUE));

        assertEquals(Math.min(failures + 1, 2), runs);
        assertFalse(runner.runNext(Long.MAX_VALUE));
    }
}
