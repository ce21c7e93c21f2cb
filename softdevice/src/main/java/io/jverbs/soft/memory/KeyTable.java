package io.jverbs.soft.memory;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * The memory regions and memory windows of a device, by key. The upper 24 bits of a key are its number, which is drawn
 * at random, so that keys cannot be guessed; the number is also the index by which one array read finds the key's
 * entry. Changes are guarded by the monitor of this object; {@link #find} takes no lock.
 *
 * <p>
 * After a registration has ended, nothing accesses the memory any more. This needs no reference counts on the fast
 * path. Memory is accessed by halves of queue pairs ({@link KeyUser}). A half acquires its lock, looks the key up, is
 * admitted to the entry ({@link KeyEntry#recordUser}), which records the half as a user, and may access the memory
 * until it releases the lock. The thread that ends a registration revokes the entry, removes it from the table, and
 * then waits until each lock of a recorded user that is held has been released once ({@link KeyEntry#awaitUsers}). The
 * cost is proportional to the number of the region's users, whatever else is on the device.
 *
 * <p>
 * No user is missed, for these reasons:
 * <ul>
 * <li>A half that is admitted for the first time records itself, executes a full fence and reads whether the entry is
 * revoked. The thread that ends the registration revokes the entry, executes a full fence and reads the recorded users.
 * At least one of them sees what the other has written: the half is refused, or it is waited for.
 * <li>A half that is already recorded is among those that are waited for. It acquired its lock by a volatile
 * compare-and-set before it read the slot of the table, or the revoked mark of an entry that it has cached ({@link
 * KeyCache}). Both are written, volatile, before the lock word is read. So either the half does not find the entry, or
 * its lock is seen to be held. The test whether a half is already recorded needs no memory ordering: a record is never
 * removed while the half exists, and it was made, by the half itself or by the end of a binding, before the
 * registration ended.
 * <li>A half that was refused stays recorded, and may find the entry again as long as it is in the table. It is refused
 * again, because each admission reads the revoked mark, also that of a half that is already recorded.
 * <li>A memory window has an entry of its own for the memory of its region. When a binding ends, which may happen under
 * a lock that permits no waiting, the region's entry takes over the users of the window's entry.
 * </ul>
 */
public final class KeyTable {
    private static final int KNOWN_ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC | Access.MW_BIND | Access.ZERO_BASED | Access.ON_DEMAND | Access.HUGETLB;
    private static final int NEEDS_LOCAL_WRITE = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC
            | Access.ZERO_BASED;

    private final DirectTable<KeyEntry> table = new DirectTable<>();
    private final Map<Integer, SoftMw> windows = new HashMap<>();
    /** By QPN, the type 2 windows that the queue pair has bound. */
    private final Map<Integer, Set<SoftMw>> boundBy = new HashMap<>();
    private final KeyNumbers numbers;
    private final int maxRegions;
    private final int maxWindows;
    private int regionCount;

    /**
     * Makes an empty table.
     *
     * @param numbers draws the keys
     * @param maxRegions the maximum number of memory regions
     * @param maxWindows the maximum number of memory windows
     */
    public KeyTable(KeyNumbers numbers, int maxRegions, int maxWindows) {
        this.numbers = numbers;
        this.maxRegions = maxRegions;
        this.maxWindows = maxWindows;
    }

    /**
     * {@return the entry of an rkey, or null if it is unknown}
     *
     * @param key the rkey
     */
    KeyEntry find(int key) {
        KeyEntry entry = table.inSlotOf(key >>> Byte.SIZE);
        return entry != null && entry.key() == key ? entry : null;
    }

    /**
     * {@return the entry of the region that has an lkey, or null if there is none}
     *
     * @param lkey the lkey
     */
    KeyEntry findLocal(int lkey) {
        return find(lkey ^ SoftMr.LKEY_TAG);
    }

    /**
     * Registers memory, see ibv_reg_mr_iova(3).
     *
     * @param domain the protection domain
     * @param segment the memory
     * @param access bits of {@link Access}
     * @param iova the address by which requests name the first byte
     * @return the region
     * @throws VerbsException EINVAL for an illegal access or range; ENOMEM if no region is left
     */
    public synchronized SoftMr register(SoftPd domain, MemorySegment segment, int access, long iova) {
        checkAccess("reg_mr", access);
        checkRange("reg_mr", iova, segment.byteSize());
        if (regionCount == maxRegions) {
            throw new VerbsException("reg_mr", Errno.ENOMEM,
                    "all " + maxRegions + " memory regions of the device are in use: close one first");
        }
        KeyEntry entry = table.add(numbers::next,
                number -> KeyEntry.region(numbers.key(number), domain, access, iova, segment));
        if (entry == null) {
            throw new VerbsException("reg_mr", Errno.ENOMEM, "the device has no free key");
        }
        try {
            SoftMr region = new SoftMr(entry);
            regionCount++;
            return region;
        } catch (Error e) {
            remove(entry);
            throw e;
        }
    }

    /** {@return the number of registered memory regions} */
    public synchronized int size() {
        return regionCount;
    }

    private static void checkAccess(String operation, int access) {
        int unknown = access & ~(KNOWN_ACCESS | Access.OPTIONAL_RANGE);
        if (unknown != 0) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "access " + Access.toString(access) + " has unknown bits 0x" + Integer.toHexString(unknown)
                            + "; the known bits are " + Access.toString(KNOWN_ACCESS));
        }
        if ((access & NEEDS_LOCAL_WRITE) != 0 && (access & Access.LOCAL_WRITE) == 0) {
            throw new VerbsException(operation, Errno.EINVAL, "access " + Access.toString(access)
                    + " grants REMOTE_WRITE or REMOTE_ATOMIC and therefore requires LOCAL_WRITE: add it");
        }
    }

    private static void checkRange(String operation, long iova, long length) {
        if (length > 0 && Long.compareUnsigned(iova + length - 1, iova) < 0) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "iova 0x" + Long.toHexString(iova) + " plus length " + length + " exceeds 2^64");
        }
    }

    /**
     * Changes a region, see ibv_rereg_mr(3). If this throws, nothing was changed. If the memory changes, the region
     * gets another key, so that a peer's key for the former memory does not give access to the new memory. If only
     * rights or the protection domain change, the region keeps its key.
     *
     * @param region the region
     * @param domain the new protection domain
     * @param segment the new memory
     * @param access the new access bits
     * @param iova the new address by which requests name the first byte
     * @param moved whether the memory or the addresses that name it change
     * @throws VerbsException EINVAL for an illegal access or range or a closed region; EBUSY if memory windows are
     *         bound to the region; ENOMEM if no key is left
     */
    public void reregister(SoftMr region, SoftPd domain, MemorySegment segment, int access, long iova, boolean moved) {
        KeyEntry former;
        synchronized (this) {
            checkAccess("rereg_mr", access);
            checkRange("rereg_mr", iova, segment.byteSize());
            checkUnbound("rereg_mr", region);
            former = region.entry;
            if (find(former.key()) != former) {
                throw new VerbsException("rereg_mr", Errno.EINVAL, "the memory region is closed");
            }
            IntFunction<KeyEntry> change = key -> KeyEntry.region(key, domain, access, iova, segment);
            if (moved) {
                KeyEntry added = table.add(numbers::next, number -> change.apply(numbers.key(number)));
                if (added == null) {
                    throw new VerbsException("rereg_mr", Errno.ENOMEM, "the device has no free key");
                }
                region.entry = added;
                remove(former);
            } else {
                region.entry = change.apply(former.key());
                table.replace(former.number(), region.entry);
                former.revoke();
            }
        }
        former.awaitUsers();
        former.forgetMemory();
    }

    private static void checkUnbound(String operation, SoftMr region) {
        if (region.boundWindows > 0) {
            throw new VerbsException(operation, Errno.EBUSY, region.boundWindows
                    + " memory windows are bound to the region: unbind, invalidate or close them first");
        }
    }

    /**
     * Deregisters a region, see ibv_dereg_mr(3). The memory is not accessed any more once this returns.
     *
     * @param region the region
     * @throws VerbsException EBUSY if memory windows are bound to the region
     */
    public void deregister(SoftMr region) {
        synchronized (this) {
            checkUnbound("dereg_mr", region);
            if (find(region.entry.key()) == region.entry) {
                region.entry.revoke();
                if (release(region.entry)) {
                    regionCount--;
                }
            }
        }
        region.entry.awaitUsers();
        region.entry.forgetMemory();
    }

    /**
     * Allocates a memory window that is not bound, see ibv_alloc_mw(3).
     *
     * @param domain the protection domain
     * @param type {@link SoftMw#TYPE_1} or {@link SoftMw#TYPE_2}
     * @return the window
     * @throws VerbsException EINVAL for another type; ENOMEM if no window is left
     */
    public synchronized SoftMw allocateWindow(SoftPd domain, int type) {
        if (type != SoftMw.TYPE_1 && type != SoftMw.TYPE_2) {
            throw VerbsException.outOfRange("alloc_mw", "type", type, SoftMw.TYPE_1, SoftMw.TYPE_2);
        }
        if (windows.size() == maxWindows) {
            throw new VerbsException("alloc_mw", Errno.ENOMEM,
                    "all " + maxWindows + " memory windows of the device are in use: close one first");
        }
        KeyEntry entry = table.add(numbers::next, number -> KeyEntry.unbound(numbers.key(number)));
        if (entry == null) {
            throw new VerbsException("alloc_mw", Errno.ENOMEM, "the device has no free key");
        }
        try {
            SoftMw window = new SoftMw(domain, type, entry);
            windows.put(entry.number(), window);
            return window;
        } catch (Error e) {
            remove(entry);
            throw e;
        }
    }

    /**
     * Deallocates a memory window, see ibv_dealloc_mw(3). If it is bound, this ends the binding.
     *
     * @param window the window
     */
    public void deallocateWindow(SoftMw window) {
        synchronized (this) {
            if (isCurrent(window)) {
                KeyEntry entry = window.entry;
                // first, because the region must know all users of the entry: from here on there are no new ones
                entry.revoke();
                endBinding(window, entry);
                release(entry);
                windows.remove(entry.number());
            }
        }
        window.entry.awaitUsers();
    }

    /**
     * {@return the key for the next bind of a type 1 window: the window's number and a random tag} A tag is drawn again
     * only after all others have been used.
     *
     * @param window the window
     */
    public synchronized int nextKey(SoftMw window) {
        if (window.usedTags == null) {
            window.usedTags = new BitSet();
        }
        return numbers.nextKey(window.shownKey, window.usedTags);
    }

    /**
     * Binds a memory window, or unbinds a type 1 window if the length is 0; see ibv_bind_mw(3).
     *
     * @param window the window
     * @param key the new key of the window
     * @param region the region; may be null if the length is 0
     * @param address the start of the window, as an address of the region
     * @param length the length of the window in bytes
     * @param access bits of {@link Access}
     * @param user the protection domain of the queue pair that binds
     * @param qpNumber the QPN of the queue pair that binds
     * @return false, with nothing changed, if the bind is not allowed
     */
    public boolean bind(SoftMw window, int key, SoftMr region, long address, long length, int access, SoftPd user,
            int qpNumber) {
        KeyEntry former = rebind(window, key, region, address, length, access, user, qpNumber);
        if (former != null) {
            // the former binding must not be used any more when this returns. Waiting here causes no deadlock: only
            // responders use windows, and none of them waits for a requester's lock
            former.awaitUsers();
        }
        return former != null;
    }

    /** Replaces the entry of a window and returns the former entry; returns null if the bind is not allowed. */
    private synchronized KeyEntry rebind(SoftMw window, int key, SoftMr region, long address, long length, int access,
            SoftPd user, int qpNumber) {
        boolean unbind = length == 0 && window.type == SoftMw.TYPE_1;
        if (!isCurrent(window) || window.domain != user || key >>> Byte.SIZE != window.entry.number()
                || !unbind && !bindable(window, region, address, length, access)) {
            return null;
        }
        KeyEntry former = window.entry;
        if (unbind) {
            install(window, KeyEntry.unbound(key));
        } else {
            KeyEntry entry = KeyEntry.window(key, region.entry, access, address, length,
                    window.type == SoftMw.TYPE_2 ? qpNumber : KeyEntry.ANY_QP);
            if (window.type == SoftMw.TYPE_2) {
                // allocates memory and may throw, so nothing may have changed before
                boundBy.computeIfAbsent(qpNumber, number -> new LinkedHashSet<>()).add(window);
            }
            install(window, entry);
            window.boundTo = region;
            region.boundWindows++;
        }
        if (window.type == SoftMw.TYPE_2) {
            window.shownKey = key;
        }
        return former;
    }

    private boolean isCurrent(SoftMw window) {
        assert Thread.holdsLock(this);
        return windows.get(window.entry.number()) == window;
    }

    private boolean bindable(SoftMw window, SoftMr region, long address, long length, int access) {
        assert Thread.holdsLock(this);
        boolean known = region != null && find(region.entry.key()) == region.entry;
        if (!known || length == 0 || (access & ~(WINDOW_ACCESS | Access.OPTIONAL_RANGE)) != 0
                || window.type == SoftMw.TYPE_2 && window.boundTo != null) {
            return false;
        }
        KeyEntry whole = region.entry;
        boolean writes = (access & NEEDS_LOCAL_WRITE) != 0;
        int needed = Access.MW_BIND | (writes ? Access.LOCAL_WRITE : 0);
        return whole.grants(window.domain, needed, KeyEntry.ANY_QP) && length > 0 && whole.contains(address, length);
    }

    /**
     * Invalidates a type 2 window by its key.
     *
     * @param key the key
     * @param user the protection domain of the queue pair that invalidates
     * @param qpNumber the QPN of the queue pair that invalidates, which must be the one that bound the window
     * @return false, with nothing changed, if the key does not belong to a type 2 window that this queue pair has bound
     */
    public synchronized boolean invalidate(int key, SoftPd user, int qpNumber) {
        SoftMw window = windows.get(key >>> Byte.SIZE);
        if (window == null || window.type != SoftMw.TYPE_2 || window.boundTo == null || window.entry.key() != key
                || !window.entry.grants(user, 0, qpNumber)) {
            return false;
        }
        install(window, KeyEntry.unbound(key));
        return true;
    }

    /**
     * Invalidates all type 2 windows that a queue pair has bound.
     *
     * @param qpNumber the QPN of the queue pair
     */
    public synchronized void invalidateAll(int qpNumber) {
        Set<SoftMw> bound = boundBy.get(qpNumber);
        while (bound != null && !bound.isEmpty()) {
            SoftMw window = bound.iterator().next();
            install(window, KeyEntry.unbound(window.entry.key()));
            bound.remove(window);
        }
        boundBy.remove(qpNumber);
    }

    /**
     * Replaces the entry of a window and ends the window's former binding. After an Error the former entry is revoked,
     * and the binding can be ended again.
     */
    private void install(SoftMw window, KeyEntry entry) {
        assert Thread.holdsLock(this);
        KeyEntry former = window.entry;
        // first, because the region must know all users of the former entry: from here on there are no new ones
        former.revoke();
        endBinding(window, former);
        window.entry = entry;
        table.replace(entry.number(), entry);
    }

    /**
     * Ends the binding of a window. From here on, the end of the region's registration waits for the users of the
     * window's former entry.
     */
    private void endBinding(SoftMw window, KeyEntry former) {
        assert Thread.holdsLock(this);
        SoftMr region = window.boundTo;
        if (region != null) {
            // may throw for lack of memory, so nothing may have changed before
            region.entry.inheritUsers(former);
            region.boundWindows--;
            window.boundTo = null;
            removeFromQueuePair(window, former.qpNumber());
        }
    }

    private void removeFromQueuePair(SoftMw window, int qpNumber) {
        Set<SoftMw> bound = boundBy.get(qpNumber);
        if (bound != null && bound.remove(window) && bound.isEmpty()) {
            boundBy.remove(qpNumber);
        }
    }

    private void remove(KeyEntry entry) {
        entry.revoke();
        release(entry);
    }

    /** Removes an entry from the table, so that its number can be used again; returns whether it was there. */
    private boolean release(KeyEntry entry) {
        assert Thread.holdsLock(this);
        // first, because it can be repeated
        numbers.freed(entry.number());
        return table.remove(entry);
    }
}
