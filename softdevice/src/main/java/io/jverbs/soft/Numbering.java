package io.jverbs.soft;

import io.jverbs.Psn;
import java.lang.foreign.MemorySegment;
import java.util.random.RandomGenerator;

/** What numbers a device gives away besides keys and those of queue pairs: addresses of registered memory and first PSNs. */
interface Numbering {
    /** Memory has its own address, and PSNs cannot be guessed. */
    Numbering ORDINARY = new Numbering() {
        @Override
        public long addressOf(MemorySegment segment) {
            return segment.address();
        }

        @Override
        public int firstPsn() {
            return Psn.random();
        }
    };

    /** The address by which requests name the first byte of memory. */
    long addressOf(MemorySegment segment);

    /** Where a connection begins to count. */
    int firstPsn();

    /** Numbers that are the same each time: what the system gives memory for an address is not, and packets carry it. */
    static Numbering of(RandomGenerator random) {
        return new Drawn(random);
    }

    /** One region behind the other, in the order of their registration. */
    final class Drawn implements Numbering {
        private static final long PAGE = 4096;
        private static final long FIRST = 0x10_0000_0000L;
        private static final long SPREAD = 1 << 16;
        /** As far as memory of the system is aligned at the least: what is within it is the program's doing. */
        private static final long ALIGNMENT = 16;

        private final RandomGenerator random;
        private long next;

        Drawn(RandomGenerator random) {
            this.random = random;
            this.next = FIRST + random.nextLong(SPREAD) * FIRST;
        }

        @Override
        public synchronized long addressOf(MemorySegment segment) {
            long address = next + (segment.address() & ALIGNMENT - 1);
            // a page between them that nobody has
            next += (segment.byteSize() + ALIGNMENT + PAGE - 1 & -PAGE) + PAGE;
            return address;
        }

        @Override
        public synchronized int firstPsn() {
            return random.nextInt(Psn.MASK + 1);
        }
    }
}
