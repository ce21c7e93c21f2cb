package io.jverbs.strict;

import io.jverbs.Gid;
import io.jverbs.GidEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The queue pairs of all contexts with strict mode in this JVM: what one side cannot know it may learn from the other. */
final class KnownQueuePairs {
    private static final Map<Integer, List<StrictQp>> BY_NUMBER = new ConcurrentHashMap<>();

    private KnownQueuePairs() {}

    static void add(StrictQp qp) {
        BY_NUMBER.computeIfAbsent(qp.number(), number -> new CopyOnWriteArrayList<>()).add(qp);
    }

    static void remove(StrictQp qp) {
        BY_NUMBER.computeIfPresent(qp.number(), (number, all) -> {
            all.remove(qp);
            return all.isEmpty() ? null : all;
        });
    }

    /** The queue pair of a number behind a port with a GID; null if none is known. */
    static StrictQp find(Gid gid, int number) {
        List<StrictQp> candidates = BY_NUMBER.get(number);
        if (candidates != null && gid != null) {
            for (StrictQp qp : candidates) {
                if (!qp.isGone() && hasGid(qp, gid)) {
                    return qp;
                }
            }
        }
        return null;
    }

    private static boolean hasGid(StrictQp qp, Gid gid) {
        try {
            for (GidEntry entry : qp.context().queryGidTable()) {
                if (entry.port() == qp.view().port() && entry.gid().equals(gid)) {
                    return true;
                }
            }
            return false;
        } catch (RuntimeException e) {
            // the device is gone
            return false;
        }
    }
}
