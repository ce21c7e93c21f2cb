package io.jverbs.soft.memory;

/**
 * A one-entry cache of the {@link KeyCheck} of one half of a queue pair. Programs use the same key repeatedly; a cached
 * key costs neither a lookup nor a check of its access bits. Guarded by the lock of the half.
 *
 * <p>
 * A cached entry is as safe to use as one that was just looked up. This half is recorded as one of its users. When the
 * entry is removed, it is revoked first, and then the locks of all its users are waited for; see {@link KeyTable}.
 *
 * <p>
 * A class that has few cache lines to spare keeps the {@link #cached} entry in a field of its own, and asks this cache
 * only if that entry does not {@linkplain KeyEntry#serves serve} an access.
 */
public final class KeyCache {
    private static final KeyEntry NONE = KeyEntry.revoked();

    private final KeyCheck check;
    private final int needed;
    private final boolean local;
    private KeyEntry entry = NONE;
    /** The key of the latest successful lookup. */
    private int lookedUp;

    private KeyCache(KeyCheck check, int needed, boolean local) {
        this.check = check;
        this.needed = needed;
        this.local = local;
    }

    /**
     * {@return a cache for the lkeys of scatter/gather elements}
     *
     * @param check the check of the half
     * @param needed the access bits that the regions must grant
     */
    public static KeyCache local(KeyCheck check, int needed) {
        return new KeyCache(check, needed, true);
    }

    /**
     * {@return a cache for the rkeys that the peer names}
     *
     * @param check the check of the half
     * @param needed the access bits that the regions and memory windows must grant
     */
    public static KeyCache remote(KeyCheck check, int needed) {
        return new KeyCache(check, needed, false);
    }

    /**
     * {@return the entry of a key; null if the key does not permit the access to the whole range, or its memory is
     * mapped} Mapped memory is excluded, because the users of cached entries do not call
     * {@link MappedMemory#deliverFault()}.
     *
     * @param key the rkey
     * @param address the first address
     * @param length the number of bytes
     */
    public KeyEntry find(int key, long address, long length) {
        assert check.user().isLocked();
        KeyEntry known = entry;
        KeyEntry found = known.key() == key && !known.isRevoked() ? known : lookUp(key);
        return found != null && found.contains(address, length) ? found : null;
    }

    /**
     * {@return the entry of an lkey; null under the same conditions}
     *
     * @param lkey the lkey of a scatter/gather element
     * @param address the first address
     * @param length the number of bytes
     */
    public KeyEntry findLocal(int lkey, long address, long length) {
        return find(lkey ^ SoftMr.LKEY_TAG, address, length);
    }

    /**
     * {@return the cached entry, which may have been revoked} It changes when {@link #find} is called. The first one
     * serves no key.
     */
    public KeyEntry cached() {
        return entry;
    }

    private KeyEntry lookUp(int key) {
        KeyEntry found = local
                ? check.checkLkeyForCache(key ^ SoftMr.LKEY_TAG, needed)
                : check.checkRkeyForCache(key, needed);
        if (found == null || found.isMapped()) {
            return null;
        }
        // a key is cached when it is used twice in a row: writing a reference to the heap costs more than a lookup
        if (lookedUp == key) {
            entry = found;
        }
        lookedUp = key;
        return found;
    }
}
