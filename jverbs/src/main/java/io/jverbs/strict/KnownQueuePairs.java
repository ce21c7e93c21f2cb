package io.jverbs.strict;

import io.jverbs.Gid;
import io.jverbs.GidEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The queue pairs of all contexts with strict mode in this JVM: what one side cannot know it may learn from the other. */
final class KnownQueuePairs {
    private static final Map<Name, List<StrictQp>> BY_NAME = new ConcurrentHashMap<>();

    /** Simulated networks have the same numbers and GIDs; they are told apart as objects. */
    private record Name(Object network, int number) {}

    private KnownQueuePairs() {}

    static void add(StrictQp qp) {
        BY_NAME.computeIfAbsent(name(qp), name -> new CopyOnWriteArrayList<>()).add(qp);
    }

    static void remove(StrictQp qp) {
        BY_NAME.computeIfPresent(name(qp), (name, all) -> {
            all.remove(qp);
            return all.isEmpty() ? null : all;
        });
    }

    private static Name name(StrictQp qp) {
        return new Name(qp.context().network(), qp.number());
    }

    /** The queue pairs of a number in a network, whatever their ports. */
    static List<StrictQp> numbered(Object network, int number) {
        return BY_NAME.getOrDefault(new Name(network, number), List.of());
    }

    /** The queue pair of a number behind a port with a GID; null if none is known. */
    static StrictQp find(Object network, Gid gid, int number) {
        if (gid != null) {
            for (StrictQp qp : numbered(network, number)) {
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
