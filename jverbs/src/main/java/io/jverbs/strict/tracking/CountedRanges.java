package io.jverbs.strict.tracking;

import java.util.Map;
import java.util.TreeMap;

/** A multiset of address ranges, which counts how many of them cover each address. Not thread-safe. */
final class CountedRanges {
    /**
     * Maps an address to the number of ranges that cover every address from there up to the next key. No range covers
     * an address below the first key. Addresses are unsigned, and no range reaches the end of the 64-bit address space.
     */
    private final TreeMap<Long, Integer> counts = new TreeMap<>(Long::compareUnsigned);

    void add(long start, long length) {
        change(start, length, 1);
    }

    /** Removes a range that was added. */
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

    /** Removes a key at which the count no longer changes. */
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

    /** Whether any added range overlaps the given one. */
    boolean overlaps(long start, long length) {
        return length > 0 && (at(start) > 0
                || counts.subMap(start, start + length).values().stream().anyMatch(count -> count > 0));
    }

    /** The number of keys, for tests. */
    int size() {
        return counts.size();
    }
}
