package io.jverbs.soft.simulation;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.control.SimulatedLink;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;
import io.jverbs.control.SimulatedQueue;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.StackReserve;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A simulated network: the fabrics of its devices, its clock, its links and its packet log. It decides the fate of each
 * packet that is sent, and delivers the packets that arrive. Its state is guarded by the schedule's lock. Thread-safe.
 */
final class Simulation implements SimulatedNetwork {
    private static final int IPV4_AND_UDP = 20 + 8;
    private static final int IPV6_AND_UDP = 40 + 8;
    /** The lengths of the BTH, the longest extension headers and the ICRC. */
    private static final int HEADERS = 12 + 28 + 4;
    private static final Duration LONGEST = Duration.ofDays(365);

    private final SimulationOptions options;
    private final Consumer<Simulation> atEnd;
    private final Schedule schedule;
    private final LocalNetwork network;
    private final EventRunner runner;
    private final EventDriver driver;
    private final SpinLock lock;
    private final Links links;
    private final PacketLog log = new PacketLog();
    private final NetworkSwitch networkSwitch;
    private final PacketReceiver receiver = new PacketReceiver();
    private final TreeMap<Integer, SimulatedFabric> fabrics = new TreeMap<>();
    /** The number of devices that have been created for each number. */
    private final Map<Integer, Integer> created = new HashMap<>();
    private int contexts;
    private boolean ended;

    /**
     * @param options the options of the selector
     * @param atEnd called with this network when its last context is closed
     */
    Simulation(SimulationOptions options, Consumer<Simulation> atEnd) {
        this.options = options;
        this.atEnd = atEnd;
        this.schedule = new Schedule(options.time() == TimeMode.REAL);
        this.lock = schedule.lock();
        this.network = new LocalNetwork(schedule);
        this.runner = new EventRunner(schedule, network.deferredQueue());
        this.links = new Links(options.seed(), options.links());
        this.networkSwitch = new NetworkSwitch(options, schedule, log);
        this.driver = EventDriver.of(options.time(), schedule, runner, "jverbs-soft-" + name(0));
    }

    /** Returns the fabric of a new device with a number from 0 to 255. */
    SimulatedFabric createFabric(int number) {
        return locked(() -> {
            int before = created.merge(number, 1, Integer::sum) - 1;
            SimulatedFabric fabric = new SimulatedFabric(this, number, before);
            fabrics.put(number, fabric);
            return fabric;
        });
    }

    /** Returns the addresses and the multicast groups of the network. */
    LocalNetwork network() {
        return network;
    }

    /** Returns the options of the selector. */
    SimulationOptions options() {
        return options;
    }

    /** Returns whether a single-threaded program runs identically each time. */
    boolean isRepeatable() {
        return options.time() != TimeMode.REAL;
    }

    /** Returns whether the network has ended: its last context was closed, or it was replaced before the first. */
    boolean hasEnded() {
        return locked(() -> ended);
    }

    /**
     * Ends the network if it has no open context and a selector has other options. Returns whether the network has
     * ended.
     *
     * @param wanted the options of the selector
     */
    boolean endIfUnused(SimulationOptions wanted) {
        return locked(() -> {
            ended |= contexts == 0 && !options.admits(wanted);
            return ended;
        });
    }

    /** Reports to the devices that the network has ended. The caller holds no lock. */
    void reportEnd() {
        locked(() -> List.copyOf(fabrics.values())).forEach(SimulatedFabric::networkEnded);
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

    void contextOpened() {
        lock.lock();
        try {
            if (ended) {
                throw SimulatedFabric.ended("soft:" + name(0));
            }
            contexts++;
        } finally {
            lock.unlock();
        }
        driver.begin();
    }

    void contextClosed() {
        lock.lock();
        if (!ended) {
            contexts--;
            ended = contexts == 0;
        }
        boolean last = ended;
        lock.unlock();
        // also if an Error has interrupted this for the last context, and the call is repeated
        if (last) {
            driver.end();
            schedule.clear();
            atEnd.accept(this);
        }
    }

    void poll() {
        StackReserve.check();
        driver.poll();
    }

    EventWait eventWait() {
        return driver.eventWait();
    }

    /**
     * Schedules an event after all events that are due now, if a condition holds. The condition is evaluated with the
     * schedule's lock held.
     */
    void scheduleNow(BooleanSupplier condition, ScheduledEvent event) {
        boolean first = false;
        lock.lock();
        try {
            if (condition.getAsBoolean()) {
                first = schedule.add(schedule.nanoTime(), event);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            schedule.notifyListener();
        }
    }

    /** Removes and returns the first queue pair; null if there is none. */
    SoftQp next(SequencedSet<SoftQp> from) {
        lock.lock();
        try {
            return from.isEmpty() ? null : from.removeFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Sends a packet. May be called with locks of queue pairs held. */
    void send(SimulatedFabric from, byte[] bytes, Route route) {
        boolean first = false;
        Gid destination = route.destination();
        lock.lock();
        try {
            if (destination.isMulticast()) {
                for (SimulatedFabric to : fabrics.values()) {
                    first |= to.port() != null && to.port().isIn(destination) && send(from, to, bytes, route);
                }
            } else {
                first = send(from, fabricOf(destination), bytes, route);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            schedule.notifyListener();
        }
    }

    private SimulatedFabric fabricOf(Gid gid) {
        SoftPort port = network.port(gid);
        for (SimulatedFabric each : fabrics.values()) {
            if (port != null && each.port() == port) {
                return each;
            }
        }
        return null;
    }

    /** Sends a packet to one device; returns whether the event that is due first has changed. */
    private boolean send(SimulatedFabric from, SimulatedFabric to, byte[] bytes, Route route) {
        int ipBytes = ipBytes(bytes, route);
        LinkDirection direction = to == null ? null : links.direction(from.number(), to.number());
        Fate fate = fate(from, to, direction, ipBytes, route.source());
        if (fate != Fate.IN_FLIGHT) {
            PacketInTransit lost = new PacketInTransit(this, bytes, route, schedule.nanoTime(), from, to, false);
            lost.fate(fate);
            log.add(lost);
            return false;
        }
        boolean twice = direction.hasCopy();
        boolean first = transmit(from, to, direction, bytes, ipBytes, route, false);
        if (twice) {
            first |= transmit(from, to, direction, bytes, ipBytes, route, true);
        }
        return first;
    }

    private static int ipBytes(byte[] bytes, Route route) {
        return bytes.length + (route.destination().isIpv4Mapped() ? IPV4_AND_UDP : IPV6_AND_UDP);
    }

    private Fate fate(SimulatedFabric from, SimulatedFabric to, LinkDirection direction, int ipBytes, Gid source) {
        if (!from.port().sends(source.high(), source.low())) {
            return Fate.PORT_DOWN;
        }
        if (to == null) {
            return Fate.NO_DESTINATION;
        }
        return links.isCut(from.number(), to.number()) ? Fate.PARTITIONED : direction.fate(ipBytes);
    }

    private boolean transmit(SimulatedFabric from, SimulatedFabric to, LinkDirection direction, byte[] bytes,
            int ipBytes, Route route, boolean copy) {
        PacketInTransit packet = new PacketInTransit(this, bytes, route, schedule.nanoTime(), from, to, copy);
        direction.transmit(packet.sent(), ipBytes, bytes.length);
        packet.sentOver(direction);
        boolean first = schedule.add(direction.arrives(), packet);
        log.add(packet);
        return first;
    }

    /**
     * Passes a packet in flight on at the switch, or decides whether it arrives, and delivers it. The runner is held.
     */
    void arrive(PacketInTransit packet) {
        assert runner.isHeldByCurrentThread();
        if (networkSwitch.isNext(packet)) {
            if (locked(() -> networkSwitch.forward(packet, ipBytes(packet.bytes(), packet.route())))) {
                schedule.notifyListener();
            }
            return;
        }
        SimulatedFabric to = packet.target();
        lock.lock();
        try {
            if (links.isCut(packet.from(), packet.to())) {
                packet.fate(Fate.PARTITIONED);
            } else {
                boolean plugged = to.port().isUp();
                packet.fate(!isThere(to, packet) ? Fate.NO_DESTINATION : plugged ? Fate.ARRIVED : Fate.PORT_DOWN);
            }
            log.arrived(packet);
        } finally {
            lock.unlock();
        }
        if (packet.fate() == Fate.ARRIVED) {
            receiver.deliver(packet, to.port());
        }
    }

    private static boolean isThere(SimulatedFabric to, PacketInTransit packet) {
        Gid destination = packet.route().destination();
        return !to.isClosed() && (destination.isMulticast() || to.port().has(destination.high(), destination.low()));
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
            throw new IllegalArgumentException("device " + device + " is not from 0 to " + (Links.DEVICES - 1));
        }
        return device;
    }

    @Override
    public Duration now() {
        return Duration.ofNanos(schedule.nanoTime());
    }

    @Override
    public void advance(Duration time) {
        StackReserve.check();
        driver.runUntil(() -> false, nanos("time", time));
    }

    @Override
    public boolean runUntil(BooleanSupplier condition, Duration atMost) {
        StackReserve.check();
        return driver.runUntil(Objects.requireNonNull(condition, "condition"), nanos("atMost", atMost));
    }

    private static long nanos(String name, Duration time) {
        if (Objects.requireNonNull(time, name).isNegative() || time.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(name + " " + time + " is not from 0 to " + LONGEST.toDays() + " days");
        }
        return time.toNanos();
    }

    @Override
    public boolean step() {
        StackReserve.check();
        return driver.step();
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
        StackReserve.check();
        for (int device : Objects.requireNonNull(devices, "devices")) {
            check(device);
        }
        locked(() -> {
            links.isolate(devices);
            return null;
        });
    }

    @Override
    public void heal() {
        StackReserve.check();
        locked(() -> {
            links.heal();
            return null;
        });
    }

    @Override
    public SimulatedQueue queue(int device) {
        StackReserve.check();
        check(device);
        return locked(() -> networkSwitch.statistics(device));
    }

    @Override
    public List<SimulatedPacket> packetLog() {
        StackReserve.check();
        return locked(log::latest);
    }

    @Override
    public long packetCount() {
        StackReserve.check();
        return locked(log::count);
    }

    @Override
    public String packetLogHash() {
        StackReserve.check();
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
