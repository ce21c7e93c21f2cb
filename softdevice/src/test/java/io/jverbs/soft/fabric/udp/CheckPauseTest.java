package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long the device's thread pauses between two checks of whether threads still poll. */
class CheckPauseTest {
    private final CheckPause pause = new CheckPause();

    private void checked(int times, boolean polled, boolean lostProcessor) {
        for (int i = 0; i < times; i++) {
            pause.checked(polled, lostProcessor);
        }
    }

    @Test
    void theFirstPauseIsTheShortest() {
        assertEquals(CheckPause.SHORTEST_NANOS, pause.nanos());
    }

    @Test
    void thePauseGrowsWhileThreadsPoll() {
        checked(1, true, false);
        assertTrue(pause.nanos() > CheckPause.SHORTEST_NANOS);
        checked(100, true, false);
        assertEquals(CheckPause.LONGEST_NANOS, pause.nanos());
    }

    @Test
    void thePauseGrowsFurtherWhileThreadsThatPollLoseTheirProcessors() {
        checked(100, true, true);
        assertEquals(CheckPause.LONGEST_BUSY_NANOS, pause.nanos());
    }

    @Test
    void oneLossOfAProcessorHasAnEffectForAFewChecksOnly() {
        checked(100, true, false);
        checked(1, true, true);
        assertTrue(pause.nanos() > CheckPause.LONGEST_NANOS);
        checked(1, true, false);
        assertEquals(CheckPause.LONGEST_NANOS, pause.nanos());
    }

    @Test
    void afterRepeatedLossesSomeChecksWithoutOneKeepThePauseLong() {
        checked(100, true, true);
        for (int i = 0; i < 10; i++) {
            checked(CheckPause.CHECKS_WITHOUT_LOSS - 1, true, false);
            assertEquals(CheckPause.LONGEST_BUSY_NANOS, pause.nanos());
            checked(1, true, true);
        }
        checked(CheckPause.CHECKS_WITHOUT_LOSS, true, false);
        assertEquals(CheckPause.LONGEST_BUSY_NANOS / 2, pause.nanos());
        checked(1, true, false);
        assertEquals(CheckPause.LONGEST_NANOS, pause.nanos());
    }

    @Test
    void thePauseShrinksToTheShortestAfterThreadsHaveStoppedPolling() {
        checked(100, true, true);
        checked(3, false, false);
        assertEquals(CheckPause.SHORTEST_NANOS, pause.nanos());
        checked(100, false, true);
        assertEquals(CheckPause.SHORTEST_NANOS, pause.nanos());
    }
}
