package io.jverbs.soft.memory;

import io.jverbs.Access;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * An entry of the {@link KeyTable}: the memory region or memory window, bound or not, that a key names. Key, range,
 * rights and owner of an entry never change. When they change for a key, a new entry replaces this one in the table and
 * this one is revoked.
 *
 * <p>
 * An access to one of many regions takes as long as the cache misses that it has. Therefore an entry is small, and its
 * segment is an object that is allocated directly after it, not the program's, which may be anywhere in the heap: both
 * are in two or three adjacent cache lines, and garbage collectors usually keep them together.
 *
 * <p>
 * The users of an entry, the halves of queue pairs that have found it, are recorded without a lock; see
 * {@link KeyTable} for the protocol.
 */
public final class KeyEntry implements DirectTable.Numbered {
    /** In place of a QPN: any queue pair of the protection domain may use the key. */
    static final int ANY_QP = -1;
    private static final VarHandle USERS;

    static {
        try {
            USERS = MethodHandles.lookup().findVarHandle(KeyEntry.class, "users", Object.class);
            // initialised here, not on the data path when a second user finds a key
            MethodHandles.lookup().ensureInitialized(KeyUsers.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int key;
    private final SoftPd domain;
    private final int access;
    private final long base;
    private final long length;
    private final int qpNumber;
    private final boolean window;
    private final boolean mapped;
    /** The range of the memory that {@link #base} and {@link #length} name. */
    private MemorySegment segment;
    /** The users that have found the entry: null for none, a {@link KeyUser} for one, {@link KeyUsers} for several. */
    private Object users;
    private volatile boolean revoked;

    private KeyEntry(int key, SoftPd domain, int access, long base, MemorySegment memory, long offset, long length,
            int qpNumber, boolean window) {
        this.key = key;
        this.domain = domain;
        this.access = access;
        this.base = base;
        this.length = length;
        this.segment = memory.asSlice(offset, length);
        this.qpNumber = qpNumber;
        this.window = window;
        this.mapped = memory.isMapped();
    }

    /** Makes the entry of a region. */
    static KeyEntry region(int key, SoftPd domain, int access, long base, MemorySegment segment) {
        return new KeyEntry(key, domain, access, base, segment, 0, segment.byteSize(), ANY_QP, false);
    }

    /** Makes the entry of a memory window bound to part of a region, for one queue pair or for {@link #ANY_QP}. */
    static KeyEntry window(int key, KeyEntry region, int access, long address, long length, int qpNumber) {
        long base = (access & Access.ZERO_BASED) != 0 ? 0 : address;
        return new KeyEntry(key, region.domain, access, base, region.segment, region.offsetOf(address), length,
                qpNumber, true);
    }

    /** Makes the entry of a memory window that is not bound. It allows nothing, because it has no protection domain. */
    static KeyEntry unbound(int key) {
        return new KeyEntry(key, null, 0, 0, MemorySegment.NULL, 0, 0, ANY_QP, true);
    }

    /** Makes a revoked entry that belongs to no key. */
    static KeyEntry revoked() {
        KeyEntry entry = unbound(0);
        entry.revoke();
        return entry;
    }

    /** Marks the entry as replaced or removed, for users that still refer to it. */
    void revoke() {
        revoked = true;
    }

    /** {@return whether the entry was replaced or removed} */
    boolean isRevoked() {
        return revoked;
    }

    /**
     * Drops the reference to the memory, once no user can be accessing it. Caches that still refer to the entry must
     * not keep the memory from being freed.
     */
    void forgetMemory() {
        segment = MemorySegment.NULL;
    }

    /**
     * Admits a half of a queue pair as a user of the entry. The half found the entry while holding its lock and may use
     * it until it releases that lock. From then on {@link #awaitUsers} waits for the half's lock.
     *
     * @param user the half
     * @return false if the entry was revoked; the half must not use it then
     */
    boolean recordUser(KeyUser user) {
        assert user.isLocked();
        // a plain read is sufficient, because users are only ever added: see KeyTable
        return (users == user || addUser(user)) && !revoked;
    }

    private boolean addUser(KeyUser user) {
        while (true) {
            Object present = USERS.getVolatile(this);
            if (present == user || present instanceof KeyUsers several && several.contains(user)) {
                return true;
            }
            if (present instanceof KeyUsers several) {
                several.add(user);
                break;
            }
            Object changed = present == null ? user : new KeyUsers((KeyUser) present, user);
            if (USERS.compareAndSet(this, present, changed)) {
                break;
            }
        }
        // orders the record before the caller's read of the revoked mark
        VarHandle.fullFence();
        return true;
    }

    /**
     * Waits until no user accesses the entry any more: until each user's lock that is held now has been released once.
     * Called after the entry was revoked. The caller holds no lock that a user may wait for.
     */
    void awaitUsers() {
        forEachUser(KeyUser::awaitRelease);
    }

    /** Adds the users of a revoked memory window of this region, so that {@link #awaitUsers} waits for them, too. */
    void inheritUsers(KeyEntry window) {
        window.forEachUser(this::addUser);
    }

    private void forEachUser(Consumer<KeyUser> action) {
        VarHandle.fullFence();
        Object present = USERS.getVolatile(this);
        if (present instanceof KeyUser user) {
            action.accept(user);
        } else if (present instanceof KeyUsers several) {
            several.forEach(action);
        }
    }

    @Override
    public int number() {
        return key >>> Byte.SIZE;
    }

    /** {@return the key: its number in the upper 24 bits, its tag in the lower 8} */
    public int key() {
        return key;
    }

    /**
     * {@return whether a queue pair may use the key with the given access}
     *
     * @param user the protection domain of the queue pair
     * @param needed the access bits that must all be granted
     * @param qp the QPN of the queue pair
     */
    boolean grants(SoftPd user, int needed, int qp) {
        return domain == user && (access & needed) == needed && (qpNumber == ANY_QP || qpNumber == qp);
    }

    /**
     * {@return whether a scatter/gather element may use the key as its lkey} Memory windows have no lkey.
     *
     * @param user the protection domain of the queue pair or shared receive queue
     * @param needed the access bits that must all be granted
     */
    boolean grantsLocal(SoftPd user, int needed) {
        return !window && grants(user, needed, ANY_QP);
    }

    /**
     * {@return whether the entry contains a range of addresses} The check does not overflow.
     *
     * @param address the first address, unsigned
     * @param bytes the length, not negative
     */
    boolean contains(long address, long bytes) {
        long offset = address - base;
        return offset >= 0 && bytes <= length - offset;
    }

    /**
     * {@return whether this entry, which a {@link KeyCache} has cached, is that of a key, was not revoked, and contains
     * a range of addresses}
     *
     * @param rkey the rkey
     * @param address the first address
     * @param bytes the length
     */
    public boolean serves(int rkey, long address, long bytes) {
        return key == rkey && !revoked && contains(address, bytes);
    }

    /**
     * {@return whether this entry, which a {@link KeyCache} has cached, is that of an lkey, was not revoked, and
     * contains a range of addresses}
     *
     * @param lkey the lkey
     * @param address the first address
     * @param bytes the length
     */
    public boolean servesLocal(int lkey, long address, long bytes) {
        return serves(lkey ^ SoftMr.LKEY_TAG, address, bytes);
    }

    /** {@return whether a file backs the memory, which then may disappear: see {@link MappedMemory}} */
    public boolean isMapped() {
        return mapped;
    }

    /** {@return the memory of the region or window} */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * {@return the offset in {@link #segment()} of an address}
     *
     * @param address an address that the entry contains
     */
    public long offsetOf(long address) {
        return address - base;
    }

    long base() {
        return base;
    }

    int access() {
        return access;
    }

    SoftPd domain() {
        return domain;
    }

    /** The QPN of the queue pair that may use the key, or {@link #ANY_QP}. */
    int qpNumber() {
        return qpNumber;
    }
}
