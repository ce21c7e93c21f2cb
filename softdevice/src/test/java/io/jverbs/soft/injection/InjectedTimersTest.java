package io.jverbs.soft.injection;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Throws an Error at each injection point of the timers, in the threads that set alarms or wait, and in the one that
 * looks at the time.
 */
final class InjectedTimersTest {

    @Test
    @Timeout(300)
    void anErrorInTheTimersLosesNoAlarm() throws Exception {
        SoftClasses.timers().errorAtEachPoint(InjectedTimers.class).report("the timers").check(20);
    }

    @Test
    @Timeout(300)
    void anErrorInTheTimerOfWaitsKeepsNoThreadWaiting() throws Exception {
        SoftClasses.timedWaits().errorAtEachPoint(InjectedTimedWaits.class).report("timed waits").check(20);
    }
}
