package io.jverbs.strict.tracking;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** The memory that the device may write for one request, from its post to its completion. */
public final class WritableRanges {
    private final WatchedMemory memory;
    private final long[] starts;
    private final long[] lengths;

    private WritableRanges(WatchedMemory memory, long[] starts, long[] lengths) {
        this.memory = memory;
        this.starts = starts;
        this.lengths = lengths;
    }

    /**
     * Records the scatter/gather elements of a request that lie in registered memory.
     *
     * @param request the request
     * @param first the offset of the first element in the request
     * @param count the number of elements
     * @param keys the keys of its context
     * @param memory the memory of its context
     * @return the ranges of these elements
     */
    public static WritableRanges of(MemorySegment request, long first, int count, MemoryKeys keys,
            WatchedMemory memory) {
        long[] starts = new long[count];
        long[] lengths = new long[count];
        int found = 0;
        for (int i = 0; i < count; i++) {
            long at = first + i * SgeLayout.SIZE;
            long from = request.get(JAVA_LONG, at + SgeLayout.ADDR);
            long length = Integer.toUnsignedLong(request.get(JAVA_INT, at + SgeLayout.LENGTH));
            Region region = keys.region(request.get(JAVA_INT, at + SgeLayout.LKEY));
            if (region != null && region.contains(from, length)) {
                starts[found] = region.nativeAddress(from);
                lengths[found++] = length;
            }
        }
        WritableRanges sinks = new WritableRanges(memory, Arrays.copyOf(starts, found), Arrays.copyOf(lengths, found));
        for (int i = 0; i < found; i++) {
            memory.addWritable(starts[i], lengths[i]);
        }
        return sinks;
    }

    /** Records that the device no longer writes to the memory. */
    public void end() {
        for (int i = 0; i < starts.length; i++) {
            memory.removeWritable(starts[i], lengths[i]);
        }
    }
}
