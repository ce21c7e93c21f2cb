package io.jverbs.nio.selector;

import java.nio.channels.SelectionKey;
import java.util.AbstractSet;
import java.util.Arrays;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The selected keys of a selector: keys can be removed, and only the selector adds them, which allocates nothing once
 * the set has had its size. Not thread-safe, as the interface of selectors says.
 */
final class SelectedKeys extends AbstractSet<SelectionKey> {
    private static final int INITIAL = 16;

    private final RdmaSelector owner;
    private RdmaSelectionKey[] keys = new RdmaSelectionKey[INITIAL];
    private int size;
    private int changes;

    SelectedKeys(RdmaSelector owner) {
        this.owner = owner;
    }

    /** Adds a key that is not in this set. */
    void select(RdmaSelectionKey key) {
        if (size == keys.length) {
            keys = Arrays.copyOf(keys, 2 * size);
        }
        keys[size] = key;
        key.selectedIndex(size);
        size++;
        changes++;
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public boolean contains(Object key) {
        return key instanceof RdmaSelectionKey own && own.selector() == owner && own.selectedIndex() >= 0;
    }

    @Override
    public boolean remove(Object key) {
        if (!contains(key)) {
            return false;
        }
        removeAt(((RdmaSelectionKey) key).selectedIndex());
        return true;
    }

    private void removeAt(int index) {
        size--;
        changes++;
        keys[index].selectedIndex(-1);
        if (index != size) {
            keys[index] = keys[size];
            keys[index].selectedIndex(index);
        }
        keys[size] = null;
    }

    @Override
    public void clear() {
        for (int i = 0; i < size; i++) {
            keys[i].selectedIndex(-1);
            keys[i] = null;
        }
        size = 0;
        changes++;
    }

    @Override
    public Iterator<SelectionKey> iterator() {
        return new KeyIterator();
    }

    /** Visits the keys from the last one on, so that a removal moves only keys that were visited. */
    private final class KeyIterator implements Iterator<SelectionKey> {
        private int index = size;
        private int expected = changes;
        private boolean canRemove;

        @Override
        public boolean hasNext() {
            return index > 0;
        }

        @Override
        public SelectionKey next() {
            requireUnchanged();
            if (index == 0) {
                throw new NoSuchElementException();
            }
            index--;
            canRemove = true;
            return keys[index];
        }

        @Override
        public void remove() {
            requireUnchanged();
            if (!canRemove) {
                throw new IllegalStateException("there is no key to remove: call next before");
            }
            removeAt(index);
            canRemove = false;
            expected = changes;
        }

        private void requireUnchanged() {
            if (expected != changes) {
                throw new ConcurrentModificationException();
            }
        }
    }
}
