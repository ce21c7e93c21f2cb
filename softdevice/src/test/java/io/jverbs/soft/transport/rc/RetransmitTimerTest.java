package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpType;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.SoftQp;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * When the retransmission timer expires. The unit of time is an eighth of the ACK timeout. A scenario is a sequence of
 * steps, where a wait for credits of the same request is kept if it does not end later than the new one:
 *
 * <pre>
 * e0  the ACK timeout is started unless the timer runs, after 0 timeouts since the last progress
 * n3  an RNR wait of 3 units is started    p   there is progress
 * c3  a wait for credits of 3 units is started unless there is one    d3  the same for another request
 * k   the timer is stopped if it is an ACK timeout
 * u   the timer is stopped unless packets have to be sent again after the adaptive time
 * s   the timer is stopped                 r   the timer is released     +7  7 units pass
 * </pre>
 */
final class RetransmitTimerTest {
    private static final int CODE = 1;
    private static final long UNIT = Timers.Codes.ackNanos(CODE) / 8;

    private static final long ADAPTIVE_UNIT = Timers.Codes.ackNanos(RetransmitTimer.MIN_ADAPTIVE_CODE);

    private final List<Long> expired = new ArrayList<>();
    private final List<Long> adaptive = new ArrayList<>();
    private BareDevice device;
    private long start;
    private SoftQp qp;
    private RetransmitTimer timer;
    /** The number of calls that receive what waits in the socket, and what each does. */
    private int receiveCalls;
    private Runnable onReceive = () -> {};
    private boolean receivesMore;

    private void create(long now) {
        device = BareDevice.withWire();
        device.timers.advance(now);
        device.wire.onReceivePending(() -> {
            receiveCalls++;
            onReceive.run();
            return receivesMore;
        });
        start = now;
        expired.clear();
        adaptive.clear();
        receiveCalls = 0;
        qp = device.create(QpType.UC, 5).qp;
        timer = new RetransmitTimer(qp, () -> expired.add((device.timers.nanoTime() - start) / UNIT),
                () -> adaptive.add((device.timers.nanoTime() - start) / UNIT));
    }

    private void run(String scenario) {
        for (String step : scenario.split(" ")) {
            int number = step.length() == 1 ? 0 : Integer.parseInt(step.substring(1));
            switch (step.charAt(0)) {
                case 'e' -> timer.ensure(CODE, number);
                case 'z' -> timer.ensure(0, number);
                case 'n' -> timer.startRnrWait(number * UNIT);
                case 'c', 'd' -> timer.ensureCreditWait(step.charAt(0), number * UNIT);
                case 'k' -> timer.stopAckTimeout();
                case 'u' -> timer.stopUnlessRepeating();
                case 'p' -> timer.progress();
                case 's' -> timer.stop();
                case 'r' -> timer.release();
                default -> device.timers.advance(number * UNIT);
            }
        }
    }

    private String expirations() {
        return text(expired);
    }

    private static String text(List<Long> times) {
        return times.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** F29: the columns are the scenario, the times at which the timer expired, and the alarms that are still set. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            z0 +99,             '',    0
            e0 +7,              '',    1
            e0 +8,              8,     0
            e0 +99,             8,     0
            e1 +15,             '',    1
            e1 +99,             16,    0
            e2 +99,             32,    0
            e3 +99,             32,    0
            e9 +99,             32,    0
            e0 e0 +99,          8,     0
            e0 +4 e0 +99,       8,     0
            e0 +8 e0 +99,       8 16,  0
            e0 +8 e1 +99,       8 24,  0
            e0 +7 p +7,         '',    1
            e0 +7 p +99,        15,    0
            e0 +7 p +7 p +99,   22,    0
            e1 +7 p +99,        23,    0
            e0 s +7,            '',    1
            e0 s +99,           '',    0
            e0 s p +99,         '',    0
            e0 s +4 e0 +99,     12,    0
            e0 s +8 e0 +99,     16,    0
            p +99,              '',    0
            n3 +2,              '',    1
            n3 +99,             3,     0
            n3 e0 +99,          3,     0
            n3 +2 p +99,        5,     0
            n3 +2 n3 +99,       5,     0
            n3 s +99,           '',    0
            n3 s p +99,         '',    0
            n3 s e0 +99,        8,     0
            n3 r +99,           '',    0
            n3 r e0 +99,        8,     0
            s r p +99,          '',    0
            e0 +1 n3 +99,       4,     0
            e0 +1 n3 +3 e0 +99, 4 12,  0
            e0 +1 n20 +99,      21,    0
            n20 n3 n20 +99,     20,    0
            e0 r,               '',    0
            e0 r +99,           '',    0
            r +99,              '',    0
            e0 r e0 +99,        8,     0
            e0 s r,             '',    0
            c3 +99,             3,     0
            c3 +2 c3 +99,       3,     0
            c3 +3 c3 +99,       3 6,   0
            c5 c3 +99,          3,     0
            c5 +1 c3 +99,       4,     0
            c5 +3 c3 +99,       5,     0
            c3 +2 d3 +99,       5,     0
            c3 +2 d9 +99,       11,    0
            c3 +2 d3 c3 +99,    5,     0
            c3 +2 d3 +1 d3 +99, 5,     0
            c3 +2 p +99,        5,     0
            c3 e0 +99,          8,     0
            c3 z0 +99,          '',    0
            c3 n5 +99,          5,     0
            c3 k +99,           3,     0
            c3 s +99,           '',    0
            e0 c3 +99,          3,     0
            e0 k +99,           '',    0
            n3 k +99,           3,     0
            e0 u +99,           '',    0
            n3 u +99,           '',    0
            c3 u +99,           '',    0
            """)
    void theTimerExpiresWhenItsTimeHasPassedSinceTheLastProgress(String scenario, String expirations, int alarms) {
        for (long now : new long[] {0, 1_000_000_000, -UNIT, Long.MAX_VALUE - UNIT}) {
            create(now);
            run(scenario);
            assertEquals(expirations, expirations());
            assertEquals(alarms, device.timers.pending());
        }
    }

    /** The columns are the scenario, and the calls: a timeout counts after what waits in the socket was received. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            e0 +8,   false, 1
            e0 +8,   true,  8
            e0 s +8, false, 0
            c3 +3,   false, 1
            n3 +3,   false, 0
            n3 +3,   true,  0
            """)
    void packetsThatWaitInTheSocketAreReceivedBeforeAnAckTimeout(String scenario, boolean more, int calls) {
        create(0);
        receivesMore = more;
        run(scenario);
        assertEquals(calls, receiveCalls);
    }

    /** The columns are what the packet does that was received at the last moment, and when the timer expired. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            nothing,  8
            progress, 16
            stop,     ''
            release,  ''
            """)
    void aResponseThatWaitsInTheSocketPreventsTheTimeout(String effect, String expirations) {
        create(0);
        onReceive = () -> {
            onReceive = () -> {};
            qp.requester().acquire();
            switch (effect) {
                case "progress" -> timer.progress();
                case "stop" -> timer.stop();
                case "release" -> timer.release();
                default -> {
                    // no response has arrived
                }
            }
            qp.requester().release();
        };
        run("e0 +99");
        assertEquals(expirations, expirations());
        assertEquals(0, device.timers.pending());
    }

    @Test
    void anErrorWhileWhatWaitsInTheSocketIsReceivedDoesNotPreventTheTimeout() {
        create(0);
        onReceive = () -> {
            throw new OutOfMemoryError("test");
        };
        assertThrows(OutOfMemoryError.class, () -> run("e0 +8"));
        assertEquals("8", expirations());
        onReceive = () -> {};
        run("e0 +8");
        assertEquals("8 16", expirations());
    }

    /** The columns are what happens, and the time to send again: a NAK gives one only if there is no other. */
    @ParameterizedTest
    @CsvSource({"false, 3", "true, 0"})
    void aNakMeasuresAtLeastTheTimeSinceTheTimerWasStarted(boolean measured, int units) {
        create(0);
        if (measured) {
            measure(0);
        }
        run("e0 +1");
        timer.sent(1, false);
        timer.nakReceived();
        assertEquals(units * UNIT, timer.roundTrip().timeout());
    }

    /**
     * F29: the unit of time is 8.4 ms, the shortest adaptive time, and the ACK timeout is 8 units. The step m1 measures
     * a round trip of 1 unit. The columns are the scenario, the times at which packets are sent again early, and the
     * time at which the ACK timeout expires, which the former do not change.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            e +99,            '',      8
            m0 e +99,         1 3 7,   8
            m0 e +1 p +99,    1 3 7,   9
            m0 e +1 m0 +99,   1 2 4 8, 9
            m0 e +3 p +99,    1 3 7,   11
            m1 e +99,         5,       9
            m2 e +99,         '',      10
            m9 e +99,         '',      17
            m0 e s +99,       '',      ''
            m0 e +1 s +99,    1,       ''
            m0 e r e +99,     '',      8
            m0 e u +99,       '',      ''
            m0 e +1 u +99,    1 3 7,   8
            m0 e +1 k +99,    1 3 7,   8
            m0 e +4 u e +99,  1 3 7,   8
            m0 e +1 p u +99,  1,       ''
            m0 e +1 p k +99,  1,       ''
            m0 e +9 e u +99,  1 3 7,   8
            m0 n9 +99,        '',      9
            e m0 +99,         1 3 7,   8
            """)
    void onceARoundTripWasMeasuredPacketsAreSentAgainBeforeTheAckTimeout(String scenario, String early,
            String expirations) {
        for (long now : new long[] {0, 1_000_000_000, -UNIT, Long.MAX_VALUE - UNIT}) {
            create(now);
            for (String step : scenario.split(" ")) {
                int number = step.length() == 1 ? 0 : Integer.parseInt(step.substring(1));
                switch (step.charAt(0)) {
                    case 'e' -> timer.ensure(RetransmitTimer.MIN_ADAPTIVE_CODE + 3, 0);
                    case 'm' -> measure(number);
                    case 'n' -> timer.startRnrWait(number * ADAPTIVE_UNIT);
                    case '+' -> device.timers.advance(number * ADAPTIVE_UNIT);
                    default -> run(step);
                }
            }
            assertEquals(early, inAdaptiveUnits(adaptive));
            assertEquals(expirations, inAdaptiveUnits(expired));
        }
    }

    /**
     * 1,000 queue pairs send a message in turn, whose ACK arrives after 15 us. The columns are whether round trips are
     * measured, and the number of alarms in a second: 13 of each queue pair, and those of the scan.
     */
    @ParameterizedTest
    @CsvSource({"false, 13000", "true, 13120"})
    void fewAlarmsExpireWhileManyQueuePairsSendInTurn(boolean measured, int most) {
        create(0);
        List<RetransmitTimer> timers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            timers.add(new RetransmitTimer(qp, () -> expired.add(0L), () -> adaptive.add(0L)));
        }
        long end = start + 1_000_000_000;
        for (int i = 0; device.timers.nanoTime() - end < 0; i++) {
            RetransmitTimer next = timers.get(i % timers.size());
            if (measured) {
                next.sent(i, false);
            }
            next.ensure(14, 0);
            device.timers.advance(15_000);
            next.acknowledged(i + 1);
            next.stopUnlessRepeating();
        }
        assertEquals("", text(expired) + text(adaptive));
        assertTrue(device.timers.expiries() <= most, device.timers.expiries() + " alarms have expired");
    }

    /** The value is how often there is progress before a response is lost; the unit of time is an eighth. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7, 8, 9, 10, 15, 20, 50})
    void aLossIsFoundAtMostAQuarterOfTheAdaptiveTimeLate(int times) {
        create(0);
        List<Long> early = new ArrayList<>();
        timer = new RetransmitTimer(qp, () -> expired.add(0L), () -> early.add(device.timers.nanoTime()));
        measure(0);
        timer.ensure(14, 0);
        for (int i = 0; i < times; i++) {
            device.timers.advance(ADAPTIVE_UNIT / 8);
            timer.progress();
        }
        long due = device.timers.nanoTime() + ADAPTIVE_UNIT;
        device.timers.advance(2 * ADAPTIVE_UNIT);
        assertEquals(1, early.size());
        long late = early.getFirst() - due;
        assertTrue(late >= 0 && late <= ADAPTIVE_UNIT / 4, () -> "late by " + late);
        assertEquals("", text(expired));
    }

    @Test
    void aTimerThatIsNotUsedIsNotWatched() {
        create(0);
        measure(0);
        timer.ensure(RetransmitTimer.MIN_ADAPTIVE_CODE + 1, 0);
        timer.stop();
        device.timers.advance(5 * ADAPTIVE_UNIT);
        assertEquals(0, device.timers.pending());
        timer.ensure(RetransmitTimer.MIN_ADAPTIVE_CODE + 1, 0);
        device.timers.advance(ADAPTIVE_UNIT);
        assertEquals(1, adaptive.size());
        timer.release();
        device.timers.advance(ADAPTIVE_UNIT);
        assertEquals(0, device.timers.pending());
    }

    /** The alarm of the scan cannot be set; then another queue pair starts the scan. */
    @Test
    void aTimerThatIsReleasedAfterAnErrorIsNotWatched() {
        create(0);
        measure(0);
        device.timers.failSets(number -> number == 2);
        assertThrows(UnknownError.class, () -> timer.ensure(RetransmitTimer.MIN_ADAPTIVE_CODE + 1, 0));
        timer.release();
        assertEquals(0, device.timers.pending());

        timer = new RetransmitTimer(qp, () -> expired.add(0L), () -> adaptive.add(0L));
        measure(0);
        timer.ensure(RetransmitTimer.MIN_ADAPTIVE_CODE + 1, 0);
        timer.release();
        assertEquals(1, device.timers.pending());
        device.timers.advance(2 * ADAPTIVE_UNIT);
        assertEquals(0, device.timers.pending());
    }

    private void measure(int units) {
        timer.sent(0, false);
        device.timers.advance(units * ADAPTIVE_UNIT);
        timer.acknowledged(1);
    }

    private static String inAdaptiveUnits(List<Long> times) {
        return text(times.stream().map(time -> time * UNIT / ADAPTIVE_UNIT).toList());
    }
}
