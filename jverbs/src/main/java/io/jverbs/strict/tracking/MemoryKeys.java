package io.jverbs.strict.tracking;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The keys of a context: the registered region of each lkey, and the latest rkeys that are no longer valid.
 * Thread-safe.
 */
public final class MemoryKeys {
    /** How many invalid rkeys are remembered. The oldest is forgotten first. */
    private static final int MAX_STALE = 10_000;

    private boolean disabled;
    private final Map<Integer, Region> byLkey = new LinkedHashMap<>();
    /** How many regions and windows have each rkey: a key may be reused before its former owner is removed here. */
    private final Map<Integer, Integer> liveRkeys = new LinkedHashMap<>();
    /** Why an rkey is no longer valid. */
    private final Map<Integer, String> staleRkeys = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > MAX_STALE;
        }
    };

    /** Starts without regions. */
    public MemoryKeys() {
        // nothing is registered yet
    }

    /**
     * Records that a region was registered.
     *
     * @param lkey its lkey
     * @param rkey its rkey
     * @param region the region
     */
    public synchronized void registered(int lkey, int rkey, Region region) {
        byLkey.put(lkey, region);
        addRkey(rkey);
    }

    /** Records that a region or a window has the rkey. */
    synchronized void addRkey(int rkey) {
        liveRkeys.merge(rkey, 1, Integer::sum);
        staleRkeys.remove(rkey);
    }

    /**
     * Records that a region was deregistered. Other memory may have its keys already.
     *
     * @param lkey the lkey that it had
     * @param rkey the rkey that it had
     * @param region the region
     * @param how why the rkey is no longer valid, as a clause
     */
    public synchronized void deregistered(int lkey, int rkey, Region region, String how) {
        byLkey.remove(lkey, region);
        removeRkey(rkey, how);
    }

    /** Records that a region or a window no longer has the rkey, and why. */
    synchronized void removeRkey(int rkey, String how) {
        if (liveRkeys.merge(rkey, -1, Integer::sum) <= 0) {
            liveRkeys.remove(rkey);
            staleRkeys.put(rkey, how);
        }
    }

    /** The registered region with an lkey, null if there is none. */
    synchronized Region region(int lkey) {
        return byLkey.get(lkey);
    }

    /**
     * {@return why an rkey is no longer valid, as a clause; null if it is valid or never was}
     *
     * @param rkey the rkey
     */
    public synchronized String staleReason(int rkey) {
        return disabled ? null : staleRkeys.get(rkey);
    }

    /** Stops reporting stale rkeys, because a change could not be recorded. */
    synchronized void disable() {
        disabled = true;
    }
}
