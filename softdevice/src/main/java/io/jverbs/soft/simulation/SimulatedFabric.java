package io.jverbs.soft.simulation;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.NetworkLifetime;
import io.jverbs.soft.fabric.NumberSource;
import io.jverbs.soft.fabric.PacketSource;
import io.jverbs.soft.fabric.ServiceTypes;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.LocalPeers;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SequencedSet;
import java.util.function.BooleanSupplier;

/**
 * The fabric of a device in a simulated network. Packets are encoded as RoCEv2 packets and passed to the {@link
 * Simulation}. Thread-safe.
 */
final class SimulatedFabric implements Fabric, PacketNetwork, PacketSource, NetworkLifetime {
    /** In 198.18.0.0/15, which is reserved for network benchmarks (RFC 2544) and not used on real networks. */
    private static final long FIRST_ADDRESS = 0xFFFFL << 32 | 0xC612_0001L;

    private static final int MAX_WINDOWS = 4096;

    private final Simulation simulation;
    private final int number;
    private final Gid gid;
    private final Random random;
    private final SpinLock poolLock = new SpinLock();
    private final Deque<SendBuffer> pool = new ArrayDeque<>();
    /**
     * The path windows by destination address. They are kept while the network exists, because removing one when the
     * garbage collector finds it unreachable would make runs differ. Above the limit, the least recently used window is
     * removed.
     */
    private final Map<Gid, PathWindow> windows = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Gid, PathWindow> eldest) {
            return size() > MAX_WINDOWS;
        }
    };
    /** The queue pairs with responses due, in the order in which they send. Guarded by the schedule's lock. */
    private final SequencedSet<SoftQp> responding = new LinkedHashSet<>();
    /** Whether an event that sends these responses is scheduled. Guarded by the schedule's lock. */
    private boolean responsesScheduled;
    private final BooleanSupplier clearScheduled = () -> responsesScheduled = false;
    /** The window of outstanding RDMA READ responses. */
    private final PathWindow readWindow = new PathWindow(PathCapacity.UNCOALESCED, CongestionControlType.WINDOW);
    private volatile SoftPort port;
    private volatile Runnable atEnd = () -> {};
    private volatile boolean closed;

    /** @param before how many removed devices had this number; it makes this device's random numbers differ */
    SimulatedFabric(Simulation simulation, int number, int before) {
        this.simulation = simulation;
        this.number = number;
        this.gid = Gid.of(0, FIRST_ADDRESS + number);
        this.random = new Random(Links.mix(simulation.seed(), -1L - number - (long) Links.DEVICES * before));
    }

    @Override
    public LocalNetwork network() {
        return simulation.network();
    }

    /** {@return no queue pairs: packets pass through the simulated network between all of them} */
    @Override
    public LocalPeers peers() {
        return LocalPeers.EMPTY;
    }

    @Override
    public ServiceTypes services() {
        return ServiceTypes.ROCE;
    }

    @Override
    public NumberSource numbers() {
        return simulation.isRepeatable() ? NumberSource.of(random) : NumberSource.ORDINARY;
    }

    @Override
    public PacketNetwork wire() {
        return this;
    }

    @Override
    public PacketSource packets() {
        return this;
    }

    @Override
    public NetworkLifetime lifetime() {
        return this;
    }

    @Override
    public void alarm(long nanos) {
        if (simulation.isRepeatable()) {
            simulation.network().timers().set(nanos, () -> {});
        }
    }

    @Override
    public <T> Optional<T> capability(Class<T> type) {
        return type == SimulatedNetwork.class ? Optional.of(type.cast(simulation)) : Optional.empty();
    }

    @Override
    public Random random() {
        return random;
    }

    /** {@return the largest path MTU that links carry with their initial settings} */
    @Override
    public Mtu mtu() {
        return simulation.mtu();
    }

    int number() {
        return number;
    }

    SoftPort port() {
        return port;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public String name() {
        return simulation.name(number);
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public void serve(SoftPort behind) {
        port = behind;
    }

    @Override
    public boolean poll() {
        simulation.poll();
        // the poll has run what is due, which no other process does
        return true;
    }

    @Override
    public EventWait eventWait() {
        return simulation.eventWait();
    }

    @Override
    public void contextOpened() {
        simulation.contextOpened();
    }

    @Override
    public void contextClosed() {
        simulation.contextClosed();
    }

    @Override
    public void atEnd(Runnable action) {
        atEnd = action;
    }

    /** Called when the network has ended. */
    void networkEnded() {
        atEnd.run();
    }

    @Override
    public boolean hasEnded() {
        return simulation.hasEnded();
    }

    @Override
    public Route route(Gid source, Gid destination) {
        boolean sameFamily = source.isIpv4Mapped() == destination.isIpv4Mapped();
        return sameFamily && !destination.isZero() ? new Route(source, destination, null, window(destination)) : null;
    }

    private PathWindow window(Gid destination) {
        synchronized (windows) {
            return windows.computeIfAbsent(destination,
                    to -> new PathWindow(PathCapacity.UNCOALESCED, simulation.options().congestionControl()));
        }
    }

    @Override
    public int maxBatch(int bytes) {
        return 1;
    }

    @Override
    public SendBuffer acquire() {
        SendBuffer free;
        poolLock.lock();
        try {
            free = pool.pollLast();
        } finally {
            poolLock.unlock();
        }
        return free == null ? new SendBuffer() : free;
    }

    @Override
    public void release(SendBuffer packet) {
        poolLock.lock();
        try {
            pool.addLast(packet);
        } finally {
            poolLock.unlock();
        }
    }

    @Override
    public void send(SendBuffer packet, Route route) {
        Gid source = route.source();
        Gid destination = route.destination();
        Tap tap = port.tap();
        if (tap != null) {
            tap.written(true, packet, packet.encoder().written(), source.high(), source.low(), destination.high(),
                    destination.low());
        }
        packet.icrc().setAddresses(source.high(), source.low(), Roce.UDP_PORT, destination.high(), destination.low(),
                Roce.UDP_PORT);
        byte[] bytes = new byte[packet.encoder().finish(packet.icrc())];
        packet.buffer().bytes().get(bytes);
        simulation.send(this, bytes, route);
    }

    @Override
    public boolean receivePending(boolean waits) {
        // a packet is processed when it arrives, so none is pending
        return false;
    }

    @Override
    public void awaitTurn() {
        // each packet is sent when it is written
    }

    @Override
    public void scheduleResponses(SoftQp qp) {
        scheduleResponses(() -> {
            boolean idle = !responsesScheduled;
            responding.add(qp);
            responsesScheduled = true;
            return idle;
        });
    }

    /** Schedules the event that sends responses. If that fails, clears the flag so that the next call schedules it. */
    private void scheduleResponses(BooleanSupplier condition) {
        try {
            simulation.scheduleNow(condition, responseEvent());
        } catch (RuntimeException | Error e) {
            simulation.scheduleNow(clearScheduled, null);
            throw e;
        }
    }

    @Override
    public void scheduleResponsesNow(SoftQp qp) {
        scheduleResponses(qp);
    }

    /**
     * Returns an event that lets one queue pair send the responses that are due. Each queue pair has an event of its
     * own, so that packets that arrive meanwhile are received before the next queue pair sends.
     */
    private ScheduledEvent responseEvent() {
        return new ScheduledEvent() {
            @Override
            void run() {
                // null if the event failed below and runs once more
                SoftQp qp = simulation.next(responding);
                try {
                    if (qp != null && qp.responder().sendResponses()) {
                        scheduleResponses(qp);
                    }
                } finally {
                    scheduleResponses(() -> responsesScheduled = !responding.isEmpty());
                }
            }
        };
    }

    @Override
    public PathWindow readWindow() {
        return readWindow;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Returns the exception for opening a device whose network has ended. */
    static VerbsException ended(String selector) {
        return new VerbsException("open_device", Errno.ENODEV, "the simulated network of " + selector
                + " has ended, because its last context was closed or a selector with other options replaced it:"
                + " select the device again");
    }
}
