package io.jverbs.soft.transport;

import io.jverbs.Gid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The network within the JVM, with the queue pairs that a test adds. */
public final class LocalQueuePairs implements LocalPeers {
    private static final SoftQp[] NO_MEMBERS = {};

    private final Map<Integer, SoftQp> byNumber = new HashMap<>();
    private final Map<Gid, SoftQp[]> groups = new HashMap<>();
    private final Set<Gid> gids = new HashSet<>();
    private int generation;

    /** Adds a port with a GID. */
    public void addPort(Gid gid) {
        gids.add(gid);
        generation++;
    }

    /** Adds a queue pair, which is found with each GID of this network. */
    public void add(SoftQp qp) {
        byNumber.put(qp.number(), qp);
        generation++;
    }

    /** Removes a queue pair. */
    public void remove(SoftQp qp) {
        byNumber.remove(qp.number());
        generation++;
    }

    /** Makes requesters look up their peers again. */
    public void changed() {
        generation++;
    }

    /** Sets the members of a multicast group. */
    public void group(Gid group, SoftQp... members) {
        groups.put(group, members);
        generation++;
    }

    @Override
    public int generation() {
        return generation;
    }

    @Override
    public SoftQp find(long gidHigh, long gidLow, int qpn) {
        return isLocal(gidHigh, gidLow) ? byNumber.get(qpn) : null;
    }

    @Override
    public boolean isLocal(long gidHigh, long gidLow) {
        return gids.contains(Gid.of(gidHigh, gidLow));
    }

    @Override
    public SoftQp[] members(long gidHigh, long gidLow) {
        return groups.getOrDefault(Gid.of(gidHigh, gidLow), NO_MEMBERS);
    }
}
