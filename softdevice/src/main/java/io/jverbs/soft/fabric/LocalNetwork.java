package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.QpStateCode;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.transport.LocalPeers;
import io.jverbs.soft.transport.SoftQp;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network within a JVM: it maps GIDs to ports, and multicast groups to queue pairs. Lookups take no lock. Changes
 * of ports are synchronized and increment the generation. Changes of groups exclude each other by a lock and not by the
 * monitor: a queue pair that is destroyed meanwhile waits for spin locks, and a virtual thread that waits in a monitor
 * is pinned on a JDK before 24.
 */
public final class LocalNetwork implements LocalPeers {
    private static final SoftQp[] NO_QUEUE_PAIRS = {};

    private final GidMap<SoftPort> ports = new GidMap<>();
    private final GidMap<SoftQp[]> groups = new GidMap<>();
    private final DeferredWork.DeferredQueue deferredQueue = new DeferredWork.DeferredQueue();
    private final Timers timers;
    private volatile int generation;
    /** Guards the groups. */
    private final ReentrantLock membership = new ReentrantLock();
    private int groupCount;

    /**
     * Creates a network without ports.
     *
     * @param timers the clock of everything on this network
     */
    public LocalNetwork(Timers timers) {
        this.timers = timers;
    }

    /** {@return the queue of deferred work on this network} */
    public DeferredWork.DeferredQueue deferredQueue() {
        return deferredQueue;
    }

    /** {@return the clock} */
    public Timers timers() {
        return timers;
    }

    @Override
    public int generation() {
        return generation;
    }

    /** Increments the generation, so that queue pairs look up their peers again. */
    synchronized void changed() {
        generation++;
    }

    /** Assigns a GID to a port; returns false if another port has it. */
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

    /** Returns whether a port has a GID. */
    boolean isAt(long gidHigh, long gidLow, SoftPort port) {
        return ports.get(gidHigh, gidLow) == port;
    }

    /** Drops a multicast packet that a queue pair of a port has sent and must not receive; returns whether it did. */
    boolean dropsOwn(SoftQp qp, SoftPort port, int sourceQpn, PacketAddresses addresses) {
        boolean isOwn = qp.parts().blockSelfMulticastLoopback() && sourceQpn == qp.number()
                && isAt(addresses.sourceHigh(), addresses.sourceLow(), port);
        if (isOwn) {
            qp.count(Counter.OWN_MULTICAST);
        }
        return isOwn;
    }

    @Override
    public SoftQp find(long gidHigh, long gidLow, int qpn) {
        SoftPort port = ports.get(gidHigh, gidLow);
        return port == null ? null : port.deliveryTarget(qpn);
    }

    @Override
    public boolean isLocal(long gidHigh, long gidLow) {
        return ports.get(gidHigh, gidLow) != null;
    }

    @Override
    public SoftQp[] members(long gidHigh, long gidLow) {
        SoftQp[] members = groups.get(gidHigh, gidLow);
        return members == null ? NO_QUEUE_PAIRS : members;
    }

    /**
     * Attaches a queue pair to a multicast group. Has no effect if it is attached already.
     *
     * @param qp the queue pair
     * @param group the group
     * @param maxGroups the maximum number of groups
     * @param maxMembers the maximum number of queue pairs in a group
     * @return whether it was not attached before
     * @throws VerbsException with EINVAL if the queue pair is destroyed, with ENOMEM if the group or the network is
     *     full
     */
    public boolean attach(SoftQp qp, Gid group, int maxGroups, int maxMembers) {
        membership.lock();
        try {
            if (qp.state() == QpStateCode.DESTROYED) {
                throw new VerbsException("attach_mcast", Errno.EINVAL, "the queue pair is destroyed");
            }
            SoftQp[] members = members(group.high(), group.low());
            if (Arrays.asList(members).contains(qp)) {
                return false;
            }
            if (members.length == maxMembers) {
                throw new VerbsException("attach_mcast", Errno.ENOMEM,
                        "multicast group " + group + " has the maximum of " + maxMembers + " queue pairs attached");
            }
            if (members.length == 0 && groupCount == maxGroups) {
                throw new VerbsException("attach_mcast", Errno.ENOMEM,
                        "all " + maxGroups + " multicast groups are in use");
            }
            SoftQp[] more = Arrays.copyOf(members, members.length + 1);
            more[members.length] = qp;
            groups.put(group.high(), group.low(), more);
            groupCount += members.length == 0 ? 1 : 0;
            return true;
        } finally {
            membership.unlock();
        }
    }

    /**
     * Detaches a queue pair from a multicast group.
     *
     * @param qp the queue pair
     * @param group the group
     * @throws VerbsException with EINVAL if the queue pair is not attached to the group
     */
    public void detach(SoftQp qp, Gid group) {
        membership.lock();
        try {
            SoftQp[] members = members(group.high(), group.low());
            SoftQp[] fewer = Arrays.stream(members).filter(member -> member != qp).toArray(SoftQp[]::new);
            if (fewer.length == members.length) {
                throw new VerbsException("detach_mcast", Errno.EINVAL,
                        "the queue pair is not attached to multicast group " + group);
            }
            groups.put(group.high(), group.low(), fewer.length == 0 ? null : fewer);
            groupCount -= fewer.length == 0 ? 1 : 0;
        } finally {
            membership.unlock();
        }
    }

    /**
     * Destroys a queue pair that is attached to no multicast group, and keeps it from being attached in the meantime.
     *
     * @param qp the queue pair
     * @param end destroys it
     * @throws VerbsException with EBUSY if the queue pair is attached to a group
     */
    public void retire(SoftQp qp, Runnable end) {
        membership.lock();
        try {
            if (groups.anyMatch(members -> List.of(members).contains(qp))) {
                throw new VerbsException("destroy_qp", Errno.EBUSY,
                        "the queue pair is attached to a multicast group: detach it first");
            }
            end.run();
        } finally {
            membership.unlock();
        }
    }

    /**
     * {@return whether a queue pair can send and receive: it is not destroyed}
     *
     * @param qp the queue pair, may be null
     */
    static boolean exists(SoftQp qp) {
        return qp != null && qp.state() != QpStateCode.DESTROYED;
    }
}
