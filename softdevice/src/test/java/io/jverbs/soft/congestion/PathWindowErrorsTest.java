package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.fuzz.VirtualTimers;
import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** L53: an Error in a window that connections share leaves no lock held and no packet counted twice. */
final class PathWindowErrorsTest {
    private static final int MTU = 4096;
    private static final int QUANTUM = 4;
    /** The packets that the window has room for. */
    private static final int ROOM = 24;
    private static final long PERIOD_NANOS = 50_000_000;

    /** What fails once, the next time that it is called. */
    private enum Failing {
        NOTHING, RESUME, CLOCK, SET
    }

    /** Timers whose actions are called once more after an Error, as those of real time are. */
    private final class RepeatingTimers implements Timers {
        @Override
        public long nanoTime() {
            failIf(Failing.CLOCK);
            return timers.nanoTime();
        }

        @Override
        public Alarm set(long delayNanos, Runnable action) {
            failIf(Failing.SET);
            return timers.set(delayNanos, () -> {
                try {
                    action.run();
                } catch (UnknownError e) {
                    errors++;
                    action.run();
                }
            });
        }
    }

    private final VirtualTimers timers = new VirtualTimers();
    private final RepeatingTimers repeating = new RepeatingTimers();
    private final List<PathWindow.Share> resumed = new ArrayList<>();
    private Failing failing = Failing.NOTHING;
    private int errors;
    private int deferred;

    private void failIf(Failing what) {
        if (failing == what) {
            failing = Failing.NOTHING;
            throw new UnknownError("thrown by a test");
        }
    }

    private PathWindow.Share join(PathWindow window) {
        PathWindow.Share[] made = new PathWindow.Share[1];
        made[0] = new PathWindow.Share(new PathWindowUser() {
            @Override
            public void resumeSend() {
                failIf(Failing.RESUME);
                resumed.add(made[0]);
            }

            @Override
            public Timers timers() {
                return repeating;
            }

            @Override
            public void runDeferred() {
                deferred++;
            }
        });
        made[0].join(window, MTU);
        return made[0];
    }

    private static PathWindow window(CongestionControlType type) {
        return new PathWindow(PathCapacity.UNCOALESCED, type);
    }

    private void advanceUntil(BooleanSupplier condition) {
        for (int i = 0; i < 10_000 && !condition.getAsBoolean(); i++) {
            timers.advance(PathPacer.PAUSE_STEP_NANOS);
        }
        assertTrue(condition.getAsBoolean());
    }

    @Test
    void anErrorAtTheEndOfAPauseLeavesTheWindowUsable() {
        PathWindow window = window(CongestionControlType.DCQCN);
        PathWindow.Share share = join(window);
        window.pacer().reserveResponses(0, QUANTUM, MTU);
        assertTrue(window.notified(0));
        window.pacer().reserveResponses(0, 100, MTU);
        assertFalse(share.admits(1));
        failing = Failing.RESUME;
        advanceUntil(() -> errors == 1);
        assertEquals(2, deferred);
        assertTrue(resumed.contains(share));
        advanceUntil(() -> share.admits(1));
    }

    /** The period ends once, and the timer of the next one is set once. */
    @Test
    void anErrorAtTheEndOfAPeriodLeavesTheWindowUsable() {
        for (Failing each : List.of(Failing.RESUME, Failing.SET)) {
            PathWindow window = window(CongestionControlType.WINDOW);
            PathWindow.Share share = join(window);
            PathWindow.Share waiting = join(window);
            assertTrue(share.admits(ROOM));
            assertFalse(waiting.admits(1));
            assertEquals(1, timers.pending());
            errors = 0;
            if (each == Failing.RESUME) {
                timers.advance(PERIOD_NANOS);
                assertFalse(waiting.mayRequest());
            }
            failing = each;
            timers.advance(PERIOD_NANOS);
            assertEquals(1, errors);
            assertEquals(each == Failing.RESUME, waiting.mayRequest());
            assertEquals(1, timers.pending());
            timers.advance(PERIOD_NANOS);
            assertTrue(waiting.mayRequest() && waiting.admits(1));
            timers.advance(2 * PERIOD_NANOS);
            assertEquals(0, timers.pending());
        }
    }

    @Test
    void packetsThatAreGivenBackDuringAnErrorAreGivenBackOnce() {
        PathWindow window = window(CongestionControlType.DCQCN);
        PathWindow.Share share = join(window);
        PathWindow.Share other = join(window);
        assertTrue(other.admits(QUANTUM));
        assertTrue(share.admits(ROOM - QUANTUM));
        failing = Failing.CLOCK;
        assertThrows(UnknownError.class, () -> share.settle(0));
        share.settle(0);
        assertTrue(share.admits(ROOM));
        int granted = 1;
        for (; !share.isLast(); granted++) {
            share.sent();
        }
        assertEquals(ROOM - QUANTUM, granted);
    }
}
