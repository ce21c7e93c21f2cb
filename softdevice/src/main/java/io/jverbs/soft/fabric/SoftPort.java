package io.jverbs.soft.fabric;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.GidEntry;
import io.jverbs.GidType;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.memory.DirectTable;
import io.jverbs.soft.transport.Counter;
import io.jverbs.soft.transport.Envelope;
import io.jverbs.soft.transport.Port;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.transport.Traffic;
import io.jverbs.soft.wire.Drop;
import io.jverbs.soft.wire.PacketView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntPredicate;
import java.util.stream.Stream;

/** The one port of a device: cable, GID table, P_Key table, MTU, counters, and the queue pairs behind it. */
public final class SoftPort implements Port {
    /** Its number. */
    public static final int NUMBER = 1;
    /** How many GIDs it can have. */
    public static final int GIDS = 16;
    /** How many P_Keys it can have. */
    public static final int PKEYS = 128;
    private static final int DEFAULT_PKEY = 0xFFFF;

    private final String device;
    private final LocalNetwork network;
    private final DirectTable<SoftQp> queuePairs;
    private final AtomicReferenceArray<Gid> gids = new AtomicReferenceArray<>(GIDS);
    private final AtomicIntegerArray pkeys = new AtomicIntegerArray(PKEYS);
    private final LongAdder[] counters = Stream.generate(LongAdder::new).limit(Counter.values().length)
            .toArray(LongAdder[]::new);
    private volatile boolean up = true;
    private volatile Mtu mtu = Mtu.MTU_4096;
    private volatile Tap tap;
    /** Of queue pairs that are gone; guarded by this. */
    private Traffic retired = Traffic.NONE;
    /** What judges packets that arrive, null for nothing. */
    private volatile Losses losses;

    /**
     * @param device the name of its device
     * @param network the network it is on
     * @param queuePairs the device's queue pairs
     */
    public SoftPort(String device, LocalNetwork network, DirectTable<SoftQp> queuePairs) {
        this.device = device;
        this.network = network;
        this.queuePairs = queuePairs;
        pkeys.set(0, DEFAULT_PKEY);
    }

    SoftQp queuePair(int qpn) {
        SoftQp qp = queuePairs.inSlotOf(qpn);
        return qp != null && qp.number() == qpn && LocalNetwork.exists(qp) ? qp : null;
    }

    /**
     * The queue pair that a message from within the JVM is for, null if the message is lost. While packets are judged nobody keeps
     * the answer, so that each message is.
     */
    SoftQp arrival(int qpn) {
        if (!up) {
            count(Counter.PORT_DOWN);
            return null;
        }
        Losses judge = losses;
        if (judge != null) {
            network.changed();
            if (judge.lose(qpn)) {
                count(Counter.LOST);
                return null;
            }
        }
        SoftQp qp = queuePair(qpn);
        if (qp == null) {
            count(Counter.UNKNOWN_QUEUE_PAIR);
        }
        return qp;
    }

    /**
     * Has packets judged that arrive.
     *
     * @param filter tells by the number of the queue pair whether a packet is lost
     */
    public synchronized void addLoss(IntPredicate filter) {
        losses = Losses.with(losses, filter);
        network.changed();
    }

    /**
     * Has packets judged no more.
     *
     * @param filter what was added
     */
    public synchronized void removeLoss(IntPredicate filter) {
        losses = Losses.without(losses, filter);
    }

    /**
     * Counts a packet that makes no sense.
     *
     * @param reason why
     */
    public void dropped(Drop reason) {
        count(reason == Drop.ICRC ? Counter.BAD_ICRC : Counter.MALFORMED);
    }

    /**
     * Hands a packet to the queue pair that it is for.
     *
     * @param packet the packet
     * @param envelope where it comes from and goes to
     */
    public void receive(PacketView packet, Envelope envelope) {
        Losses judge = losses;
        if (!up) {
            count(Counter.PORT_DOWN);
        } else if (judge != null && judge.lose(packet.destinationQpn())) {
            count(Counter.LOST);
        } else {
            SoftQp qp = queuePair(packet.destinationQpn());
            if (qp == null) {
                count(Counter.UNKNOWN_QUEUE_PAIR);
            } else {
                qp.receive(packet, envelope);
            }
        }
    }

    /** Hands a packet to the queue pairs of this port that are in its group, unless they have it from within the JVM. */
    void receiveOfGroup(PacketView packet, Receiver receiver) {
        Gid source = receiver.source();
        if (network.isLocal(source.high(), source.low())) {
            count(Counter.OWN_MULTICAST);
            return;
        }
        receiveOfGroup(packet, receiver.destination(), receiver.envelope());
    }

    /**
     * Hands a packet to the queue pairs of this port that are in its group.
     *
     * @param packet the packet
     * @param group the group
     * @param envelope where it comes from and goes to
     */
    public void receiveOfGroup(PacketView packet, Gid group, Envelope envelope) {
        if (!up) {
            count(Counter.PORT_DOWN);
            return;
        }
        boolean wanted = false;
        for (SoftQp member : network.members(group.high(), group.low())) {
            if (isMine(member)) {
                wanted = true;
                member.receive(packet, envelope);
            }
        }
        if (!wanted) {
            count(Counter.UNKNOWN_QUEUE_PAIR);
        }
    }

    private boolean isMine(SoftQp qp) {
        return queuePair(qp.number()) == qp;
    }

    /**
     * {@return whether queue pairs of this port are in a group}
     *
     * @param group the group
     */
    public boolean isIn(Gid group) {
        for (SoftQp member : network.members(group.high(), group.low())) {
            if (isMine(member)) {
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

    /**
     * Plugs or pulls the cable.
     *
     * @param nowUp whether it is in
     * @return whether that is new
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
     * Says who looks at packets from now on.
     *
     * @param changed who, null for nobody
     */
    public void tap(Tap changed) {
        tap = changed;
        // connections within the JVM have made sure that nobody looks
        network.changed();
    }

    @Override
    public int pkey(int index) {
        return pkeys.getOpaque(index);
    }

    /**
     * Changes an entry of the P_Key table.
     *
     * @param index its place
     * @param pkey 16 bits, 0 empties it
     */
    public void pkey(int index, int pkey) {
        pkeys.set(index, pkey);
        // connections have found theirs to match
        network.changed();
    }

    @Override
    public int mtu() {
        return mtu.bytes();
    }

    /** {@return the MTU in use} */
    public Mtu activeMtu() {
        return mtu;
    }

    /**
     * Changes the MTU in use.
     *
     * @param changed the MTU
     */
    public void activeMtu(Mtu changed) {
        mtu = changed;
    }

    /**
     * {@return an entry of the GID table, null if empty}
     *
     * @param index its place
     */
    public Gid gid(int index) {
        return gids.get(index);
    }

    /**
     * Adds a GID in the first free place.
     *
     * @param gid the GID
     * @return its place
     */
    public synchronized int addGid(Gid gid) {
        if (gid.isZero() || gid.isMulticast()) {
            throw new VerbsException("add_gid", Errno.EINVAL, gid + " is zero or multicast");
        }
        int index = firstEmpty();
        if (!network.bind(gid, this)) {
            throw new VerbsException("add_gid", Errno.EINVAL, gid + " is in use on this network already");
        }
        gids.set(index, gid);
        return index;
    }

    private int firstEmpty() {
        for (int i = 0; i < GIDS; i++) {
            if (gids.get(i) == null) {
                return i;
            }
        }
        throw new VerbsException("add_gid", Errno.ENOSPC, "all " + GIDS + " places are taken");
    }

    /**
     * Empties an entry of the GID table.
     *
     * @param index its place
     */
    public synchronized void removeGid(int index) {
        Gid gid = gids.getAndSet(index, null);
        if (gid == null) {
            throw new VerbsException("remove_gid", Errno.ENODATA, "entry " + index + " is empty");
        }
        network.unbind(gid, this);
    }

    /** Leaves the network. */
    public synchronized void remove() {
        up(false);
        for (int i = 0; i < GIDS; i++) {
            Gid gid = gids.get(i);
            if (gid != null) {
                network.unbind(gid, this);
            }
        }
    }

    /** {@return the entries of the GID table that are not empty} */
    public List<GidEntry> gidTable() {
        List<GidEntry> entries = new ArrayList<>();
        for (int i = 0; i < GIDS; i++) {
            Gid gid = gids.get(i);
            if (gid != null) {
                entries.add(new GidEntry(gid, i, NUMBER, GidType.ROCE_V2, 0));
            }
        }
        return entries;
    }

    @Override
    public void count(Counter counter) {
        counters[counter.ordinal()].increment();
    }

    /**
     * {@return how often something was counted}
     *
     * @param counter what
     */
    public long counted(Counter counter) {
        return counters[counter.ordinal()].sum();
    }

    /**
     * Takes a queue pair out of the device's table, and keeps what it has counted.
     *
     * @param qp the queue pair, which sends and receives no more
     */
    public synchronized void retire(SoftQp qp) {
        queuePairs.remove(qp.number());
        retired = retired.plus(qp.traffic());
    }

    /** {@return what its queue pairs have sent and received, those too that are gone} Takes their locks, one after the other, for a moment. */
    public synchronized Traffic traffic() {
        Traffic all = retired;
        for (SoftQp qp : queuePairs.all()) {
            all = all.plus(qp.traffic());
        }
        return all;
    }

    /** {@return all counters by name} */
    public Map<String, Long> counters() {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Counter counter : Counter.values()) {
            all.put(counter.label(), counted(counter));
        }
        all.putAll(CounterNames.of(traffic()));
        return all;
    }
}
