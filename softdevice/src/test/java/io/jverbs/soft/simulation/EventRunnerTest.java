package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.jverbs.soft.queue.DeferredWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** A thread that runs the events of a network is not affected by the failure of one of them. */
final class EventRunnerTest {
    private final Schedule schedule = new Schedule(false);
    private final EventRunner runner = new EventRunner(schedule, new DeferredWork.DeferredQueue());
    private final Logger logger = (Logger) LoggerFactory.getLogger(EventRunner.class);
    private final AppenderBase<ILoggingEvent> failing = new AppenderBase<>() {
        @Override
        public synchronized void doAppend(ILoggingEvent event) {
            throw new OutOfMemoryError("no memory for a line");
        }

        @Override
        protected void append(ILoggingEvent event) {
            throw new AssertionError("not called");
        }
    };
    private int runs;

    @BeforeEach
    void attachAppender() {
        logger.addAppender(failing);
        logger.setAdditive(false);
    }

    @AfterEach
    void detachAppender() {
        logger.detachAppender(failing);
        logger.setAdditive(true);
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
