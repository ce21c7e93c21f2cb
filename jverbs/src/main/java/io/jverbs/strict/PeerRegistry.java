package io.jverbs.strict;

import io.jverbs.Gid;
import io.jverbs.GidEntry;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The queue pairs of all contexts with strict mode in this JVM, by network and queue pair number. Checks that concern
 * both ends find the peer of a queue pair here. Thread-safe.
 */
final class PeerRegistry {
    private static final Map<Name, List<StrictQp>> BY_NAME = new ConcurrentHashMap<>();

    /** The network is compared by identity: different simulated networks may have the same numbers and GIDs. */
    private record Name(Object network, int number) {}

    private PeerRegistry() {}

    static void add(StrictQp qp) {
        BY_NAME.computeIfAbsent(name(qp), name -> new CopyOnWriteArrayList<>()).add(qp);
    }

    static void remove(StrictQp qp) {
        BY_NAME.computeIfPresent(name(qp), (name, all) -> {
            all.remove(qp);
            return all.isEmpty() ? null : all;
        });
    }

    /** Removes all queue pairs of a context. */
    static void removeAll(StrictContext context) {
        BY_NAME.values().forEach(all -> all.removeIf(qp -> qp.context() == context));
        BY_NAME.values().removeIf(List::isEmpty);
    }

    private static Name name(StrictQp qp) {
        return new Name(qp.context().network(), qp.number());
    }

    /** The queue pairs with a number in a network, at any port. */
    static List<StrictQp> numbered(Object network, int number) {
        return BY_NAME.getOrDefault(new Name(network, number), List.of());
    }

    /** The queue pair with a number at the port that has a GID; null if none is known. */
    static StrictQp find(Object network, Gid gid, int number) {
        if (gid != null) {
            for (StrictQp qp : numbered(network, number)) {
                if (!qp.isDestroyed() && !qp.context().isDisabled() && hasGid(qp, gid)) {
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
            // the device was removed
            return false;
        }
    }
}
