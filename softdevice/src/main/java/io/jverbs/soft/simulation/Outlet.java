package io.jverbs.soft.simulation;

import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.UdpWire;
import io.jverbs.soft.fabric.WayOut;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Capacity;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SharedWindow;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Outgoing;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** The plug of one device in a simulated network. */
public final class Outlet implements WayOut {
    /** 198.18.0.0/15 is for tests of networks (RFC 2544), and on no other. */
    private static final long FIRST_ADDRESS = 0xFFFFL << 32 | 0xC612_0001L;

    private final Simulation simulation;
    private final int number;
    private final Gid gid;
    private final Random random;
    private final SpinLock poolLock = new SpinLock();
    private final Deque<Outgoing> pool = new ArrayDeque<>();
    /** One for each address to which there is a route, for as long as the network lives: who forgets one would do so by chance. */
    private final Map<Gid, SharedWindow> windows = new HashMap<>();
    /** Whose answers are to be sent in a moment; guarded by the schedule's lock. */
    private final Set<SoftQp> toPump = new HashSet<>();
    private volatile SoftPort port;
    private volatile boolean closed;

    /** @param before how many devices that were removed had its number: this one draws other numbers than they */
    Outlet(Simulation simulation, int number, int before) {
        this.simulation = simulation;
        this.number = number;
        this.gid = Gid.of(0, FIRST_ADDRESS + number);
        this.random = new Random(Links.mix(simulation.seed(), -1L - number - (long) Links.DEVICES * before));
    }

    /** {@return the network} */
    public Simulation simulation() {
        return simulation;
    }

    /** {@return what draws the device's numbers} */
    public Random random() {
        return random;
    }

    /** {@return the greatest path MTU that links take unless they are changed} */
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
    public void tap(Tap tap) {
        // the port is asked
    }

    @Override
    public boolean isOnlyWay() {
        return true;
    }

    @Override
    public void help() {
        simulation.help();
    }

    @Override
    public void listen() {
        // who waits does the work
    }

    @Override
    public Progress progress() {
        return simulation.progress();
    }

    @Override
    public void opened() {
        simulation.opened();
    }

    @Override
    public void contextClosed() {
        simulation.contextClosed();
    }

    @Override
    public Route route(Gid source, Gid destination) {
        boolean sameFamily = source.isIpv4Mapped() == destination.isIpv4Mapped();
        return sameFamily && !destination.isZero() ? new Route(source, destination, null, window(destination)) : null;
    }

    private SharedWindow window(Gid destination) {
        synchronized (windows) {
            return windows.computeIfAbsent(destination, to -> new SharedWindow(Capacity.SINGLY));
        }
    }

    @Override
    public int together(int bytes) {
        return 1;
    }

    @Override
    public Outgoing acquire() {
        poolLock.lock();
        Outgoing free = pool.pollLast();
        poolLock.unlock();
        return free == null ? new Outgoing() : free;
    }

    @Override
    public void release(Outgoing packet) {
        poolLock.lock();
        pool.addLast(packet);
        poolLock.unlock();
    }

    @Override
    public void send(Outgoing packet, Route route) {
        Gid source = route.source();
        Gid destination = route.destination();
        Tap tap = port.tap();
        if (tap != null) {
            tap.written(true, packet, packet.encoder().written(), source.high(), source.low(), destination.high(),
                    destination.low());
        }
        packet.icrc().between(source.high(), source.low(), UdpWire.UDP_PORT, destination.high(), destination.low(),
                UdpWire.UDP_PORT);
        byte[] bytes = new byte[packet.encoder().finish(packet.icrc())];
        packet.buffer().bytes().get(bytes);
        simulation.send(this, bytes, route);
    }

    @Override
    public boolean catchUp() {
        // a packet that has come is taken at that moment
        return false;
    }

    @Override
    public void awaitTurn() {
        // each packet is on its way when it is written
    }

    @Override
    public void pumpLater(SoftQp qp) {
        simulation.enterNow(() -> toPump.add(qp), new Happening() {
            @Override
            void happen() {
                simulation.forget(toPump, qp);
                if (qp.responder().pump()) {
                    pumpLater(qp);
                }
            }
        });
    }

    @Override
    public void join(Gid group) {
        // whose queue pairs are in a group is known
    }

    @Override
    public void leave(Gid group) {
        // as above
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Refuses to be opened once the network has ended. */
    static VerbsException ended(String selector) {
        return new VerbsException("open_device", Errno.ENODEV, "the simulated network of " + selector
                + " has ended, with its last context or as another selector had other options:"
                + " select the device again");
    }
}
