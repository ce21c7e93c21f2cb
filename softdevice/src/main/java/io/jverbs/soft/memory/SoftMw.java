package io.jverbs.soft.memory;

import io.jverbs.spi.Handle;
import java.util.BitSet;

/**
 * A memory window. Its binding is described by the {@link KeyEntry} of its key. Guarded by the {@link KeyTable}
 * monitor, except for the key shown to the program.
 */
public final class SoftMw implements Handle.Mw {
    /** {@code IBV_MW_TYPE_1}. */
    public static final int TYPE_1 = 1;
    /** {@code IBV_MW_TYPE_2}. */
    public static final int TYPE_2 = 2;

    final SoftPd domain;
    final int type;
    /** The key that the program sees. A type 1 bind changes it when the bind is posted. */
    volatile int shownKey;
    KeyEntry entry;
    SoftMr boundTo;
    /** The tags (low 8 bits) of the keys that a type 1 window has had recently; null before its first bind. */
    BitSet usedTags;

    SoftMw(SoftPd domain, int type, KeyEntry entry) {
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
    public SoftPd domain() {
        return domain;
    }

    /**
     * Sets the key that the program sees. Called when a type 1 bind is posted.
     *
     * @param key the new key
     */
    public void showKey(int key) {
        shownKey = key;
    }
}
