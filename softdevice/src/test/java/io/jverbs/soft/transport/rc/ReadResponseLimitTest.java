package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.congestion.ReadResponseRate;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many bytes of responses are sent until a request arrives or the rate permits more. The unit of time is an eighth
 * of the time that the minimum limit takes at the rate. A scenario is a sequence of steps:
 *
 * <pre>
 * n  a new request arrives    d   a READ is repeated          s  as many packets are sent as may be
 * g  the rate permits more    +7  7 units of time pass        c  the queue pair is reset
 * </pre>
 */
final class ReadResponseLimitTest {
    private static final long UNIT = ReadResponseRate.nanos(ReadResponseLimit.MIN_LIMIT) / 8;
    private static final int PAYLOAD = 4096 - 64;
    private static final int LEAST = ReadResponseLimit.MIN_LIMIT / 4096;
    private static final int MOST = ReadResponseLimit.MAX_LIMIT / 4096;

    private final ReadResponseLimit limit = new ReadResponseLimit();

    /** Sends as much as is permitted; returns the number of packets of 4 KiB. */
    private int send() {
        int packets = 0;
        for (; limit.admits(); packets++) {
            limit.sent(PAYLOAD);
        }
        return packets;
    }

    @Test
    void nothingIsSentBeyondTheLimit() {
        assertEquals(LEAST, send());
        assertFalse(limit.admits());
    }

    @Test
    void onePortionIsSentWhenTheRatePermits() {
        send();
        limit.granted();
        assertEquals(ReadResponseLimit.PORTION / 4096, send());
    }

    @Test
    void newRequestDoublesLimitIfPacketsHadToWait() {
        for (int expected = LEAST; expected < MOST; expected *= 2) {
            assertEquals(expected, send());
            limit.requestArrived();
        }
        for (int i = 0; i < 3; i++) {
            assertEquals(MOST, send());
            limit.requestArrived();
        }
    }

    @Test
    void newRequestKeepsLimitIfNoPacketHadToWait() {
        for (int i = 0; i < 3; i++) {
            for (int sent = 0; sent < LEAST; sent++) {
                assertTrue(limit.admits());
                limit.sent(PAYLOAD);
            }
            limit.requestArrived();
        }
        assertEquals(LEAST, send());
    }

    /** Runs a scenario that starts at a time; returns the numbers of packets of 4 KiB that were sent. */
    private String run(String scenario, long start) {
        StringJoiner packets = new StringJoiner(" ");
        long now = start;
        for (String step : scenario.split(" ")) {
            switch (step.charAt(0)) {
                case 'n' -> limit.requestArrived();
                case 'd' -> limit.readRepeated(now);
                case 's' -> packets.add(String.valueOf(send()));
                case 'g' -> limit.granted();
                case 'c' -> limit.clear();
                default -> now += Long.parseLong(step.substring(1)) * UNIT;
            }
        }
        return packets.toString();
    }

    /** L32: the columns are the scenario, and the packets that are sent in each of its steps s. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            s s,                         320 0
            s +99 s,                     320 0
            s g s s,                     320 16 0
            s d s,                       320 320
            s d s d s,                   320 320 0
            s d s +7 d s,                320 320 0
            s d s +8 d s,                320 320 320
            s d +8 s d s,                320 320 320
            s d s +7 d +1 d s,           320 320 320
            s d s +8 d s +7 d s,         320 320 320 0
            s d s +8 d s +8 d s,         320 320 320 320
            s d s d g s,                 320 320 16
            s d d d s,                   320 320
            s d s n s,                   320 320 640
            s d s n d s,                 320 320 320
            s d s n d s d s,             320 320 320 0
            s d s d n s,                 320 320 640
            d n s d s,                   320 320
            s n s,                       320 640
            s n s d s,                   320 640 320
            s n s n s d s,               320 640 1280 640
            s n s n s d s +15 d s,       320 640 1280 640 0
            s n s n s d s +16 d s,       320 640 1280 640 320
            s n s n s d s +16 d s +7 d s, 320 640 1280 640 320 0
            s n s n s d s +16 d s +8 d s, 320 640 1280 640 320 320
            s d c s d s,                 320 320 320
            s n c s,                     320 320
            """)
    void aRepetitionPermitsTheLimitOnceAfterANewRequestAndThenAtTheRate(String scenario, String packets) {
        for (long start : new long[] {0, 1, Long.MAX_VALUE - UNIT, Long.MIN_VALUE, -UNIT}) {
            limit.clear();
            assertEquals(packets, run(scenario, start));
        }
    }

    @Test
    void clearResetsLimit() {
        send();
        limit.requestArrived();
        limit.clear();
        assertEquals(LEAST, send());
    }
}
