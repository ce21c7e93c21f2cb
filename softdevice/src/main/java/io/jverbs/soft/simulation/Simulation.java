package io.jverbs.soft.simulation;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.control.SimulatedLink;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.WayOut;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A simulated network: its devices' outlets, its clock and links, and what becomes of a packet. */
public final class Simulation implements SimulatedNetwork {
    private static final int IPV4_AND_UDP = 20 + 8;
    private static final int IPV6_AND_UDP = 40 + 8;
    /** BTH, the longest extension headers, ICRC. */
    private static final int HEADERS = 12 + 28 + 4;
    private static final Duration LONGEST = Duration.ofDays(365);

    private final SimulationOptions options;
    private final Runnable atEnd;
    private final Schedule schedule;
    private final LocalNetwork network;
    private final Turn turn;
    private final Pace pace;
    private final SpinLock lock;
    private final Links links;
    private final PacketLog log = new PacketLog();
    private final Arrivals arrivals = new Arrivals();
    private final TreeMap<Integer, Outlet> outlets = new TreeMap<>();
    /** How many devices have had a number. */
    private final Map<Integer, Integer> made = new HashMap<>();
    private int contexts;
    private boolean ended;

    /**
     * @param options what a selector says
     * @param atEnd called when the last context is closed
     */
    public Simulation(SimulationOptions options, Runnable atEnd) {
        this.options = options;
        this.atEnd = atEnd;
        this.schedule = new Schedule(options.time() == TimeMode.REAL);
        this.lock = schedule.lock();
        this.network = new LocalNetwork(schedule);
        this.turn = new Turn(schedule, network.agenda());
        this.links = new Links(options.seed(), options.links());
        this.pace = Pace.of(options.time(), schedule, turn, "jverbs-soft-" + name(0));
    }

    /**
     * {@return the outlet of a device that is new}
     *
     * @param number its number
     */
    public Outlet outlet(int number) {
        return locked(() -> {
            int before = made.merge(number, 1, Integer::sum) - 1;
            Outlet outlet = new Outlet(this, number, before);
            outlets.put(number, outlet);
            return outlet;
        });
    }

    /** {@return who has which address, and who is in which group} */
    public LocalNetwork network() {
        return network;
    }

    /** {@return what a selector said} */
    public SimulationOptions options() {
        return options;
    }

    /** {@return whether a program of one thread does the same each time} */
    public boolean isRepeatable() {
        return options.time() != TimeMode.REAL;
    }

    /** {@return whether the last context was closed, or the network has ended before the first} */
    public boolean hasEnded() {
        return locked(() -> ended);
    }

    /**
     * Ends the network if nobody has opened it and a selector wants another.
     *
     * @param wanted what the selector says
     * @return whether the network has ended
     */
    public boolean isOver(SimulationOptions wanted) {
        return locked(() -> {
            ended |= contexts == 0 && !options.admits(wanted);
            return ended;
        });
    }

    String name(int device) {
        return "sim" + device + "?" + options.identity();
    }

    Mtu mtu() {
        Mtu best = Mtu.MTU_256;
        for (Mtu mtu : Mtu.values()) {
            boolean fits = mtu != Mtu.UNKNOWN && mtu.bytes() + HEADERS + IPV6_AND_UDP <= options.links().mtu;
            best = fits && mtu.bytes() > best.bytes() ? mtu : best;
        }
        return best;
    }

    void opened() {
        lock.lock();
        try {
            if (ended) {
                throw Outlet.ended("soft:" + name(0));
            }
            contexts++;
        } finally {
            lock.unlock();
        }
        pace.begin();
    }

    void contextClosed() {
        lock.lock();
        contexts--;
        boolean last = contexts == 0;
        ended |= last;
        lock.unlock();
        if (last) {
            pace.end();
            schedule.clear();
            atEnd.run();
        }
    }

    void help() {
        pace.help();
    }

    WayOut.Progress progress() {
        return pace.progress();
    }

    /** Enters what is to happen as soon as all that is due now has, if some condition holds under the lock. */
    void enterNow(BooleanSupplier condition, Happening what) {
        boolean first = false;
        lock.lock();
        try {
            if (condition.getAsBoolean()) {
                first = schedule.enter(schedule.nanoTime(), what);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            schedule.tell();
        }
    }

    void forget(Set<SoftQp> from, SoftQp qp) {
        lock.lock();
        from.remove(qp);
        lock.unlock();
    }

    /** Sends a packet; callable with locks of queue pairs held. */
    void send(Outlet from, byte[] bytes, Route route) {
        boolean first = false;
        Gid destination = route.destination();
        lock.lock();
        try {
            if (destination.isMulticast()) {
                for (Outlet to : outlets.values()) {
                    first |= to.port() != null && to.port().isIn(destination) && send(from, to, bytes, route);
                }
            } else {
                first = send(from, whoHas(destination), bytes, route);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            schedule.tell();
        }
    }

    private Outlet whoHas(Gid gid) {
        SoftPort port = network.port(gid);
        for (Outlet each : outlets.values()) {
            if (port != null && each.port() == port) {
                return each;
            }
        }
        return null;
    }

    /** Sends to one device; whether something is due earlier than all else now. */
    private boolean send(Outlet from, Outlet to, byte[] bytes, Route route) {
        int ipBytes = bytes.length + (route.destination().isIpv4Mapped() ? IPV4_AND_UDP : IPV6_AND_UDP);
        Direction direction = to == null ? null : links.direction(from.number(), to.number());
        Fate fate = fate(from, to, direction, ipBytes);
        if (fate != Fate.UNDER_WAY) {
            Parcel lost = new Parcel(this, bytes, route, schedule.nanoTime(), from, to, false);
            lost.fate(fate);
            log.add(lost);
            return false;
        }
        boolean twice = direction.hasCopy();
        boolean first = travel(from, to, direction, bytes, ipBytes, route, false);
        if (twice) {
            first |= travel(from, to, direction, bytes, ipBytes, route, true);
        }
        return first;
    }

    private Fate fate(Outlet from, Outlet to, Direction direction, int ipBytes) {
        if (!from.port().isUp()) {
            return Fate.NO_CABLE;
        }
        if (to == null) {
            return Fate.NOBODY_THERE;
        }
        return links.isCut(from.number(), to.number()) ? Fate.PARTITIONED : direction.fate(ipBytes);
    }

    private boolean travel(Outlet from, Outlet to, Direction direction, byte[] bytes, int ipBytes, Route route,
            boolean copy) {
        Parcel parcel = new Parcel(this, bytes, route, schedule.nanoTime(), from, to, copy);
        direction.travel(parcel.sent(), ipBytes, bytes.length);
        parcel.travels(direction);
        boolean first = schedule.enter(direction.arrives(), parcel);
        log.add(parcel);
        return first;
    }

    /** A packet comes to the end of its way; the turn is held. */
    void arrive(Parcel parcel) {
        Outlet to = parcel.target();
        lock.lock();
        try {
            if (links.isCut(parcel.from(), parcel.to())) {
                parcel.fate(Fate.PARTITIONED);
            } else {
                boolean plugged = to.port().isUp();
                parcel.fate(to.isClosed() ? Fate.NOBODY_THERE : plugged ? Fate.ARRIVED : Fate.NO_CABLE);
            }
            log.arrived(parcel);
        } finally {
            lock.unlock();
        }
        if (parcel.fate() == Fate.ARRIVED) {
            arrivals.hand(parcel, to.port());
        }
    }

    @Override
    public long seed() {
        return options.seed();
    }

    @Override
    public String selector(int device) {
        return "soft:" + name(check(device));
    }

    private static int check(int device) {
        if (device < 0 || device >= Links.DEVICES) {
            throw new IllegalArgumentException("device " + device + " is not 0 to " + (Links.DEVICES - 1));
        }
        return device;
    }

    @Override
    public Duration now() {
        return Duration.ofNanos(schedule.nanoTime());
    }

    @Override
    public void advance(Duration time) {
        pace.runUntil(() -> false, nanos(time));
    }

    @Override
    public boolean runUntil(BooleanSupplier condition, Duration atMost) {
        return pace.runUntil(condition, nanos(atMost));
    }

    private static long nanos(Duration time) {
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("time " + time + " is not 0 to " + LONGEST.toDays() + " days");
        }
        return time.toNanos();
    }

    @Override
    public boolean step() {
        return pace.step();
    }

    @Override
    public SimulatedLink link(int device, int other) {
        check(device);
        check(other);
        return new LinkControl(lock, () -> links.between(device, other));
    }

    @Override
    public SimulatedLink path(int from, int to) {
        check(from);
        check(to);
        return new LinkControl(lock, () -> List.of(links.direction(from, to)));
    }

    @Override
    public SimulatedLink links() {
        return new LinkControl(lock, links);
    }

    @Override
    public void partition(int... devices) {
        for (int device : devices) {
            check(device);
        }
        locked(() -> {
            links.isolate(devices);
            return null;
        });
    }

    @Override
    public void heal() {
        locked(() -> {
            links.heal();
            return null;
        });
    }

    @Override
    public List<SimulatedPacket> packetLog() {
        return locked(log::latest);
    }

    @Override
    public long packetCount() {
        return locked(log::count);
    }

    @Override
    public String packetLogHash() {
        return locked(log::hash);
    }

    private <T> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String toString() {
        return "simulated network " + options.identity() + " at " + now();
    }
}
