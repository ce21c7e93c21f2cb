package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long the device's thread pauses between two checks of whether threads still poll. */
class CheckPauseTest {
    private final CheckPause pause = new CheckPause();

    private void checked(int times, boolean polled) {
        for (int i = 0; i < times; i++) {
            pause.checked(polled);
        }
    }

    @Test
    void theFirstPauseIsTheShortest() {
        assertEquals(CheckPause.SHORTEST_NANOS, pause.nanos());
    }

    @Test
    void thePauseGrowsWhileThreadsPoll() {
        checked(1, true);
        assertTrue(pause.nanos() > CheckPause.SHORTEST_NANOS);
        checked(100, true);
        assertEquals(CheckPause.LONGEST_NANOS, pause.nanos());
    }

    @Test
    void thePauseIsAtMostAQuarterOfTheTimeOfPollingLongerThanTheShortest() {
        long polledNanos = 0;
        for (int i = 0; i < 100; i++) {
            assertTrue(pause.nanos() - CheckPause.SHORTEST_NANOS <= polledNanos / 4, "after " + polledNanos);
            polledNanos += pause.nanos();
            pause.checked(true);
        }
    }

    @Test
    void thePauseShrinksToTheShortestAfterThreadsHaveStoppedPolling() {
        checked(100, true);
        checked(3, false);
        assertEquals(CheckPause.SHORTEST_NANOS, pause.nanos());
        checked(100, false);
        assertEquals(CheckPause.SHORTEST_NANOS, pause.nanos());
    }
}
