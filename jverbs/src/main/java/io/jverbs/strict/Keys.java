package io.jverbs.strict;

import java.util.LinkedHashMap;
import java.util.Map;

/** The keys of a context: what memory is registered, and which remote keys are of nothing any more. */
final class Keys {
    /** How many keys of nothing are known: the last ones. */
    private static final int MAX_DEAD = 10_000;

    private final Map<Integer, Region> byLkey = new LinkedHashMap<>();
    private final Map<Integer, Integer> liveRkeys = new LinkedHashMap<>();
    private final Map<Integer, String> dead = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, String> eldest) {
            return size() > MAX_DEAD;
        }
    };

    synchronized void registered(int lkey, int rkey, Region region) {
        byLkey.put(lkey, region);
        opened(rkey);
    }

    /** A remote key is good, of a region or a window. */
    synchronized void opened(int rkey) {
        liveRkeys.merge(rkey, 1, Integer::sum);
        dead.remove(rkey);
    }

    /** A region goes; other memory may have its keys already. */
    synchronized void deregistered(int lkey, int rkey, Region region, String how) {
        byLkey.remove(lkey, region);
        closed(rkey, how);
    }

    /** A remote key is good no more. */
    synchronized void closed(int rkey, String how) {
        if (liveRkeys.merge(rkey, -1, Integer::sum) <= 0) {
            liveRkeys.remove(rkey);
            dead.put(rkey, how);
        }
    }

    /** Registered memory by its local key, null if there is none. */
    synchronized Region region(int lkey) {
        return byLkey.get(lkey);
    }

    /** How a remote key came to be of nothing; null if it is good, or was never one. */
    synchronized String end(int rkey) {
        return dead.get(rkey);
    }
}
