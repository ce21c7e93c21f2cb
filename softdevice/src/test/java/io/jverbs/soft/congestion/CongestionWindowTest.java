package io.jverbs.soft.congestion;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How the congestion window of a connection grows and shrinks. A scenario is a sequence of a number of packets that are
 * acknowledged together, or of:
 *
 * <pre>
 * l  packets are lost      t  the ACK timeout expires      r  the connection is reset
 * u  the timeouts are undone    k  they are kept
 * w  a whole window is acknowledged, packet by packet
 * </pre>
 */
final class CongestionWindowTest {
    private static final int MTU = 4096;

    private final CongestionWindow window = new CongestionWindow();

    private void run(String scenario) {
        for (String step : scenario.isEmpty() ? new String[0] : scenario.split(" ")) {
            switch (step) {
                case "l" -> window.lost();
                case "t" -> window.timedOut();
                case "r" -> window.reset();
                case "k" -> window.keepTimeouts();
                case "u" -> {
                    if (window.hasTimedOut()) {
                        window.undoTimeouts();
                    }
                }
                case "w" -> {
                    for (int left = window.size(); left > 0; left--) {
                        window.acknowledged(1);
                    }
                }
                default -> window.acknowledged(Integer.parseInt(step));
            }
        }
    }

    /** The columns are the scenario, from a window of 16 packets, and the size after it. The maximum is 24. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            '',                16
            15,                16
            16,                17
            8 8,               17
            8 7,               16
            100,               17
            w w,               18
            w w w w w w w w,   24
            w w w w w w w w w, 24
            l,                 8
            l l,               4
            l l l,             2
            l l l l,           2
            l 7,               8
            l 8,               9
            15 l 1,            8
            t,                 1
            t 1,               2
            t 1 1,             3
            t 3,               4
            t 7,               8
            t 8,               8
            t 100,             8
            t 7 7,             8
            t 7 8,             9
            t 100 8,           9
            t t,               1
            t t 1,             2
            t t 1 1,           3
            t t 1 2,           4
            t t t 7,           8
            t t t 7 8,         9
            t 3 t 1 1,         2
            u,                 16
            t u,               16
            t t u 16,          17
            t 1 u,             16
            t 1 t u 16,        17
            15 t u 16,         17
            t l u,             2
            t k u,             1
            t r u t,           1
            t u t u,           16
            t 3 l,             2
            t 3 l 2,           3
            l t 3,             4
            l t 9 4,           5
            15 t 7 1,          8
            t r,               16
            l l r,             16
            t r 16,            17
            w w w w r,         16
            15 r 1,            16
            """)
    void theWindowDoublesUpToTheThresholdAndThenGrowsByOneInARoundTrip(String scenario, int size) {
        window.limit(MTU, PathCapacity.UNCOALESCED);
        window.reset();
        run(scenario);
        assertEquals(size, window.size());
    }

    /** The path changes in SQD. The columns are the scenarios before it and after it; the maxima are 256 and 24. */
    @ParameterizedTest
    @CsvSource({"l, 100", "t, 200 u 100", "l t, u 100"})
    void theWindowIsNotLargerThanTheMaximumOfAnotherPath(String before, String after) {
        window.limit(MTU, PathCapacity.OWN_LARGE_BUFFER);
        window.reset();
        while (window.size() < window.max()) {
            run("w");
        }
        run(before);
        window.limit(MTU, PathCapacity.UNCOALESCED);
        run(after);
        assertEquals(window.max(), window.size());
    }

    /** The columns are the path MTU, the capacity of the path, and the maximum of the window. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            256,  UNCOALESCED,            64
            512,  UNCOALESCED,            64
            1024, UNCOALESCED,            64
            2048, UNCOALESCED,            48
            4096, UNCOALESCED,            24
            256,  COALESCED,              256
            1024, COALESCED,              180
            2048, COALESCED,              90
            4096, COALESCED,              45
            1024, COALESCED_LARGE_BUFFER, 256
            2048, COALESCED_LARGE_BUFFER, 180
            4096, COALESCED_LARGE_BUFFER, 90
            256,  OWN_LARGE_BUFFER,       1024
            1024, OWN_LARGE_BUFFER,       1024
            2048, OWN_LARGE_BUFFER,       512
            4096, OWN_LARGE_BUFFER,       256
            """)
    void theWindowGrowsToTheCapacityOfThePath(int mtu, PathCapacity capacity, int max) {
        window.limit(mtu, capacity);
        window.reset();
        assertEquals(max, window.max());
        for (int i = 0; i < 2 * max; i++) {
            run("w");
        }
        assertEquals(max, window.size());
        run("l");
        assertEquals(max / 2, window.size());
        run("r");
        assertEquals(16, window.size());
    }

    /** After a loss the capacity of the path is assumed to be that of a default socket buffer. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            UNCOALESCED,            UNCOALESCED
            COALESCED,              COALESCED
            COALESCED_LARGE_BUFFER, COALESCED
            OWN_LARGE_BUFFER,       COALESCED_LARGE_BUFFER
            """)
    void aLossReducesTheCapacityByOneStep(PathCapacity before, PathCapacity after) {
        assertEquals(after, before.afterLoss());
    }

    @ParameterizedTest
    @CsvSource({"COALESCED_LARGE_BUFFER, 90", "COALESCED, 45", "UNCOALESCED, 24"})
    void aLowerMaximumShrinksTheWindowAtOnce(PathCapacity capacity, int size) {
        window.limit(MTU, PathCapacity.OWN_LARGE_BUFFER);
        window.reset();
        for (int i = 0; i < 200; i++) {
            run("w");
        }
        window.limit(MTU, capacity);
        assertEquals(size, window.size());
    }
}
