package io.jverbs.strict;

import java.util.Map;
import java.util.TreeMap;

/** How many of some ranges of addresses cover an address. For one thread at a time. */
final class CountedRanges {
    /**
     * From an address on, up to the next one, so many ranges cover it; below the first, none. Addresses are unsigned, and no range reaches the
     * very end of what 64 bits hold.
     */
    private final TreeMap<Long, Integer> counts = new TreeMap<>(Long::compareUnsigned);

    void add(long start, long length) {
        change(start, length, 1);
    }

    /** Takes away a range that was added. */
    void remove(long start, long length) {
        change(start, length, -1);
    }

    private void change(long start, long length, int by) {
        if (length == 0) {
            return;
        }
        long end = start + length;
        counts.putIfAbsent(start, at(start));
        counts.putIfAbsent(end, at(end));
        counts.subMap(start, end).replaceAll((from, count) -> count + by);
        join(start);
        join(end);
    }

    /** Forgets an address at which nothing changes any more. */
    private void join(long address) {
        Map.Entry<Long, Integer> before = counts.lowerEntry(address);
        int countBefore = before == null ? 0 : before.getValue();
        if (counts.get(address) == countBefore) {
            counts.remove(address);
        }
    }

    private int at(long address) {
        Map.Entry<Long, Integer> last = counts.floorEntry(address);
        return last == null ? 0 : last.getValue();
    }

    /** Whether a range covers any address of another one. */
    boolean meets(long start, long length) {
        return length > 0 && (at(start) > 0
                || counts.subMap(start, start + length).values().stream().anyMatch(count -> count > 0));
    }

    /** How many addresses it has to remember. */
    int size() {
        return counts.size();
    }
}
