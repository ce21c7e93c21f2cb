package io.jverbs.soft.memory;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * All regions and windows of a device by key. A key's upper 24 bits are drawn at random, so nobody guesses one, and find its
 * entry by one array read.
 *
 * <p>
 * No reference is counted on the fast path. Who accesses memory looks the key up after taking its queue pair's lock and stays
 * within the lock; who ends a registration takes the entry out, revokes it for those who know it ({@link KnownKey}), and then
 * waits until every such lock that was held has been released once ({@link Domain#awaitUsers}). As taking the lock, the lookup
 * and the removal are sequentially consistent, either the lookup misses the entry or the wait sees the lock.
 */
public final class Regions {
    private static final int KNOWN_ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC
            | Access.MW_BIND | Access.ZERO_BASED | Access.ON_DEMAND | Access.HUGETLB;
    private static final int NEEDS_LOCAL_WRITE = Access.REMOTE_WRITE | Access.REMOTE_ATOMIC;
    private static final int WINDOW_ACCESS = Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC
            | Access.ZERO_BASED;

    private final DirectTable<KeyEntry> table = new DirectTable<>();
    private final Map<Integer, Window> windows = new HashMap<>();
    private final KeyNumbers numbers;
    private final int maxRegions;
    private final int maxWindows;
    private int regionCount;

    /**
     * @param numbers draws keys
     * @param maxRegions how many regions there may be
     * @param maxWindows how many windows there may be
     */
    public Regions(KeyNumbers numbers, int maxRegions, int maxWindows) {
        this.numbers = numbers;
        this.maxRegions = maxRegions;
        this.maxWindows = maxWindows;
    }

    /**
     * {@return what a key stands for, or null}
     *
     * @param key the key
     */
    public KeyEntry find(int key) {
        KeyEntry entry = table.inSlotOf(key >>> Byte.SIZE);
        return entry != null && entry.key() == key ? entry : null;
    }

    /**
     * Registers memory.
     *
     * @param domain the protection domain
     * @param segment the memory
     * @param access bits of {@link Access}
     * @param iova the address of its first byte
     * @return the region
     */
    public synchronized Region register(Domain domain, MemorySegment segment, int access, long iova) {
        checkAccess("reg_mr", access);
        checkRange("reg_mr", iova, segment.byteSize());
        if (regionCount == maxRegions) {
            throw new VerbsException("reg_mr", Errno.ENOMEM,
                    "the device has all of its " + maxRegions + " regions in use");
        }
        KeyEntry entry = table.add(numbers::next,
                number -> KeyEntry.region(numbers.key(number), domain, access, iova, segment));
        if (entry == null) {
            throw new VerbsException("reg_mr", Errno.ENOMEM, "no free key");
        }
        regionCount++;
        return new Region(entry);
    }

    /** {@return how many regions there are} */
    public synchronized int size() {
        return regionCount;
    }

    private static void checkAccess(String operation, int access) {
        int unknown = access & ~(KNOWN_ACCESS | Access.OPTIONAL_RANGE);
        if (unknown != 0) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "access " + Access.toString(access) + " has unknown bits 0x"
                            + Integer.toHexString(unknown) + "; known are " + Access.toString(KNOWN_ACCESS));
        }
        if ((access & NEEDS_LOCAL_WRITE) != 0 && (access & Access.LOCAL_WRITE) == 0) {
            throw new VerbsException(operation, Errno.EINVAL, "access " + Access.toString(access)
                    + " lets peers write but lacks LOCAL_WRITE: add it");
        }
    }

    private static void checkRange(String operation, long iova, long length) {
        if (length > 0 && Long.compareUnsigned(iova + length - 1, iova) < 0) {
            throw new VerbsException(operation, Errno.EINVAL,
                    "iova 0x" + Long.toHexString(iova) + " plus length " + length
                            + " is beyond 2^64");
        }
    }

    /**
     * Changes a region; nothing changes if it cannot be.
     *
     * @param region the region
     * @param domain the new protection domain
     * @param segment the new memory
     * @param access the new access bits
     * @param iova the new address
     */
    public void reregister(Region region, Domain domain, MemorySegment segment, int access, long iova) {
        KeyEntry former;
        synchronized (this) {
            checkAccess("rereg_mr", access);
            checkRange("rereg_mr", iova, segment.byteSize());
            checkUnbound("rereg_mr", region);
            if (find(region.entry.key()) != region.entry) {
                throw new VerbsException("rereg_mr", Errno.EINVAL, "the region is closed");
            }
            former = region.entry;
            KeyEntry changed = KeyEntry.region(former.key(), domain, access, iova, segment);
            region.entry = changed;
            table.replace(changed.number(), changed);
            former.revoke();
        }
        former.domain().awaitUsers();
        former.forgetMemory();
    }

    private static void checkUnbound(String operation, Region region) {
        if (region.boundWindows > 0) {
            throw new VerbsException(operation, Errno.EBUSY, region.boundWindows
                    + " memory windows are bound to the region: unbind, invalidate or close them first");
        }
    }

    /**
     * Ends a registration. No access happens once this returns.
     *
     * @param region the region
     */
    public void deregister(Region region) {
        synchronized (this) {
            checkUnbound("dereg_mr", region);
            remove(region.entry);
            regionCount--;
        }
        region.entry.domain().awaitUsers();
        region.entry.forgetMemory();
    }

    /**
     * Allocates a window, bound to nothing.
     *
     * @param domain the protection domain
     * @param type {@link Window#TYPE_1} or {@link Window#TYPE_2}
     * @return the window
     */
    public synchronized Window allocateWindow(Domain domain, int type) {
        if (type != Window.TYPE_1 && type != Window.TYPE_2) {
            throw VerbsException.outOfRange("alloc_mw", "type", type, Window.TYPE_1, Window.TYPE_2);
        }
        if (windows.size() == maxWindows) {
            throw new VerbsException("alloc_mw", Errno.ENOMEM,
                    "the device has all of its " + maxWindows + " windows in use");
        }
        KeyEntry entry = table.add(numbers::next, number -> KeyEntry.unbound(numbers.key(number)));
        if (entry == null) {
            throw new VerbsException("alloc_mw", Errno.ENOMEM, "no free key");
        }
        Window window = new Window(domain, type, entry);
        windows.put(entry.number(), window);
        return window;
    }

    /**
     * Gives a window back; what it was bound to becomes inaccessible through it.
     *
     * @param window the window
     */
    public void deallocateWindow(Window window) {
        synchronized (this) {
            release(window);
            windows.remove(window.entry.number());
            remove(window.entry);
        }
        window.domain.awaitUsers();
    }

    /**
     * Binds a window, or unbinds one of type 1 with a length of 0.
     *
     * @param window the window
     * @param key its new key
     * @param region the region, may be null for a length of 0
     * @param address where the window starts, in the region's addresses
     * @param length the window's length
     * @param access bits of {@link Access}
     * @param user the protection domain of the queue pair that binds
     * @param qpNumber the queue pair that binds
     * @return false, with nothing changed, if the rules for windows forbid it
     */
    public boolean bind(Window window, int key, Region region, long address, long length, int access, Domain user,
            int qpNumber) {
        boolean bound = change(window, key, region, address, length, access, user, qpNumber);
        if (bound) {
            // a former binding is unused from here on
            user.awaitResponders();
        }
        return bound;
    }

    private synchronized boolean change(Window window, int key, Region region, long address, long length, int access,
            Domain user, int qpNumber) {
        boolean unbind = length == 0 && window.type == Window.TYPE_1;
        if (!isCurrent(window) || window.domain != user || key >>> Byte.SIZE != window.entry.number()
                || !unbind && !bindable(window, region, address, length, access)) {
            return false;
        }
        release(window);
        KeyEntry entry = KeyEntry.unbound(key);
        if (!unbind) {
            entry = KeyEntry.window(key, region.entry, access, address, length,
                    window.type == Window.TYPE_2 ? qpNumber : KeyEntry.ANY_QP);
            window.boundTo = region;
            region.boundWindows++;
        }
        install(window, entry);
        if (window.type == Window.TYPE_2) {
            window.shownKey = key;
        }
        return true;
    }

    private boolean isCurrent(Window window) {
        return windows.get(window.entry.number()) == window;
    }

    private boolean bindable(Window window, Region region, long address, long length, int access) {
        boolean known = region != null && find(region.entry.key()) == region.entry;
        if (!known || length == 0 || (access & ~(WINDOW_ACCESS | Access.OPTIONAL_RANGE)) != 0
                || window.type == Window.TYPE_2 && window.boundTo != null) {
            return false;
        }
        KeyEntry whole = region.entry;
        boolean writes = (access & NEEDS_LOCAL_WRITE) != 0;
        int needed = Access.MW_BIND | (writes ? Access.LOCAL_WRITE : 0);
        return whole.allows(window.domain, needed, KeyEntry.ANY_QP) && length > 0 && whole.contains(address, length);
    }

    /**
     * Invalidates a type 2 window by its key.
     *
     * @param key the key
     * @param user the protection domain of the queue pair
     * @param qpNumber the queue pair that invalidates, which must be the one that bound it
     * @return false, with nothing changed, if the key is not that of such a window
     */
    public synchronized boolean invalidate(int key, Domain user, int qpNumber) {
        Window window = windows.get(key >>> Byte.SIZE);
        if (window == null || window.type != Window.TYPE_2 || window.boundTo == null || window.entry.key() != key
                || !window.entry.allows(user, 0, qpNumber)) {
            return false;
        }
        release(window);
        install(window, KeyEntry.unbound(key));
        return true;
    }

    /**
     * Invalidates all type 2 windows that a queue pair bound.
     *
     * @param qpNumber the queue pair
     */
    public synchronized void invalidateAll(int qpNumber) {
        for (Window window : windows.values()) {
            if (window.type == Window.TYPE_2 && window.boundTo != null
                    && !window.entry.allows(window.domain, 0, KeyEntry.ANY_QP)
                    && window.entry.allows(window.domain, 0, qpNumber)) {
                release(window);
                install(window, KeyEntry.unbound(window.entry.key()));
            }
        }
    }

    private void release(Window window) {
        if (window.boundTo != null) {
            window.boundTo.boundWindows--;
            window.boundTo = null;
        }
    }

    private void install(Window window, KeyEntry entry) {
        KeyEntry former = window.entry;
        window.entry = entry;
        table.replace(entry.number(), entry);
        former.revoke();
    }

    private void remove(KeyEntry entry) {
        table.remove(entry.number());
        entry.revoke();
        numbers.freed(entry.number());
    }

    /** {@return how many regions there are} */
    public synchronized int regionCount() {
        return regionCount;
    }
}
