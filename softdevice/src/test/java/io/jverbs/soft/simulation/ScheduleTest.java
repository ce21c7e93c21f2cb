package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.protocol.Timers;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

/** The clock advances from one scheduled event to the next and skips none. */
final class ScheduleTest {
    private static final long LONG_NANOS = 20_000_000_000L;

    private final Schedule schedule = new Schedule(false);

    @Test
    void clockIsNotAdvancedPastDueEvent() {
        schedule.set(5, () -> {});
        assertFalse(schedule.advanceTo(5));
        assertEquals(0, schedule.nanoTime());
        assertTrue(schedule.advanceTo(4));
        assertEquals(4, schedule.nanoTime());
        assertEquals(5, schedule.next(10).at());
        assertTrue(schedule.advanceTo(10));
        assertEquals(10, schedule.nanoTime());
    }

    @Test
    void eventAtMaximumTimeDoesNotStopClock() {
        schedule.set(Long.MAX_VALUE, () -> {});
        assertNull(schedule.next(Long.MAX_VALUE));
        assertTrue(schedule.advanceTo(Long.MAX_VALUE));
    }

    @Test
    void cancelledAlarmDoesNotFire() {
        schedule.set(5, () -> {}).cancel();
        assertTrue(schedule.advanceTo(10));
        assertNull(schedule.next(10));
    }

    @Test
    void cancelledAlarmReleasesItsAction() {
        Object queuePair = new Object();
        WeakReference<Object> kept = new WeakReference<>(queuePair);
        schedule.set(1, () -> {});
        Timers.Alarm alarm = schedule.set(5, queuePair::hashCode);
        alarm.cancel();
        queuePair = null;
        long start = System.nanoTime();
        while (kept.get() != null) {
            assertTrue(System.nanoTime() - start < LONG_NANOS, "the action is still reachable");
            System.gc();
        }
        assertEquals(1, schedule.nextAt());
    }
}
