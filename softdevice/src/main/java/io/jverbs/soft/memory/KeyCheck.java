package io.jverbs.soft.memory;

/**
 * The check of memory keys for one half of a queue pair. Every access to memory passes it, whether the peer is in the
 * same JVM or on the wire: the requester and the responder check the lkeys of scatter/gather elements, and the
 * responder checks the rkeys that the peer names.
 *
 * <p>
 * It checks in this order that
 * <ul>
 * <li>the key, tag included, is in the {@link KeyTable};
 * <li>its region or memory window has the right protection domain, and grants the access;
 * <li>an lkey is that of a region, and a type 2 memory window was bound by this queue pair;
 * <li>the region or memory window contains the whole range;
 * <li>the key was not revoked meanwhile, see {@link KeyEntry#recordUser}.
 * </ul>
 * The access flags of the queue pair are checked by its responder. Binding and invalidating a memory window is checked
 * by {@link KeyTable#bind} and {@link KeyTable#invalidate}. A {@link KeyCache} repeats only the checks of range and
 * revocation for the key that was used last. Guarded by the lock of the half.
 */
public final class KeyCheck {
    private final KeyTable keyTable;
    private final KeyUser user;
    private final SoftPd domain;
    private final int qpNumber;

    /**
     * Makes the check of one half.
     *
     * @param keyTable the memory regions and windows
     * @param domain the protection domain of the queue pair
     * @param qpNumber the QPN
     */
    public KeyCheck(KeyTable keyTable, SoftPd domain, int qpNumber) {
        this(keyTable, new KeyUser(), domain, qpNumber);
    }

    private KeyCheck(KeyTable keyTable, KeyUser user, SoftPd domain, int qpNumber) {
        this.keyTable = keyTable;
        this.user = user;
        this.domain = domain;
        this.qpNumber = qpNumber;
    }

    /**
     * {@return a check of the same half for another protection domain} Scatter elements of a shared receive queue must
     * belong to that queue's domain.
     *
     * @param other the protection domain
     */
    public KeyCheck withDomain(SoftPd other) {
        return new KeyCheck(keyTable, user, other, qpNumber);
    }

    /** {@return the half as a user of keys} */
    public KeyUser user() {
        return user;
    }

    /**
     * {@return the entry of the lkey of a scatter/gather element; null if the key does not permit the access to the
     * whole range} The entry may be used until the lock of the half is released.
     *
     * @param lkey the lkey
     * @param address the first address
     * @param length the number of bytes
     * @param needed the access bits that must all be granted
     */
    public KeyEntry checkLkey(int lkey, long address, long length, int needed) {
        KeyEntry entry = keyTable.findLocal(lkey);
        return entry != null && entry.grantsLocal(domain, needed) && entry.contains(address, length)
                && entry.recordUser(user) ? entry : null;
    }

    /**
     * {@return the entry of an rkey that the peer names; null if the key does not permit the access to the whole range}
     * The entry may be used until the lock of the half is released.
     *
     * @param rkey the rkey
     * @param address the first address
     * @param length the number of bytes
     * @param needed the access bits that must all be granted
     */
    public KeyEntry checkRkey(int rkey, long address, long length, int needed) {
        KeyEntry entry = keyTable.find(rkey);
        return entry != null && entry.grants(domain, needed, qpNumber) && entry.contains(address, length)
                && entry.recordUser(user) ? entry : null;
    }

    /** As {@link #checkLkey}, but without a range: the cache checks the range of each access. */
    KeyEntry checkLkeyForCache(int lkey, int needed) {
        KeyEntry entry = keyTable.findLocal(lkey);
        return entry != null && entry.grantsLocal(domain, needed) && entry.recordUser(user) ? entry : null;
    }

    /** As {@link #checkRkey}, but without a range: the cache checks the range of each access. */
    KeyEntry checkRkeyForCache(int rkey, int needed) {
        KeyEntry entry = keyTable.find(rkey);
        return entry != null && entry.grants(domain, needed, qpNumber) && entry.recordUser(user) ? entry : null;
    }
}
