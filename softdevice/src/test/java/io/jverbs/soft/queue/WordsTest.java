package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two adjacent 32-bit fields of a C structure as one long. */
final class WordsTest {
    private static final String PAIRS = """
            0, 0
            1, 0
            0, 1
            1, 2
            -1, 0
            0, -1
            -1, -1
            0x7FFFFFFF, -2147483648
            -2147483648, 0x7FFFFFFF
            """;

    private final MemorySegment memory = Arena.ofAuto().allocate(JAVA_LONG);

    @ParameterizedTest
    @CsvSource(textBlock = PAIRS)
    void aWordHasTheLayoutOfTwoAdjacentFieldsInMemory(String first, String second) {
        memory.set(JAVA_INT, 0, Integer.decode(first));
        memory.set(JAVA_INT, Integer.BYTES, Integer.decode(second));
        assertEquals(memory.get(JAVA_LONG, 0), Words.of(Integer.decode(first), Integer.decode(second)));
    }

    @ParameterizedTest
    @CsvSource(textBlock = PAIRS)
    void eachFieldOfAWordIsReadBackWithoutTheOther(String first, String second) {
        long word = Words.of(Integer.decode(first), Integer.decode(second));
        assertEquals(Integer.decode(first), Words.first(word));
        assertEquals(Integer.decode(second), Words.second(word));
        assertEquals(Integer.toUnsignedLong(Integer.decode(first)), Words.firstUnsigned(word));
    }

    /** E23: immediate data is in network byte order in the structure. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 0x01020304, -1, Integer.MIN_VALUE})
    void aFieldInNetworkByteOrderIsConvertedInBothDirections(int value) {
        memory.set(JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN), 0, value);
        int field = memory.get(JAVA_INT, 0);
        assertEquals(value, Words.bigEndian(field));
        assertEquals(field, Words.bigEndian(value));
    }
}
