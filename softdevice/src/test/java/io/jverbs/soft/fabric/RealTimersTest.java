package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The timer thread survives the exceptions that alarms throw, and logs them. */
final class RealTimersTest {

    @Test
    void aFailedAlarmIsLoggedAndLaterAlarmsFire() throws InterruptedException {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(RealTimers.class);
        logger.addAppender(log);
        logger.setAdditive(false);
        try {
            RealTimers timers = new RealTimers();
            CountDownLatch fired = new CountDownLatch(1);
            for (int i = 0; i < 3; i++) {
                timers.set(0, () -> {
                    throw new StackOverflowError();
                });
            }
            timers.set(1, fired::countDown);

            assertTrue(fired.await(30, TimeUnit.SECONDS));
            assertEquals(List.of(StackOverflowError.class.getName()),
                    log.list.stream().map(event -> event.getThrowableProxy().getClassName()).toList());
        } finally {
            logger.detachAppender(log);
            logger.setAdditive(true);
        }
    }
}
