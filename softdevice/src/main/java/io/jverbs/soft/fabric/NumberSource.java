package io.jverbs.soft.fabric;

import io.jverbs.Psn;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/**
 * Chooses the addresses of registered memory and the first PSNs of connections. Keys are chosen by {@link
 * io.jverbs.soft.memory.KeyNumbers}, queue pair numbers by the device.
 */
public interface NumberSource {
    /** Uses the real addresses of memory, and PSNs from a secure generator. */
    NumberSource ORDINARY = new NumberSource() {
        @Override
        public long addressOf(MemorySegment segment) {
            return segment.address();
        }

        @Override
        public int firstPsn() {
            return Psn.random();
        }
    };

    /** Returns the address by which work requests name the first byte of a memory segment. */
    long addressOf(MemorySegment segment);

    /** Returns the first PSN of a connection. */
    int firstPsn();

    /**
     * Returns a source whose numbers depend only on the generator. A repeatable simulation needs it, because packets
     * contain memory addresses and the addresses that the system assigns differ from run to run.
     */
    static NumberSource of(RandomGenerator random) {
        return new SeededNumbers(random);
    }

    /** Assigns ascending addresses in the order of registration. Guarded by this. */
    final class SeededNumbers implements NumberSource {
        private static final long PAGE = 4096;
        private static final long FIRST = 0x10_0000_0000L;
        private static final long SPREAD = 1 << 16;
        /**
         * The least alignment of memory that the system allocates. The offset of a segment from it depends on the
         * program alone and is kept.
         */
        private static final long ALIGNMENT = 16;

        private final RandomGenerator random;
        private long next;

        SeededNumbers(RandomGenerator random) {
            this.random = random;
            this.next = FIRST + random.nextLong(SPREAD) * FIRST;
        }

        @Override
        public synchronized long addressOf(MemorySegment segment) {
            long address = next + (segment.address() & ALIGNMENT - 1);
            // leave an unmapped page between regions
            next += (segment.byteSize() + ALIGNMENT + PAGE - 1 & -PAGE) + PAGE;
            return address;
        }

        @Override
        public synchronized int firstPsn() {
            return random.nextInt(Psn.MASK + 1);
        }
    }
}
