package io.jverbs.soft.memory;

import io.jverbs.spi.Handle;

/** A memory region. Its properties are in the {@link KeyEntry} of its key. Guarded by the {@link KeyTable} monitor. */
public final class SoftMr implements Handle.Mr {
    /**
     * What distinguishes the lkey of a region from its rkey: the tag of one is the complement of the other's. A program
     * that uses the wrong one fails, as it does on hardware where the two differ.
     */
    static final int LKEY_TAG = 0xFF;

    volatile KeyEntry entry;
    int boundWindows;

    SoftMr(KeyEntry entry) {
        this.entry = entry;
    }

    @Override
    public int lkey() {
        return entry.key() ^ LKEY_TAG;
    }

    @Override
    public int rkey() {
        return entry.key();
    }
}
