package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.queue.Deferral;
import io.jverbs.soft.transport.Network;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.State;
import io.jverbs.soft.transport.Timers;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The network within a JVM: which port has which GID, which queue pairs are in which multicast group. Lookups take no lock;
 * changes do, and count the generation up.
 */
public final class LocalNetwork implements Network {
    private static final SoftQp[] NOBODY = {};

    private final GidMap<SoftPort> ports = new GidMap<>();
    private final GidMap<SoftQp[]> groups = new GidMap<>();
    private final Map<SoftQp, Integer> memberships = new HashMap<>();
    private final Deferral.Agenda agenda = new Deferral.Agenda();
    private final Timers timers;
    private volatile int generation;
    private int groupCount;

    /**
     * @param timers the clock of everything on this network
     */
    public LocalNetwork(Timers timers) {
        this.timers = timers;
    }

    /** {@return where deferred work on this network is listed} */
    public Deferral.Agenda agenda() {
        return agenda;
    }

    /** {@return the clock} */
    public Timers timers() {
        return timers;
    }

    @Override
    public int generation() {
        return generation;
    }

    /** Makes queue pairs look their peers up again. */
    synchronized void changed() {
        generation++;
    }

    /** Gives a GID to a port; false if another has it. */
    synchronized boolean bind(Gid gid, SoftPort port) {
        if (ports.get(gid.high(), gid.low()) != null) {
            return false;
        }
        ports.put(gid.high(), gid.low(), port);
        generation++;
        return true;
    }

    synchronized void unbind(Gid gid, SoftPort port) {
        if (ports.get(gid.high(), gid.low()) == port) {
            ports.put(gid.high(), gid.low(), null);
            generation++;
        }
    }

    /**
     * {@return the port that has a GID, or null}
     *
     * @param gid the GID
     */
    public SoftPort port(Gid gid) {
        return ports.get(gid.high(), gid.low());
    }

    @Override
    public SoftQp find(long gidHigh, long gidLow, int qpn) {
        SoftPort port = ports.get(gidHigh, gidLow);
        return port == null ? null : port.arrival(qpn);
    }

    @Override
    public boolean isLocal(long gidHigh, long gidLow) {
        return ports.get(gidHigh, gidLow) != null;
    }

    @Override
    public SoftQp[] members(long gidHigh, long gidLow) {
        SoftQp[] members = groups.get(gidHigh, gidLow);
        return members == null ? NOBODY : members;
    }

    /**
     * Attaches a queue pair to a group; once is enough.
     *
     * @param qp the queue pair
     * @param group the group
     * @param maxGroups how many groups there may be
     * @param maxMembers how many members a group may have
     * @return whether it was not attached before
     */
    public synchronized boolean attach(SoftQp qp, Gid group, int maxGroups, int maxMembers) {
        if (qp.state() == State.GONE) {
            throw new VerbsException("attach_mcast", Errno.EINVAL, "the queue pair is destroyed");
        }
        SoftQp[] members = members(group.high(), group.low());
        if (Arrays.asList(members).contains(qp)) {
            return false;
        }
        if (members.length == maxMembers) {
            throw new VerbsException("attach_mcast", Errno.ENOMEM,
                    "group " + group + " has all of its " + maxMembers + " members");
        }
        if (members.length == 0) {
            if (groupCount == maxGroups) {
                throw new VerbsException("attach_mcast", Errno.ENOMEM,
                        "all " + maxGroups + " multicast groups are in use");
            }
            groupCount++;
        }
        SoftQp[] more = Arrays.copyOf(members, members.length + 1);
        more[members.length] = qp;
        memberships.merge(qp, 1, Integer::sum);
        groups.put(group.high(), group.low(), more);
        return true;
    }

    /**
     * Detaches a queue pair from a group.
     *
     * @param qp the queue pair
     * @param group the group
     */
    public synchronized void detach(SoftQp qp, Gid group) {
        SoftQp[] members = members(group.high(), group.low());
        SoftQp[] fewer = Arrays.stream(members).filter(member -> member != qp).toArray(SoftQp[]::new);
        if (fewer.length == members.length) {
            throw new VerbsException("detach_mcast", Errno.EINVAL, "the queue pair is not attached to group " + group);
        }
        memberships.computeIfPresent(qp, (member, count) -> count == 1 ? null : count - 1);
        if (fewer.length == 0) {
            groupCount--;
        }
        groups.put(group.high(), group.low(), fewer.length == 0 ? null : fewer);
    }

    /**
     * Ends a queue pair that is in no group, and lets none take it in meanwhile.
     *
     * @param qp the queue pair
     * @param end ends it
     */
    public synchronized void retire(SoftQp qp, Runnable end) {
        if (memberships.containsKey(qp)) {
            throw new VerbsException("destroy_qp", Errno.EBUSY,
                    "the queue pair is attached to a multicast group: detach it first");
        }
        end.run();
    }

    /**
     * {@return whether a queue pair can be the end of traffic}
     *
     * @param qp the queue pair, may be null
     */
    static boolean exists(SoftQp qp) {
        return qp != null && qp.state() != State.GONE;
    }
}
