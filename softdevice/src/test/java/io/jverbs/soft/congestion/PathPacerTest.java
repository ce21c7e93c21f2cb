package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.fuzz.VirtualTimers;
import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How the requests and the READ responses of a path share its rate after a CNP has cut it. */
final class PathPacerTest {
    private static final int MTU = 4096;
    private static final int QUANTUM = 4;

    private final VirtualTimers timers = new VirtualTimers();
    private final PathWindow window = new PathWindow(PathCapacity.UNCOALESCED, CongestionControlType.DCQCN);
    private final List<PathWindow.Share> resumed = new ArrayList<>();
    private final PathWindow.Share one = share();
    private final PathWindow.Share other = share();

    private PathWindow.Share share() {
        PathWindow.Share[] made = new PathWindow.Share[1];
        made[0] = new PathWindow.Share(new PathWindowUser() {
            @Override
            public void resumeSend() {
                resumed.add(made[0]);
            }

            @Override
            public Timers timers() {
                return timers;
            }

            @Override
            public void runDeferred() {}
        });
        made[0].join(window, MTU);
        return made[0];
    }

    /** Cuts the rate, with packets reserved for some time. */
    @BeforeEach
    void cut() {
        reserve(QUANTUM);
        assertTrue(window.notified(timers.nanoTime()));
        reserve(100);
    }

    private long reserve(int packets) {
        return window.pacer().reserveResponses(timers.nanoTime(), packets, MTU);
    }

    private long pause(long ticket) {
        return window.pacer().pause(ticket, timers.nanoTime());
    }

    /** Advances the time until a reservation may be used; returns how long that takes. */
    private long await(long ticket) {
        long start = timers.nanoTime();
        for (long pause = pause(ticket); pause > 0; pause = pause(ticket)) {
            timers.advance(pause);
        }
        return timers.nanoTime() - start;
    }

    @ParameterizedTest
    @EnumSource(CongestionControlType.class)
    void onlyAPathWithDcqcnHasAPacer(CongestionControlType type) {
        PathPacer pacer = new PathWindow(PathCapacity.UNCOALESCED, type).pacer();
        assertEquals(type == CongestionControlType.DCQCN, pacer != null);
    }

    @Test
    void laterReservationsDoNotDelayEarlierOnes() {
        long ticket = reserve(QUANTUM);
        long before = pause(ticket);
        assertTrue(before > 0);
        for (int i = 0; i < 100; i++) {
            reserve(QUANTUM);
        }
        assertTrue(pause(ticket) <= before);
        assertTrue(await(ticket) <= 2 * before);
    }

    @Test
    void requestsAreSentBeforeResponsesThatWereReservedLater() {
        assertFalse(one.admits(1));
        long ticket = reserve(QUANTUM);
        assertTrue(pause(ticket) > 0);
        await(ticket);
        assertTrue(resumed.contains(one));
        assertTrue(one.admits(1));
    }

    @Test
    void aPauseIsAMultipleOfAStepAndBounded() {
        reserve(1);
        long ticket = reserve(100_000);
        assertEquals(0, pause(ticket) % PathPacer.PAUSE_STEP_NANOS);
        assertEquals(PathPacer.MAX_PAUSE_NANOS, pause(reserve(1)));
    }

    /** Otherwise one connection would send for long while the others wait. */
    @Test
    void whileTheRateIsLimitedAtMostAQuantumIsGrantedOrReservedAtOnce() {
        assertEquals(QUANTUM, window.pacer().packetsAtOnce(10 * QUANTUM));
        assertEquals(1, window.pacer().packetsAtOnce(1));
        for (int i = 0; i < 10_000 && !one.admits(10 * QUANTUM); i++) {
            timers.advance(PathPacer.PAUSE_STEP_NANOS);
        }
        int granted = 1;
        for (; granted < 10 * QUANTUM && !one.isLast(); granted++) {
            one.sent();
        }
        assertEquals(QUANTUM, granted);
    }

    @Test
    void manyRefusedRequestsSetOneTimer() {
        for (int i = 0; i < 10; i++) {
            assertFalse(one.admits(1));
            assertFalse(other.admits(1));
        }
        // for the pause and for the period
        assertEquals(2, timers.pending());
    }

    /** The columns are whether the connection that goes is the first that waits, and whether it leaves the window. */
    @ParameterizedTest
    @CsvSource({"true, true", "true, false", "false, true", "false, false"})
    void aConnectionThatGoesWhileItWaitsHoldsUpNoOther(boolean isFirst, boolean leaves) {
        // the first that waits has set the timer and has a reservation
        PathWindow.Share goes = isFirst ? one : other;
        PathWindow.Share stays = isFirst ? other : one;
        assertFalse(one.admits(1));
        assertFalse(other.admits(1));
        if (leaves) {
            goes.leave();
        } else {
            goes.stopWaiting();
        }
        boolean admitted = false;
        for (int i = 0; i < 10_000 && !admitted; i++) {
            timers.advance(PathPacer.PAUSE_STEP_NANOS);
            admitted = resumed.remove(stays) && stays.mayRequest() && stays.admits(1);
        }
        assertTrue(admitted);
    }

    /** While the window has room, a connection may have more than a quantum in flight. */
    @Test
    void connectionsThatOnlyWaitForAPauseMayHaveTheirWindowInFlight() {
        int sent = 0;
        for (int turns = 0; turns < 1000 && sent < 2 * QUANTUM; turns++) {
            timers.advance(PathPacer.PAUSE_STEP_NANOS);
            for (PathWindow.Share share : List.of(one, other)) {
                while (share.mayRequest() && share.admits(QUANTUM)) {
                    share.sent();
                    sent += share == one ? 1 : 0;
                }
            }
        }
        assertTrue(sent >= 2 * QUANTUM);
    }
}
