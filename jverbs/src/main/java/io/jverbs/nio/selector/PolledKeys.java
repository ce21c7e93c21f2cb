package io.jverbs.nio.selector;

import java.util.Arrays;

/** The keys whose channels a selection polls, because they were active recently. Of the thread that selects. */
final class PolledKeys {
    private static final int INITIAL = 16;

    private RdmaSelectionKey[] keys = new RdmaSelectionKey[INITIAL];
    private int size;

    int size() {
        return size;
    }

    RdmaSelectionKey get(int index) {
        return keys[index];
    }

    /** Adds a key, unless it is there. */
    void add(RdmaSelectionKey key) {
        key.idleSelections(0);
        if (key.polledIndex() >= 0) {
            return;
        }
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        keys[size] = key;
        key.polledIndex(size);
        size++;
    }

    /** Removes a key, if it is there; the last one takes its place. */
    void remove(RdmaSelectionKey key) {
        int index = key.polledIndex();
        if (index < 0) {
            return;
        }
        size--;
        key.polledIndex(-1);
        if (index != size) {
            keys[index] = keys[size];
            keys[index].polledIndex(index);
        }
        keys[size] = null;
    }
}
