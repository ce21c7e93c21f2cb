package io.jverbs.strict;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Where the device may write for one request, until that is over. */
final class Sinks {
    private final WatchedMemory memory;
    private final long[] starts;
    private final long[] lengths;

    private Sinks(WatchedMemory memory, long[] starts, long[] lengths) {
        this.memory = memory;
        this.starts = starts;
        this.lengths = lengths;
    }

    /**
     * Notes the elements of a request.
     *
     * @param first where the first element is in the request
     */
    static Sinks of(MemorySegment request, long first, int count, Keys keys, WatchedMemory memory) {
        long[] starts = new long[count];
        long[] lengths = new long[count];
        int noted = 0;
        for (int i = 0; i < count; i++) {
            long at = first + i * SgeLayout.SIZE;
            long from = request.get(JAVA_LONG, at + SgeLayout.ADDR);
            long length = Integer.toUnsignedLong(request.get(JAVA_INT, at + SgeLayout.LENGTH));
            Region region = keys.region(request.get(JAVA_INT, at + SgeLayout.LKEY));
            if (region != null && region.contains(from, length)) {
                starts[noted] = region.nativeAddress(from);
                lengths[noted++] = length;
            }
        }
        Sinks sinks = new Sinks(memory, Arrays.copyOf(starts, noted), Arrays.copyOf(lengths, noted));
        for (int i = 0; i < noted; i++) {
            memory.opened(starts[i], lengths[i]);
        }
        return sinks;
    }

    /** The device writes there no more. */
    void end() {
        for (int i = 0; i < starts.length; i++) {
            memory.closed(starts[i], lengths[i]);
        }
    }
}
