package io.jverbs.bench.wire.segment;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** The CRCs at the end of consecutive datagrams in memory. Not thread-safe. */
public final class SegmentChecksums {
    private final CRC32 crc = new CRC32();
    private final MemorySegment memory;
    private final int bytes;
    private final ByteBuffer[] contents;

    public SegmentChecksums(MemorySegment memory, int bytes) {
        this.memory = memory;
        this.bytes = bytes;
        contents = IntStream.range(0, (int) memory.byteSize() / bytes)
                .mapToObj(i -> memory.asSlice((long) i * bytes, bytes - Integer.BYTES).asByteBuffer())
                .toArray(ByteBuffer[]::new);
    }

    private int of(int index) {
        crc.reset();
        crc.update(contents[index].clear());
        return (int) crc.getValue();
    }

    private long end(int index) {
        return (index + 1L) * bytes - Integer.BYTES;
    }

    /** Writes the CRCs of the first datagrams. */
    public void write(int count) {
        for (int i = 0; i < count; i++) {
            memory.set(JAVA_INT_UNALIGNED, end(i), of(i));
        }
    }

    /** Checks the CRCs of the first datagrams. */
    public void check(int count) {
        for (int i = 0; i < count; i++) {
            if (memory.get(JAVA_INT_UNALIGNED, end(i)) != of(i)) {
                throw new IllegalStateException("datagram " + i + " of " + count + " has a wrong CRC");
            }
        }
    }
}
