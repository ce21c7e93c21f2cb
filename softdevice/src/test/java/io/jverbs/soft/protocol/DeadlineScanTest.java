package io.jverbs.soft.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.fuzz.VirtualTimers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One alarm for the deadlines of many objects. */
final class DeadlineScanTest {
    private static final long STEP = DeadlineScan.STEP_NANOS;
    private static final long INTERVAL = DeadlineScan.INTERVAL_NANOS;

    private final VirtualTimers clock = new VirtualTimers();
    /** The number of alarms that cannot be set. */
    private int refused;
    private final DeadlineScan scan = new DeadlineScan(new Timers() {
        @Override
        public long nanoTime() {
            return clock.nanoTime();
        }

        @Override
        public Alarm set(long delayNanos, Runnable action) {
            if (refused > 0) {
                refused--;
                throw new OutOfMemoryError("test");
            }
            return clock.set(delayNanos, action);
        }
    });

    private final class Watched extends DeadlineScan.Member {
        final List<Long> passed = new ArrayList<>();
        Runnable onPassed = () -> {};
        long deadline = Long.MAX_VALUE;

        @Override
        protected long nanosLeft(long now) {
            return deadline - now;
        }

        @Override
        protected boolean deadlinePassed() {
            passed.add(clock.nanoTime());
            deadline = Long.MAX_VALUE;
            onPassed.run();
            return true;
        }
    }

    private Watched watched(long deadline) {
        Watched made = new Watched();
        made.deadline = deadline;
        scan.add(made);
        return made;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 50})
    void eachDeadlineIsFoundAtMostAStepLate(int count) {
        List<Watched> all = new ArrayList<>();
        List<Long> deadlines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clock.advance(STEP / 3);
            deadlines.add(clock.nanoTime() + INTERVAL + i * STEP / 7);
            all.add(watched(deadlines.getLast()));
        }
        clock.advance(100 * INTERVAL);
        for (int i = 0; i < count; i++) {
            assertEquals(1, all.get(i).passed.size());
            long late = all.get(i).passed.getFirst() - deadlines.get(i);
            assertTrue(late >= 0 && late <= STEP, () -> "late by " + late);
        }
    }

    @Test
    void aDeadlineThatMovesCostsOneAlarmInEachInterval() {
        Watched one = watched(INTERVAL);
        // later, the checks are less frequent
        int intervals = DeadlineScan.CHECKS_UNTIL_QUIET - 8;
        for (int i = 0; i < 10 * intervals; i++) {
            one.deadline = clock.nanoTime() + INTERVAL;
            clock.advance(INTERVAL / 10);
        }
        assertEquals(0, one.passed.size());
        assertEquals(1.05 * intervals, clock.expiries(), 4);
    }

    @Test
    void afterManyChecksInWhichNoDeadlineHasPassedTheyAreLessFrequentUntilOneHas() {
        Watched one = watched(Long.MAX_VALUE);
        clock.advance((DeadlineScan.CHECKS_UNTIL_QUIET - 1) * INTERVAL);
        assertEquals(DeadlineScan.CHECKS_UNTIL_QUIET - 1, clock.expiries());

        clock.advance(INTERVAL + 10 * DeadlineScan.QUIET_INTERVAL_NANOS);
        assertEquals(DeadlineScan.CHECKS_UNTIL_QUIET + 10, clock.expiries());

        one.deadline = clock.nanoTime() + INTERVAL;
        clock.advance(DeadlineScan.QUIET_INTERVAL_NANOS);
        assertEquals(1, one.passed.size());

        one.deadline = clock.nanoTime() + INTERVAL + STEP;
        clock.advance(INTERVAL + 2 * STEP);
        assertEquals(2, one.passed.size());
    }

    @Test
    void theAlarmEndsWithTheLastMember() {
        Watched one = watched(INTERVAL);
        Watched other = watched(INTERVAL);
        scan.add(other);
        scan.remove(one);
        scan.remove(one);
        clock.advance(INTERVAL);
        assertEquals(0, one.passed.size());
        assertEquals(1, other.passed.size());
        assertEquals(1, clock.pending());
        scan.remove(other);
        clock.advance(INTERVAL);
        assertEquals(0, clock.pending());

        Watched next = watched(clock.nanoTime() + INTERVAL);
        clock.advance(INTERVAL);
        assertEquals(1, next.passed.size());
    }

    @Test
    void aMemberThatIsRemovedDuringAScanHidesNoOther() {
        List<Watched> all = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Watched made = watched(INTERVAL);
            made.onPassed = () -> scan.remove(made);
            all.add(made);
        }
        clock.advance(INTERVAL);
        all.forEach(each -> assertEquals(1, each.passed.size()));
    }

    @Test
    void anErrorOfOneMemberDoesNotEndTheScan() {
        List<Watched> all = List.of(watched(INTERVAL), watched(INTERVAL), watched(INTERVAL));
        all.get(1).onPassed = () -> {
            throw new OutOfMemoryError("test");
        };
        assertThrows(OutOfMemoryError.class, () -> clock.advance(INTERVAL));
        all.forEach(each -> assertEquals(1, each.passed.size()));
        all.getFirst().deadline = clock.nanoTime() + INTERVAL;
        clock.advance(INTERVAL);
        assertEquals(2, all.getFirst().passed.size());
    }

    @Test
    void anAlarmThatCannotBeSetIsSetByTheNextCall() {
        refused = 1;
        Watched one = new Watched();
        assertThrows(OutOfMemoryError.class, () -> scan.add(one));
        scan.add(one);
        one.deadline = INTERVAL;
        clock.advance(INTERVAL);
        assertEquals(List.of(INTERVAL), one.passed);

        refused = 1;
        assertThrows(OutOfMemoryError.class, () -> clock.advance(INTERVAL));
        assertEquals(0, clock.pending());
        one.deadline = clock.nanoTime() + INTERVAL;
        scan.add(one);
        clock.advance(INTERVAL);
        assertEquals(2, one.passed.size());
        assertEquals(1, clock.pending());
    }

    @Test
    void aDeadlineAfterAnErrorOfAnotherMemberIsFoundInTime() {
        Watched failing = watched(INTERVAL);
        failing.onPassed = () -> {
            throw new OutOfMemoryError("test");
        };
        Watched other = watched(INTERVAL + STEP);
        assertThrows(OutOfMemoryError.class, () -> clock.advance(INTERVAL));
        assertEquals(List.of(), other.passed);
        clock.advance(2 * STEP);
        assertEquals(1, other.passed.size());
    }
}
