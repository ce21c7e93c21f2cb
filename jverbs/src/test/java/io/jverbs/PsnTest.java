package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PsnTest {

    @ParameterizedTest
    @CsvSource({"0, 1, 1", "0xffffff, 1, 0", "0, -1, 0xffffff", "0xfffff0, 0x20, 0x10", "5, 0, 5",
        "0xff000001, 1, 2", "0x10, 0x7fffffff, 0x00000f"})
    void additionWrapsAfter24Bits(String psn, String n, String sum) {
        assertEquals(Integer.decode(sum), Psn.add(Long.decode(psn).intValue(), Integer.decode(n)));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 0, 1", "0, 1, -1", "0, 0xffffff, 1", "0xffffff, 0, -1", "0x7fffff, 0, 0x7fffff",
        "0x800000, 0, -0x800000", "0x10, 0xfffff0, 0x20", "0xab000005, 4, 1"})
    void comparisonUsesTheShorterDistance(String a, String b, String difference) {
        assertEquals(Integer.decode(difference), Psn.compare(Long.decode(a).intValue(), Long.decode(b).intValue()));
    }

    @Test
    void comparisonInvertsAddition() {
        for (int psn : new int[] {0, 1, 0x7f_ffff, 0x80_0000, 0xff_ffff}) {
            for (int n : new int[] {-0x80_0000, -1, 0, 1, 4096, 0x7f_ffff}) {
                assertEquals(n, Psn.compare(Psn.add(psn, n), psn), psn + " + " + n);
            }
        }
    }

    @Test
    void randomPsnsHave24BitsAndDiffer() {
        int[] numbers = IntStream.range(0, 200).map(i -> Psn.random()).toArray();

        assertTrue(IntStream.of(numbers).allMatch(psn -> psn >= 0 && psn <= Psn.MASK));
        assertTrue(IntStream.of(numbers).distinct().count() > 150, "200 of 16 million hardly ever collide");
        assertNotEquals(0, IntStream.of(numbers).reduce(0, (a, b) -> a | b) & 0x80_0000, "the top bit is used");
        assertNotEquals(0, IntStream.of(numbers).reduce(0, (a, b) -> a | b) & 1, "the low bit is used");
    }

    @Test
    void maskHas24Bits() {
        assertEquals(0xff_ffff, Psn.MASK);
    }
}
