package io.jverbs.soft.fabric;

import java.util.function.Predicate;

/**
 * A map from GIDs to objects that is read on the data path: lookups take no lock and allocate no key. Each change
 * copies the table; changes are rare, and the caller serializes them.
 *
 * @param <V> the type of the objects
 */
final class GidMap<V> {

    private record Entry<V>(long high, long low, V value) {}

    private static final int INITIAL_SLOTS = 16;

    private volatile Entry<V>[] slots = newTable(INITIAL_SLOTS);
    private int size;

    @SuppressWarnings("unchecked")
    private static <V> Entry<V>[] newTable(int length) {
        return (Entry<V>[]) new Entry<?>[length];
    }

    private static int slotOf(long high, long low, int length) {
        long mixed = (high * 31 + low) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 40) & length - 1;
    }

    /** Returns the object of a GID, or null. */
    V get(long high, long low) {
        Entry<V>[] present = slots;
        int slot = slotOf(high, low, present.length);
        for (Entry<V> entry = present[slot]; entry != null; entry = present[slot]) {
            if (entry.low == low && entry.high == high) {
                return entry.value;
            }
            slot = slot + 1 & present.length - 1;
        }
        return null;
    }

    /** Returns whether an object satisfies a condition. */
    boolean anyMatch(Predicate<V> condition) {
        for (Entry<V> entry : slots) {
            if (entry != null && condition.test(entry.value)) {
                return true;
            }
        }
        return false;
    }

    /** Sets the object of a GID; null removes it. */
    void put(long high, long low, V value) {
        Entry<V>[] present = slots;
        Entry<V>[] changed = newTable(4 * (size + 1) > 2 * present.length ? 2 * present.length : present.length);
        size = 0;
        for (Entry<V> entry : present) {
            if (entry != null && (entry.low != low || entry.high != high)) {
                insert(changed, entry);
            }
        }
        if (value != null) {
            insert(changed, new Entry<>(high, low, value));
        }
        slots = changed;
    }

    private void insert(Entry<V>[] table, Entry<V> entry) {
        int slot = slotOf(entry.high, entry.low, table.length);
        while (table[slot] != null) {
            slot = slot + 1 & table.length - 1;
        }
        table[slot] = entry;
        size++;
    }
}
