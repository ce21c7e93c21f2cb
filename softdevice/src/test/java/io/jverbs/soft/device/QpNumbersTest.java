package io.jverbs.soft.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How long a queue pair number is not used again. */
final class QpNumbersTest {
    private static final int FIRST = 17;
    private static final int LAST = 0xFFFFFE;

    /** K152: a peer that has the connection of the former queue pair in TIMEWAIT would reject the new one. */
    @Test
    void aNumberIsUsedAgainOnlyAfterAllOthers() {
        QpNumbers numbers = new QpNumbers(new Random(1));
        int first = numbers.next();
        BitSet used = new BitSet();
        used.set(first);
        for (int i = 1; i < LAST - FIRST + 1; i++) {
            int number = numbers.next();
            assertFalse(used.get(number), () -> "number " + number);
            used.set(number);
        }
        assertEquals(FIRST, used.nextSetBit(0));
        assertEquals(LAST, used.length() - 1);
        assertEquals(first, numbers.next());
    }

    /** K152: numbers of a process that was started again differ from those of the one before. */
    @Test
    void theFirstNumberIsRandom() {
        assertNotEquals(new QpNumbers(new Random(1)).next(), new QpNumbers(new Random(2)).next());
    }
}
