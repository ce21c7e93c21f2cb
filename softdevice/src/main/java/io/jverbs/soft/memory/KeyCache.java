package io.jverbs.soft.memory;

/**
 * A one-entry cache of key lookups for one half of a queue pair. Programs use the same key repeatedly; a cached key
 * costs neither a lookup nor a check of its access bits. Guarded by the lock of the half.
 *
 * <p>
 * A cached entry is as safe to use as one that was just looked up. This half is recorded as one of its users. When the
 * entry is removed, it is revoked first, and then the locks of all its users are waited for; see {@link KeyTable}.
 */
public final class KeyCache {
    private static final KeyEntry NONE = KeyEntry.revoked();

    private final KeyTable keyTable;
    private final KeyUser user;
    private final SoftPd domain;
    private final int needed;
    private final int qpNumber;
    private final boolean local;
    private KeyEntry entry = NONE;
    /** The key of the latest successful lookup. */
    private int lookedUp;

    private KeyCache(KeyTable keyTable, KeyUser user, SoftPd domain, int needed, int qpNumber, boolean local) {
        this.keyTable = keyTable;
        this.user = user;
        this.domain = domain;
        this.needed = needed;
        this.qpNumber = qpNumber;
        this.local = local;
    }

    /**
     * {@return a cache for the lkeys of scatter/gather elements}
     *
     * @param keyTable the memory regions and windows
     * @param user the half of a queue pair
     * @param domain the protection domain that the regions must belong to
     * @param needed the access bits that the regions must grant
     */
    public static KeyCache local(KeyTable keyTable, KeyUser user, SoftPd domain, int needed) {
        return new KeyCache(keyTable, user, domain, needed, KeyEntry.ANY_QP, true);
    }

    /**
     * {@return a cache for the rkeys that the peer names}
     *
     * @param keyTable the memory regions and windows
     * @param user the half of a queue pair
     * @param domain the protection domain that the regions and memory windows must belong to
     * @param needed the access bits that they must grant
     * @param qpNumber the QPN of the local queue pair
     */
    public static KeyCache remote(KeyTable keyTable, KeyUser user, SoftPd domain, int needed, int qpNumber) {
        return new KeyCache(keyTable, user, domain, needed, qpNumber, false);
    }

    /**
     * {@return the entry of a key; null if the key may not be used or its memory is mapped} Mapped memory is excluded,
     * because the users of cached entries do not call {@link MappedMemory#deliverFault()}.
     *
     * @param key the rkey
     */
    public KeyEntry find(int key) {
        assert user.isLocked();
        KeyEntry known = entry;
        return known.key() == key && !known.isRevoked() ? known : lookUp(key);
    }

    /**
     * {@return the entry of an lkey; null under the same conditions}
     *
     * @param lkey the lkey of a scatter/gather element
     */
    public KeyEntry findLocal(int lkey) {
        return find(lkey ^ SoftMr.LKEY_TAG);
    }

    private KeyEntry lookUp(int key) {
        KeyEntry found = keyTable.find(key);
        if (found == null || (local ? !found.grantsLocal(domain, needed) : !found.grants(domain, needed, qpNumber))
                || !found.recordUser(user)) {
            return null;
        }
        if (found.isMapped()) {
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
