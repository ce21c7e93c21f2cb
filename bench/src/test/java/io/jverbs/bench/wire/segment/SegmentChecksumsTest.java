package io.jverbs.bench.wire.segment;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The checksums of the baseline detect corrupted datagrams. */
class SegmentChecksumsTest {
    private static final int PACKET = 100;
    private static final int PACKETS = 3;

    private final MemorySegment memory = Arena.ofAuto().allocate(PACKETS * PACKET);
    private final SegmentChecksums checksums = new SegmentChecksums(memory, PACKET);

    @Test
    void intactDatagramsPass() {
        memory.fill((byte) 5);
        checksums.write(PACKETS);
        assertDoesNotThrow(() -> checksums.check(PACKETS));
    }

    @Test
    void aCorruptedByteIsDetectedInEachDatagram() {
        for (int i = 0; i < PACKETS; i++) {
            checksums.write(PACKETS);
            memory.set(JAVA_BYTE, (long) i * PACKET + i, (byte) (1 + i));
            assertThrows(IllegalStateException.class, () -> checksums.check(PACKETS));
        }
    }
}
