package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.wire.PacketBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rate of DCQCN, on a path that sends a packet in each 5 us unless it has to wait. */
final class DcqcnControlTest {
    private static final long PACKET = PathWindow.cost(PacketBuffer.MAX_PAYLOAD);
    private static final long STEP_NANOS = 5_000;
    private static final long LINE_RATE = PACKET * 1_000_000_000 / STEP_NANOS;

    private final DcqcnControl control = new DcqcnControl(PathCapacity.UNCOALESCED, false);
    private long now = Long.MAX_VALUE - 1_000_000;
    private long sent;

    private void runMicros(long micros) {
        for (long i = 0; i < micros * 1_000; i += STEP_NANOS) {
            now += STEP_NANOS;
            if (control.pause(now) == 0) {
                control.granted(PACKET, now);
                sent++;
            }
        }
    }

    private int percent() {
        return (int) Math.round(100 * control.rate() / LINE_RATE);
    }

    @Test
    void beforeTheFirstCnpThereIsNoLimit() {
        runMicros(1_000);

        assertFalse(control.isPaced());
        assertEquals(200, sent);
    }

    @Test
    void aCnpBeforeAnythingWasSentHasNoEffect() {
        assertFalse(control.notified(now));
        assertFalse(control.isPaced());
    }

    @Test
    void theFirstCnpHalvesTheRateAndPacketsWait() {
        runMicros(2_000);
        assertTrue(control.notified(now));
        assertEquals(50, percent());
        sent = 0;
        runMicros(50);

        // the slack of timers is sent at once
        assertTrue(sent >= 5, () -> sent + " packets");
    }

    /** A round trip of 500 us, 490 us of it in a queue: there is no loss, and no window before in a row. */
    @Test
    void afterACnpTheWindowShrinksIfPacketsWait() {
        long most = control.size();
        runMicros(1_000);
        control.roundTrip(10_000, now);
        control.roundTrip(500_000, now);
        control.acknowledged(most);
        assertEquals(most, control.size());
        control.notified(now);
        control.roundTrip(500_000, now);
        control.acknowledged(most);

        assertTrue(control.size() < most, () -> control.size() + " of " + most);
    }

    /** The columns are the time since the first CNP in us and the rate in percent: the difference halves each 55 us. */
    @ParameterizedTest
    @CsvSource({"50, 50", "60, 75", "115, 88", "170, 94", "280, 99"})
    void afterACutTheRateReturnsInStepsThatHalveTheDifference(long micros, int percent) {
        runMicros(2_000);
        control.notified(now);
        runMicros(micros);

        assertEquals(percent, percent());
    }

    @Test
    void cnpsWithin50MicrosecondsCutOnce() {
        runMicros(2_000);
        assertTrue(control.notified(now));
        runMicros(45);
        assertFalse(control.notified(now));
        runMicros(5);
        assertTrue(control.notified(now));
    }

    @Test
    void aGrantThatIsGivenBackIsNoReasonForAnotherCut() {
        runMicros(2_000);
        control.granted(PACKET, now);
        control.notified(now);
        now += 2 * DcqcnControl.CUT_INTERVAL_NANOS;
        control.granted(-PACKET, now);
        assertFalse(control.notified(now));
        control.granted(PACKET, now);
        assertTrue(control.notified(now));
    }

    @Test
    void packetsThatWaitAreSentEarlierWhenTheRateGrows() {
        runMicros(2_000);
        control.notified(now);
        control.granted(1000 * PACKET, now);
        long before = control.pause(now);
        now += 60_000;
        assertTrue(control.pause(now) < (before - 60_000) * 3 / 4, () -> before + " " + control.pause(now));
    }

    @Test
    void withoutCnpsForASecondTheLimitEnds() {
        runMicros(2_000);
        control.notified(now);
        runMicros(999_000);
        assertTrue(control.isPaced());
        runMicros(2_000);
        assertFalse(control.isPaced());
    }

    /** The columns are an idle time in us, after which the steps of time that were due are performed at once. */
    @ParameterizedTest
    @ValueSource(longs = {60, 500, 5_000, 50_000, 300_000, 990_000})
    void theRateAfterAnIdleTimeIsThatOfManyShortOnes(long micros) {
        DcqcnControl often = new DcqcnControl(PathCapacity.UNCOALESCED, false);
        for (DcqcnControl each : List.of(control, often)) {
            each.granted(PACKET, now);
            each.notified(now);
        }
        for (long passed = 0; passed < micros * 1_000; passed += STEP_NANOS) {
            now += STEP_NANOS;
            often.pause(now);
        }
        control.pause(now);

        assertEquals(1, control.rate() / often.rate(), 0.001);
        for (DcqcnControl each : List.of(control, often)) {
            each.granted(PACKET, now);
            assertTrue(each.notified(now));
        }
        assertEquals(1, control.rate() / often.rate(), 0.001);
    }

    /** Each packet of a path that sends little permits another cut. */
    @Test
    void aCnpForEachOfFewPacketsDoesNotCutBelowTheLeastRate() {
        runMicros(2_000);
        for (int i = 0; i < 1_000; i++) {
            control.granted(1, now);
            control.notified(now);
            assertTrue(control.rate() >= DcqcnControl.MIN_RATE, () -> control.rate() + " units a second");
            now += DcqcnControl.CUT_INTERVAL_NANOS;
        }
        assertEquals(DcqcnControl.MIN_RATE, control.rate());
    }

    @Test
    void aFloodOfCnpsDoesNotStopThePath() {
        runMicros(2_000);
        for (int i = 0; i < 100_000; i++) {
            runMicros(10);
            control.notified(now);
        }
        sent = 0;
        for (int i = 0; i < 100_000; i++) {
            runMicros(10);
            control.notified(now);
        }
        assertTrue(sent >= 100, () -> sent + " packets in a second");
    }
}
