package io.jverbs.samples.tour.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PatternTest {
    private static final long SEED = 0x1234_5678_9ABC_DEF0L;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 64, 4096, 4099})
    void filledMemoryMatches(int size) {
        MemorySegment memory = Arena.ofAuto().allocate(size + 1L).asSlice(0, size);
        Pattern.fill(memory, SEED);

        assertEquals(-1, Pattern.mismatch(memory, SEED));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 50, 95, 96, 98})
    void oneFlippedBitIsFoundAtItsByte(int at) {
        MemorySegment memory = Arena.ofAuto().allocate(99);
        Pattern.fill(memory, SEED);
        memory.set(ValueLayout.JAVA_BYTE, at, (byte) (Pattern.byteAt(SEED, at) ^ 0x10));

        assertEquals(at, Pattern.mismatch(memory, SEED));
    }

    @Test
    void filledBytesAreThoseOfTheSeed() {
        MemorySegment memory = Arena.ofAuto().allocate(21);
        Pattern.fill(memory, SEED);

        for (int i = 0; i < memory.byteSize(); i++) {
            assertEquals(Pattern.byteAt(SEED, i), memory.get(ValueLayout.JAVA_BYTE, i));
        }
    }

    @Test
    void anotherSeedGivesOtherBytes() {
        MemorySegment memory = Arena.ofAuto().allocate(64);
        Pattern.fill(memory, SEED);

        assertNotEquals(-1, Pattern.mismatch(memory, SEED + 1));
    }
}
