package io.jverbs.soft.memory;

import io.jverbs.spi.Handle;

/** A memory window; what its key stands for is in the table. Guarded by {@link Regions}. */
public final class Window implements Handle.Mw {
    /** {@code IBV_MW_TYPE_1}. */
    public static final int TYPE_1 = 1;
    /** {@code IBV_MW_TYPE_2}. */
    public static final int TYPE_2 = 2;

    final Domain domain;
    final int type;
    /** The key as the program sees it: a type 1 bind changes it at post. */
    volatile int shownKey;
    KeyEntry entry;
    Region boundTo;

    Window(Domain domain, int type, KeyEntry entry) {
        this.domain = domain;
        this.type = type;
        this.entry = entry;
        this.shownKey = entry.key();
    }

    @Override
    public int rkey() {
        return shownKey;
    }

    /** {@return {@link #TYPE_1} or {@link #TYPE_2}} */
    public int type() {
        return type;
    }

    /** {@return the protection domain} */
    public Domain domain() {
        return domain;
    }

    /**
     * Shows a new key, at the post of a type 1 bind.
     *
     * @param key the key
     */
    public void showKey(int key) {
        shownKey = key;
    }
}
