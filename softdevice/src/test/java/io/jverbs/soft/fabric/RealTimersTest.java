package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.fixture.CapturedLog;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The timer thread survives the exceptions that alarms throw, and logs them. */
final class RealTimersTest {
    @RegisterExtension
    final CapturedLog log = CapturedLog.of(RealTimers.class);

    @Test
    void aFailedAlarmIsLoggedAndLaterAlarmsFire() throws InterruptedException {
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
                log.events().stream().map(event -> event.getThrowableProxy().getClassName()).toList());
    }
}
