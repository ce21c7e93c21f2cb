package io.jverbs.strict;

import java.util.Map;
import java.util.TreeMap;

/** A set of addresses, as ranges that do not touch. For one thread at a time. */
final class Ranges {
    /** From start to end, exclusive; addresses are unsigned, and never at the very end of what 64 bits hold. */
    private final TreeMap<Long, Long> ends = new TreeMap<>(Long::compareUnsigned);

    void add(long start, long length) {
        if (length == 0) {
            return;
        }
        long from = start;
        long to = start + length;
        Map.Entry<Long, Long> before = ends.floorEntry(from);
        if (before != null && Long.compareUnsigned(before.getValue(), from) >= 0) {
            from = before.getKey();
        }
        Map.Entry<Long, Long> touched = ends.ceilingEntry(from);
        while (touched != null && Long.compareUnsigned(touched.getKey(), to) <= 0) {
            if (Long.compareUnsigned(touched.getValue(), to) > 0) {
                to = touched.getValue();
            }
            ends.remove(touched.getKey());
            touched = ends.ceilingEntry(from);
        }
        ends.put(from, to);
    }

    boolean meets(long start, long length) {
        Map.Entry<Long, Long> last = ends.lowerEntry(start + length);
        return length > 0 && last != null && Long.compareUnsigned(last.getValue(), start) > 0;
    }
}
