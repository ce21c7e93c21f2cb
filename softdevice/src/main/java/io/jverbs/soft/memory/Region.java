package io.jverbs.soft.memory;

import io.jverbs.spi.Handle;

/** A registered region; what its key stands for is in the table. Guarded by {@link Regions}. */
public final class Region implements Handle.Mr {
    volatile KeyEntry entry;
    int boundWindows;

    Region(KeyEntry entry) {
        this.entry = entry;
    }

    @Override
    public int lkey() {
        return entry.key();
    }

    @Override
    public int rkey() {
        return entry.key();
    }
}
