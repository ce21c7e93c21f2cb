package io.jverbs.soft.memory;

/**
 * What the last key in use stands for, as one half of a queue pair may use it: programs use the same key again and again, and
 * one that is known costs neither a lookup nor a judgement of its access bits. Whoever takes a key's entry out of the table
 * revokes it, before waiting for the locks of those who may have it; so what {@link Regions} says of a lookup holds for a known
 * entry too. Guarded by the lock of the half.
 */
public final class KnownKey {
    private static final KeyEntry NONE = KeyEntry.revoked();

    private final Regions regions;
    private final Domain domain;
    private final int needed;
    private final int qpNumber;
    private final boolean local;
    private KeyEntry entry = NONE;
    /** The last key that was looked up. */
    private int lookedUp;

    private KnownKey(Regions regions, Domain domain, int needed, int qpNumber, boolean local) {
        this.regions = regions;
        this.domain = domain;
        this.needed = needed;
        this.qpNumber = qpNumber;
        this.local = local;
    }

    /**
     * {@return who knows keys of elements}
     *
     * @param regions the device's regions
     * @param domain the protection domain that they must belong to
     * @param needed the access bits that they must grant
     */
    public static KnownKey local(Regions regions, Domain domain, int needed) {
        return new KnownKey(regions, domain, needed, KeyEntry.ANY_QP, true);
    }

    /**
     * {@return who knows keys that the peer names}
     *
     * @param regions the device's regions
     * @param domain the protection domain that they must belong to
     * @param needed the access bits that they must grant
     * @param qpNumber the queue pair that the peer is connected to
     */
    public static KnownKey remote(Regions regions, Domain domain, int needed, int qpNumber) {
        return new KnownKey(regions, domain, needed, qpNumber, false);
    }

    /**
     * {@return what a key stands for, or null if it may not be used}
     *
     * @param key the key
     */
    public KeyEntry find(int key) {
        KeyEntry known = entry;
        return known.key() == key && !known.isRevoked() ? known : lookUp(key);
    }

    private KeyEntry lookUp(int key) {
        KeyEntry found = regions.find(key);
        if (found == null || (local ? !found.allowsLocal(domain, needed) : !found.allows(domain, needed, qpNumber))) {
            return null;
        }
        // one that comes once is not kept: a reference in the heap costs more to write than to look up
        if (lookedUp == key) {
            entry = found;
        }
        lookedUp = key;
        return found;
    }
}
