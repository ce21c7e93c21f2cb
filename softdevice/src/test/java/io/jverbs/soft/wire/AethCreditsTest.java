package io.jverbs.soft.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** L39, L42: the credit codes of the syndrome of an ACK. */
final class AethCreditsTest {
    private static final int[] COUNTS = {0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768,
        1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768};

    @Test
    void eachCodeStandsForTheNumberOfTheSpecification() {
        for (int code = 0; code < COUNTS.length; code++) {
            assertTrue(Aeth.isAck(code));
            assertEquals(COUNTS[code], Aeth.credits(code));
            assertEquals(code, Aeth.ack(COUNTS[code]));
        }
        assertEquals(Aeth.ACK, COUNTS.length);
    }

    /** The columns are the number of receive requests, and the code of the largest number that is not larger. */
    @ParameterizedTest
    @CsvSource({"5, 4", "7, 5", "11, 6", "13, 7", "31, 9", "33, 10", "127, 13", "1023, 19", "32767, 29", "32769, 30",
        "2147483647, 30"})
    void aNumberBetweenTwoCodesIsRoundedDown(int count, int code) {
        assertEquals(code, Aeth.ack(count));
    }

    @ParameterizedTest
    @ValueSource(ints = {Aeth.ACK})
    void theLastCodeStatesNoCredits(int syndrome) {
        assertEquals(syndrome, Aeth.ack(Aeth.NO_CREDITS));
        assertEquals(Aeth.NO_CREDITS, Aeth.credits(syndrome));
    }
}
