package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Alarms fire once, at their time and in their order, unless cancelled; the timer thread survives what they throw. */
final class RealTimersTest {
    private static final long MILLI = 1_000_000;

    @RegisterExtension
    final CapturedLog log = CapturedLog.of(RealTimers.class);
    private final RealTimers timers = new RealTimers();
    private final CountDownLatch fired = new CountDownLatch(1);

    private void awaitFired() throws InterruptedException {
        assertTrue(fired.await(30, TimeUnit.SECONDS));
    }

    @Test
    void aFailedAlarmIsLoggedAndLaterAlarmsFire() throws InterruptedException {
        for (int i = 0; i < 3; i++) {
            timers.set(0, () -> {
                throw new StackOverflowError();
            });
        }
        timers.set(1, fired::countDown);

        awaitFired();
        assertEquals(List.of(StackOverflowError.class.getName()),
                log.events().stream().map(event -> event.getThrowableProxy().getClassName()).toList());
    }

    @Test
    void alarmsOfOneDelayFireInTheOrderInWhichTheyWereSet() throws InterruptedException {
        List<Integer> numbers = Collections.synchronizedList(new ArrayList<>());
        IntStream.range(0, 100).forEach(i -> timers.set(MILLI, () -> numbers.add(i)));
        timers.set(MILLI, fired::countDown);

        awaitFired();
        assertEquals(IntStream.range(0, 100).boxed().toList(), numbers);
    }

    @Test
    void aCancelledAlarmDoesNotFireAndThoseBesideItDo() throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        timers.set(0, () -> {
            try {
                cancelled.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        AtomicInteger calls = new AtomicInteger();
        List<Timers.Alarm> alarms = IntStream.range(0, 9).mapToObj(i -> timers.set(20 * MILLI, () -> {
            calls.addAndGet(1 << i);
        })).toList();
        List.of(0, 4, 8).forEach(i -> alarms.get(i).cancel());
        List.of(0, 4, 8).forEach(i -> alarms.get(i).cancel());
        timers.set(21 * MILLI, fired::countDown);
        cancelled.countDown();

        awaitFired();
        assertEquals(0b0_1110_1110, calls.get());
    }

    @Test
    void anAlarmBehindACancelledOneWaitsForItsOwnTime() throws InterruptedException {
        long delay = 50 * MILLI;
        Timers.Alarm first = timers.set(delay, () -> {});
        CountDownLatch later = new CountDownLatch(1);
        timers.set(30 * MILLI, later::countDown);
        assertTrue(later.await(30, TimeUnit.SECONDS));
        long start = System.nanoTime();
        timers.set(delay, fired::countDown);
        first.cancel();

        awaitFired();
        assertTrue(System.nanoTime() - start >= delay);
    }

    @Test
    void anActionCanSetTheNextAlarmOfItsDelay() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        Runnable[] action = {null};
        action[0] = () -> {
            if (calls.incrementAndGet() < 50) {
                timers.set(MILLI / 10, action[0]);
            } else {
                fired.countDown();
            }
        };
        timers.set(MILLI / 10, action[0]);

        awaitFired();
        assertEquals(50, calls.get());
        assertTrue(timers.queuedLists() <= 1);
    }

    @Test
    void alarmsThatAreCancelledLeaveFewTasksHoweverManyDelaysTheyHad() {
        for (int i = 0; i < 10_000; i++) {
            timers.set(3_600_000 * MILLI + i, () -> {}).cancel();
            timers.set(3_600_000 * MILLI, () -> {}).cancel();
        }
        assertTrue(timers.queuedLists() <= 65);
    }

    @Test
    void anAlarmWithAShorterDelayFiresBeforeOnesThatWereSetEarlier() throws InterruptedException {
        AtomicInteger calls = new AtomicInteger();
        timers.set(3_600_000 * MILLI, calls::incrementAndGet);
        timers.set(MILLI, fired::countDown);

        awaitFired();
        assertEquals(0, calls.get());
    }
}
