package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The measurement of round-trip times, in steps:
 *
 * <pre>
 * s5  the packet with PSN 5 is sent     +7  7 units of time pass
 * c   everything is forgotten           a6  the packets before PSN 6 are acknowledged
 * r9  packets are sent again, of which PSN 9 was not sent before
 * n4  a NAK arrives, 4 units after the oldest packet was sent
 * </pre>
 */
final class RoundTripTimeTest {
    private static final int FIRST = 0xFFFFFE;

    private final RoundTripTime roundTrip = new RoundTripTime();
    private final List<Long> samples = new ArrayList<>();
    private long now = Long.MAX_VALUE - 10;

    private void run(String scenario) {
        for (String step : scenario.split(" ")) {
            int number = step.length() == 1 ? 0 : Integer.parseInt(step.substring(1));
            int psn = FIRST + number & 0xFFFFFF;
            switch (step.charAt(0)) {
                case 's' -> roundTrip.sent(psn, false, now);
                case 'n' -> roundTrip.nakReceived(now, number);
                case 'r' -> roundTrip.retransmitted(psn);
                case 'c' -> roundTrip.clear();
                case '+' -> now += number;
                default -> {
                    long sample = roundTrip.acknowledged(psn, now);
                    if (sample != RoundTripTime.NONE) {
                        samples.add(sample);
                    }
                }
            }
        }
    }

    /** RFC 6298, 2 and 3: the columns are the scenario, the round trips measured, and the time to send again. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            a1,                      '',    -1
            s0 a0,                   '',    -1
            s0 +8 a1,                8,     24
            s0 +8 a9,                8,     24
            s0 +8 a1 +8 a2,          8,     24
            s0 +4 s1 +4 a2,          8,     24
            s0 +8 a1 s1 +8 a2,       8 8,   20
            s0 +8 a1 s1 +16 a2,      8 16,  29
            s0 +8 a1 c,              8,     -1
            s0 c +8 a1,              '',    -1
            s0 r1 +8 a1,             '',    -1
            s0 r3 +8 a1 s3 +8 a4,    '',    -1
            s0 r3 +8 a3 s3 +8 a4,    8,     24
            s0 r3 a1 s1 +8 a2,       '',    -1
            n4,                      '',    -1
            s0 +8 n4 a1,             '',    24
            s0 +8 n16 a1,            '',    48
            s0 +8 a1 s1 n16,         8,     24
            s0 +8 a1 s1 n16 s2 +8 a3, 8 8,  20
            """)
    void aPacketThatWasSentOnceIsMeasured(String scenario, String measured, long timeout) {
        run(scenario);

        assertEquals(measured, samples.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        assertEquals(timeout, roundTrip.timeout());
    }
}
