package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.VerbsException;
import io.jverbs.soft.transport.Counter;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SharedWindow;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Tap;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out: a UDP socket at one address, to peers with addresses of the same family. It is not connected and does not fragment,
 * as then, and only then, Linux sends IPv4 packets with IDs that are known, which their ICRC covers: 0, or, in one piece, 0, 1, 2
 * and so on; packets of IPv6 have no ID.
 */
public final class UdpWire implements WayOut {
    /** The UDP port of RoCEv2. */
    public static final int UDP_PORT = 4791;
    private static final Logger LOG = LoggerFactory.getLogger(UdpWire.class);
    private static final int POOL = 16;

    private final Gid gid;
    private final Datagrams socket;
    /** The socket, or what looks at its packets besides. */
    private volatile Datagrams exit;
    private final Sockets sockets;
    private final AtomicReferenceArray<Outgoing> pool = new AtomicReferenceArray<>(POOL);
    private final Engine engine;
    private volatile SoftPort port;
    private volatile boolean complained;
    private final NetworkInterface device;
    private final Map<Gid, Membership> groups = new HashMap<>();
    /** One for each address: packets of one route leave together. */
    private final Map<Gid, WeakReference<Route>> routes = new HashMap<>();

    private record Membership(Receiver receiver, int count) {}

    /**
     * Over a socket that is open.
     *
     * @param sockets what makes others of its kind
     */
    UdpWire(Gid gid, Datagrams socket, Sockets sockets, NetworkInterface device, LocalNetwork network) {
        this.device = device;
        this.gid = gid;
        this.socket = socket;
        this.exit = socket;
        this.sockets = sockets;
        this.engine = new Engine(gid, name(), socket, sockets, network.agenda());
    }

    /**
     * Opens the socket.
     *
     * @param gid a local address
     * @param device the interface that it belongs to
     * @param network the network within the JVM
     * @return the wire; nothing is received before {@link Engine#start}
     * @throws IOException if there is no such address, or the port is in use
     * @throws UnsupportedOperationException if there is not {@link #hasFamily}
     * @throws IllegalArgumentException if the system property {@code jverbs.soft.udp} is none of its values
     * @throws VerbsException if it asks for sockets that cannot be had
     */
    public static UdpWire open(Gid gid, NetworkInterface device, LocalNetwork network) throws IOException {
        Sockets sockets = SocketChoice.sockets();
        Datagrams socket = sockets.open(new InetSocketAddress(address(gid, device), UDP_PORT), device);
        LOG.debug("Sockets at {}: {}", name(gid, device), sockets);
        return new UdpWire(gid, socket, sockets, device, network);
    }

    /**
     * {@return whether sockets can have an address, at any port}
     *
     * @param gid the address
     * @param device the interface that it belongs to
     */
    public static boolean isUsable(Gid gid, NetworkInterface device) {
        try (DatagramChannel channel = NioSockets.channel(gid.toInetAddress())) {
            channel.bind(new InetSocketAddress(address(gid, device), 0));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * {@return whether this JVM has sockets for addresses of a family}
     *
     * @param gid an address of it
     */
    public static boolean hasFamily(Gid gid) {
        try {
            NioSockets.channel(gid.toInetAddress()).close();
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (IOException e) {
            LOG.debug("No socket for {}", gid, e);
        }
        return true;
    }

    /**
     * {@return whether an address is of IPv6 and link-local: every interface may have it}
     *
     * @param gid the address
     */
    public static boolean isLinkLocal(Gid gid) {
        // 169.254.0.0/16 is as any other
        return !gid.isIpv4Mapped() && gid.toInetAddress().isLinkLocalAddress();
    }

    /** An address as sockets take it: with the interface where the same address can be on several. */
    private static InetAddress address(Gid gid, NetworkInterface device) {
        InetAddress plain = gid.toInetAddress();
        boolean isScoped = isLinkLocal(gid) || !gid.isIpv4Mapped() && plain.isMulticastAddress();
        if (device == null || !isScoped) {
            return plain;
        }
        try {
            return Inet6Address.getByAddress(null, gid.toBytes(), device.getIndex());
        } catch (UnknownHostException impossible) {
            throw new AssertionError("sixteen bytes are an IPv6 address", impossible);
        }
    }

    /**
     * {@return the text of an address (RFC 5952), with the interface if it is link-local}
     *
     * @param gid the address
     * @param device the interface that it belongs to, or null
     */
    public static String name(Gid gid, NetworkInterface device) {
        if (gid.isIpv4Mapped()) {
            return gid.toInetAddress().getHostAddress();
        }
        return device != null && isLinkLocal(gid) ? gid + "%" + device.getName() : gid.toString();
    }

    /** {@return the text of its address} */
    @Override
    public String name() {
        return name(gid, device);
    }

    /** {@return what receives} */
    public Engine engine() {
        return engine;
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public void serve(SoftPort behind) {
        port = behind;
        engine.serve(behind, new Outbox(this));
    }

    @Override
    public boolean isOnlyWay() {
        return false;
    }

    @Override
    public void help() {
        engine.help();
    }

    @Override
    public void listen() {
        engine.listen();
    }

    @Override
    public Progress progress() {
        return null;
    }

    @Override
    public void opened() {
        // it receives anyway
    }

    @Override
    public void contextClosed() {
        // it stays for the next one
    }

    @Override
    public Route route(Gid source, Gid destination) {
        // a socket would take no address at all for the loopback's
        boolean reachable = source.equals(gid) && isOfFamily(destination) && !destination.isZero();
        return reachable ? route(destination) : null;
    }

    private boolean isOfFamily(Gid other) {
        return other.isIpv4Mapped() == gid.isIpv4Mapped();
    }

    private Route route(Gid destination) {
        synchronized (routes) {
            routes.values().removeIf(each -> each.get() == null);
            WeakReference<Route> present = routes.get(destination);
            Route route = present == null ? null : present.get();
            if (route == null) {
                route = new Route(gid, destination,
                        socket.address(new InetSocketAddress(address(destination, device), UDP_PORT)),
                        new SharedWindow(socket.capacity()));
                routes.put(destination, new WeakReference<>(route));
            }
            return route;
        }
    }

    /** Says that the packets to come are between the ends of a route. */
    static void between(Icrc icrc, Route route) {
        Gid from = route.source();
        Gid to = route.destination();
        icrc.between(from.high(), from.low(), UDP_PORT, to.high(), to.low(), UDP_PORT);
    }

    @Override
    public int together(int bytes) {
        return socket.together(bytes);
    }

    @Override
    public Outgoing acquire() {
        for (int i = 0; i < POOL; i++) {
            if (pool.get(i) != null) {
                Outgoing free = pool.getAndSet(i, null);
                if (free != null) {
                    return free;
                }
            }
        }
        return socket.room();
    }

    @Override
    public void release(Outgoing packet) {
        try {
            socket.flush(packet);
        } catch (IOException e) {
            refused(e);
        }
        countLost(packet);
        for (int i = 0; i < POOL; i++) {
            if (pool.get(i) == null && pool.compareAndSet(i, null, packet)) {
                return;
            }
        }
    }

    @Override
    public void send(Outgoing packet, Route route) {
        try {
            exit.send(packet, route);
        } catch (IOException e) {
            refused(e);
        }
        countLost(packet);
    }

    private void countLost(Outgoing packets) {
        SoftPort behind = port;
        for (int left = packets.takeLost(); left > 0 && behind != null; left--) {
            behind.count(Counter.SEND_BUFFER_FULL);
        }
    }

    /** The packets are lost, as packets may be; but the next ones probably will be too, so it is said, once. */
    private void refused(IOException e) {
        if (e instanceof ClosedChannelException) {
            return;
        }
        SoftPort behind = port;
        if (behind != null) {
            for (int i = -1; i < e.getSuppressed().length; i++) {
                behind.count(Counter.SEND_ERROR);
            }
        }
        if (!complained) {
            complained = true;
            LOG.warn(
                    "Software device {} could not send: {}. Look at the routes, the firewall, and the MTU of its interface."
                            + " The counter send_err tells how often; this is said once.",
                    name(), e.toString());
        }
    }

    /**
     * Says who looks at packets from now on.
     *
     * @param tap who, null for nobody
     */
    @Override
    public void tap(Tap tap) {
        exit = tap == null ? socket : new TappedDatagrams(socket, gid, tap);
        engine.tap(tap);
    }

    @Override
    public boolean catchUp() {
        return engine.catchUp();
    }

    @Override
    public void awaitTurn() {
        engine.awaitTurn();
    }

    @Override
    public void pumpLater(SoftQp qp) {
        engine.pumpLater(qp);
    }

    @Override
    public synchronized void join(Gid group) throws IOException {
        if (!isOfFamily(group)) {
            return;
        }
        Membership present = groups.get(group);
        if (present == null) {
            Receiver receiver = new Receiver(
                    sockets.listen(new InetSocketAddress(address(group, device), UDP_PORT), device), group);
            engine.add(receiver);
            groups.put(group, new Membership(receiver, 1));
        } else {
            groups.put(group, new Membership(present.receiver(), present.count() + 1));
        }
    }

    @Override
    public synchronized void leave(Gid group) throws IOException {
        Membership present = groups.remove(group);
        if (present == null) {
            return;
        }
        if (present.count() > 1) {
            groups.put(group, new Membership(present.receiver(), present.count() - 1));
        } else {
            engine.remove(present.receiver());
        }
    }

    /** Closes the socket and ends the engine. */
    @Override
    public void close() {
        engine.close();
    }
}
