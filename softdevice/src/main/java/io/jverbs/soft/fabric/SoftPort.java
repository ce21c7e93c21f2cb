package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.PacketAddresses;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.protocol.Traffic;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.Bth;
import io.jverbs.soft.wire.DropReason;
import io.jverbs.soft.wire.PacketView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/**
 * The only port of a device: link state, GID table, P_Key table, MTU, counters, and the device's queue pairs. Reads
 * take no lock, except those of the traffic counters.
 */
public final class SoftPort implements Port {
    /** The port number. */
    public static final int NUMBER = 1;
    /** The length of the GID table. */
    public static final int GIDS = 16;
    /** The length of the P_Key table. */
    public static final int PKEYS = 128;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final String device;
    private final LocalNetwork network;
    private final DirectTable<SoftQp> queuePairs;
    private final GidTable gids = new GidTable(GIDS);
    private final AtomicIntegerArray pkeys = new AtomicIntegerArray(PKEYS);
    private final LongAdder[] counters = Stream.generate(LongAdder::new).limit(Counter.values().length)
            .toArray(LongAdder[]::new);
    private volatile boolean up = true;
    /** No GID was removed yet: the GIDs of all queue pairs are in the table. */
    private volatile boolean gidsComplete = true;
    private volatile Mtu mtu = Mtu.MTU_4096;
    private volatile Tap tap;
    /** Is called with the tap, or null, when it changes. */
    private volatile Consumer<Tap> tapFollower = changed -> {};
    private final DeviceTraffic traffic;
    /** Receives packets to QP1, null for none. */
    private volatile ManagementReceiver management;
    /** The filters for packets that arrive, null for none. */
    private volatile LossFilters losses;

    /**
     * Creates a port whose link is up, with the default P_Key at index 0.
     *
     * @param device the name of the device
     * @param network the network that the port is on
     * @param queuePairs the queue pairs of the device
     */
    public SoftPort(String device, LocalNetwork network, DirectTable<SoftQp> queuePairs) {
        this.device = device;
        this.network = network;
        this.queuePairs = queuePairs;
        this.traffic = new DeviceTraffic(queuePairs);
        pkeys.set(0, DEFAULT_PKEY);
    }

    SoftQp queuePair(int qpn) {
        SoftQp qp = queuePairs.inSlotOf(qpn);
        return qp != null && qp.number() == qpn && LocalNetwork.exists(qp) ? qp : null;
    }

    /**
     * Returns the queue pair that receives a message from within the JVM; null if the message is lost. While there are
     * filters, callers must look up the queue pair for each message, so that each is filtered.
     */
    SoftQp deliveryTarget(int qpn) {
        if (losses != null) {
            network.changed();
        }
        if (!admits(qpn)) {
            return null;
        }
        SoftQp qp = queuePair(qpn);
        if (qp == null) {
            count(Counter.UNKNOWN_QUEUE_PAIR);
        }
        return qp;
    }

    @Override
    public boolean admits(int qpn) {
        if (!up) {
            count(Counter.PORT_DOWN);
            return false;
        }
        LossFilters filters = losses;
        if (filters != null && filters.isLost(qpn)) {
            count(Counter.LOST);
            return false;
        }
        return true;
    }

    /**
     * Adds a filter for packets that arrive.
     *
     * @param filter decides, by the number of the destination queue pair, whether a packet is lost
     */
    public synchronized void addLoss(IntPredicate filter) {
        losses = LossFilters.with(losses, filter);
        network.changed();
    }

    /**
     * Removes a filter.
     *
     * @param filter the filter that was added
     */
    public synchronized void removeLoss(IntPredicate filter) {
        losses = LossFilters.without(losses, filter);
    }

    /** Counts a packet that was dropped because it is malformed or damaged. */
    public void dropped(DropReason reason) {
        count(reason == DropReason.ICRC ? Counter.BAD_ICRC : Counter.MALFORMED);
    }

    /**
     * Passes a packet to its destination queue pair. A packet to an address that was removed from the port is dropped.
     *
     * @param packet the packet
     * @param addresses the source and the destination
     */
    public void receive(PacketView packet, PacketAddresses addresses) {
        if (admits(packet.destinationQpn())) {
            SoftQp qp = queuePair(packet.destinationQpn());
            if (!has(addresses.destinationHigh(), addresses.destinationLow())) {
                count(Counter.WRONG_ADDRESS);
            } else if (qp != null) {
                qp.receive(packet, addresses);
            } else if (packet.destinationQpn() == ManagementReceiver.QPN && management != null) {
                management.receive(packet, addresses);
            } else {
                count(Counter.UNKNOWN_QUEUE_PAIR);
            }
        }
    }

    /**
     * Passes a multicast packet to the queue pairs of this port that are attached to its group. Packets from ports of
     * this JVM are dropped, as the queue pairs receive them within the JVM.
     *
     * @param packet the packet
     * @param source the sender's address
     * @param group the group
     * @param addresses the source and the destination
     */
    public void receiveOfGroup(PacketView packet, Gid source, Gid group, PacketAddresses addresses) {
        if (network.isLocal(source.high(), source.low())) {
            count(Counter.OWN_MULTICAST);
            return;
        }
        receiveOfGroup(packet, group, addresses);
    }

    /**
     * Passes a multicast packet to the queue pairs of this port that are attached to its group. A packet whose
     * destination is a single queue pair is dropped: multicast reaches only members of the group.
     *
     * @param packet the packet
     * @param group the group
     * @param addresses the source and the destination
     */
    public void receiveOfGroup(PacketView packet, Gid group, PacketAddresses addresses) {
        if (!up) {
            count(Counter.PORT_DOWN);
            return;
        }
        boolean delivered = false;
        boolean toAll = packet.destinationQpn() == Bth.MULTICAST_QPN;
        for (SoftQp member : network.members(group.high(), group.low())) {
            if (toAll && owns(member)) {
                delivered = true;
                if (admits(member.number()) && !network.dropsOwn(member, this, packet.sourceQpn(), addresses)) {
                    member.receive(packet, addresses);
                }
            }
        }
        if (!delivered) {
            count(Counter.UNKNOWN_QUEUE_PAIR);
        }
    }

    /** Sets what receives the packets to QP1. */
    public void management(ManagementReceiver receiver) {
        management = receiver;
    }

    /** {@return what receives the packets to QP1; null for nothing} */
    public ManagementReceiver management() {
        return management;
    }

    private boolean owns(SoftQp qp) {
        return queuePair(qp.number()) == qp;
    }

    /**
     * {@return whether a queue pair of this port is attached to a multicast group}
     *
     * @param group the group
     */
    public boolean isIn(Gid group) {
        for (SoftQp member : network.members(group.high(), group.low())) {
            if (owns(member)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public String device() {
        return device;
    }

    @Override
    public boolean isUp() {
        return up;
    }

    @Override
    public boolean sends(long gidHigh, long gidLow) {
        return up && has(gidHigh, gidLow);
    }

    /** {@return whether a GID that was in the table still is} */
    public boolean has(long gidHigh, long gidLow) {
        return gidsComplete || network.isAt(gidHigh, gidLow, this);
    }

    /**
     * Sets the link state: plugs or pulls the cable.
     *
     * @param nowUp whether the link is up
     * @return whether the state has changed
     */
    public synchronized boolean up(boolean nowUp) {
        boolean isNew = up != nowUp;
        up = nowUp;
        if (isNew && !nowUp) {
            count(Counter.LINK_DOWNED);
        }
        network.changed();
        return isNew;
    }

    @Override
    public Tap tap() {
        return tap;
    }

    /**
     * Sets the tap for packets from now on.
     *
     * @param changed the tap, or null for none
     */
    public void tap(Tap changed) {
        tap = changed;
        // connections within the JVM have cached that there is no tap
        network.changed();
        tapFollower.accept(changed);
    }

    /**
     * Sets what follows the tap: it is called when the tap changes, and there is no tap before.
     *
     * @param follower gets the tap, or null for none
     */
    public void onTap(Consumer<Tap> follower) {
        tapFollower = follower;
    }

    @Override
    public int pkey(int index) {
        return pkeys.getOpaque(index);
    }

    /**
     * Sets an entry of the P_Key table.
     *
     * @param index the index of the entry
     * @param pkey the P_Key, 16 bits; 0 clears the entry
     */
    public void pkey(int index, int pkey) {
        pkeys.set(index, pkey);
        // connections have cached that their P_Keys match
        network.changed();
    }

    @Override
    public int mtu() {
        return mtu.bytes();
    }

    /** {@return the active MTU} */
    public Mtu activeMtu() {
        return mtu;
    }

    /**
     * Sets the active MTU.
     *
     * @param changed the MTU
     */
    public void activeMtu(Mtu changed) {
        mtu = changed;
    }

    /**
     * {@return an entry of the GID table, null if it is empty}
     *
     * @param index the index of the entry
     */
    public Gid gid(int index) {
        return gids.get(index);
    }

    /**
     * {@return an entry of the GID table, null if it is empty} Its index is not given to another GID before {@link
     * #releaseGid} is called.
     *
     * @param index the index of the entry
     */
    public Gid useGid(int index) {
        return gids.use(index);
    }

    /**
     * Ends the use of a GID by an address handle or a queue pair.
     *
     * @param gid the GID that {@link #useGid} returned
     */
    public void releaseGid(Gid gid) {
        gids.release(gid);
    }

    /**
     * Adds a GID: at the index that it had if that is still used, otherwise at the first free one.
     *
     * @param gid the GID
     * @return its index
     * @throws VerbsException with EINVAL if the GID is the unspecified or the broadcast address, multicast, or in use
     *     on the network, with ENOSPC if the table is full
     */
    public synchronized int addGid(Gid gid) {
        int index = gids.indexFor(gid);
        if (!network.bind(gid, this)) {
            throw new VerbsException("add_gid", Errno.EINVAL, "GID " + gid + " is in use on this network already");
        }
        try {
            gids.set(index, gid);
        } catch (Error e) {
            network.unbind(gid, this);
            throw e;
        }
        return index;
    }

    /**
     * Clears an entry of the GID table. What uses the GID keeps it, and neither sends nor receives until the GID is in
     * the table again.
     *
     * @param index the index of the entry
     * @throws VerbsException with ENODATA if the entry is empty
     */
    public synchronized void removeGid(int index) {
        Gid gid = gids.remove(index);
        gidsComplete = false;
        network.unbind(gid, this);
    }

    /** Takes the link down and removes the port from the network. */
    public synchronized void remove() {
        up(false);
        gidTable().forEach(entry -> network.unbind(entry.gid(), this));
    }

    /** {@return the entries of the GID table that are not empty} */
    public List<GidEntry> gidTable() {
        return gids.list(NUMBER);
    }

    @Override
    public void count(Counter counter) {
        counters[counter.ordinal()].increment();
    }

    /**
     * {@return the value of a counter}
     *
     * @param counter the counter
     */
    public long counted(Counter counter) {
        return counters[counter.ordinal()].sum();
    }

    /**
     * Removes a queue pair from the device's table, and keeps its traffic counters.
     *
     * @param qp the queue pair, which no longer sends or receives
     */
    public void retire(SoftQp qp) {
        traffic.retire(qp);
    }

    /** {@return the traffic of all queue pairs, QP1 and destroyed ones included} Takes their locks, one at a time. */
    public Traffic traffic() {
        ManagementReceiver present = management;
        return present == null ? traffic.sum() : traffic.sum().plus(present.traffic());
    }

    /** {@return all counters by name} */
    public Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>(CounterNames.of(traffic()));
        for (Counter counter : Counter.values()) {
            all.put(counter.label(), counted(counter));
        }
        if (management != null) {
            all.putAll(management.counters());
        }
        return all;
    }
}
