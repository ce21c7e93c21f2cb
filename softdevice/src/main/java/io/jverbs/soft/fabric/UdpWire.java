package io.jverbs.soft.fabric;

import io.jverbs.Gid;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SharedWindow;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.transport.Wire;
import io.jverbs.soft.wire.Outgoing;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.DatagramChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way out: a UDP socket at one address, to peers with addresses of the same family. It is not connected and does not fragment,
 * as then, and only then, Linux sends IPv4 packets with the ID 0, which their ICRC covers; packets of IPv6 have no ID.
 */
public final class UdpWire implements Wire {
    /** The UDP port of RoCEv2. */
    public static final int UDP_PORT = 4791;
    private static final Logger LOG = LoggerFactory.getLogger(UdpWire.class);
    private static final int SOCKET_BUFFER = 4 << 20;
    private static final int POOL = 16;
    /** How often a full socket buffer is tried again: its packets leave without help. */
    private static final int ATTEMPTS = 100;

    private final Gid gid;
    private final DatagramChannel channel;
    private final AtomicReferenceArray<Outgoing> pool = new AtomicReferenceArray<>(POOL);
    private final Engine engine;
    private final NetworkInterface device;
    private final Map<Gid, Membership> groups = new HashMap<>();
    /** One for each address to which there is a route. */
    private final Map<Gid, WeakReference<SharedWindow>> windows = new HashMap<>();

    private record Membership(Receiver receiver, int count) {}

    /** Over a socket that is open. */
    UdpWire(Gid gid, DatagramChannel channel, NetworkInterface device, LocalNetwork network) {
        this.device = device;
        this.gid = gid;
        this.channel = channel;
        this.engine = new Engine(gid, name(), channel, network.agenda());
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
     */
    public static UdpWire open(Gid gid, NetworkInterface device, LocalNetwork network) throws IOException {
        DatagramChannel channel = socket(gid);
        try {
            if (channel.supportedOptions().contains(ExtendedSocketOptions.IP_DONTFRAGMENT)) {
                channel.setOption(ExtendedSocketOptions.IP_DONTFRAGMENT, true);
            }
            channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER);
            channel.setOption(StandardSocketOptions.IP_MULTICAST_IF, device);
            channel.configureBlocking(false);
            channel.bind(new InetSocketAddress(address(gid, device), UDP_PORT));
            return new UdpWire(gid, channel, device, network);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * {@return whether sockets can have an address, at any port}
     *
     * @param gid the address
     * @param device the interface that it belongs to
     */
    public static boolean isUsable(Gid gid, NetworkInterface device) {
        try (DatagramChannel channel = socket(gid)) {
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
            socket(gid).close();
        } catch (UnsupportedOperationException e) {
            return false;
        } catch (IOException e) {
            LOG.debug("No socket for {}", gid, e);
        }
        return true;
    }

    private static DatagramChannel socket(Gid gid) throws IOException {
        return DatagramChannel.open(gid.isIpv4Mapped() ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6);
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
    public String name() {
        return name(gid, device);
    }

    /** {@return what receives} */
    public Engine engine() {
        return engine;
    }

    /** {@return the address as a GID} */
    public Gid gid() {
        return gid;
    }

    @Override
    public Route route(Gid source, Gid destination) {
        // a socket would take no address at all for the loopback's
        boolean reachable = source.equals(gid) && isOfFamily(destination) && !destination.isZero();
        return reachable
                ? new Route(source, destination, new InetSocketAddress(address(destination, device), UDP_PORT),
                        window(destination))
                : null;
    }

    private boolean isOfFamily(Gid other) {
        return other.isIpv4Mapped() == gid.isIpv4Mapped();
    }

    private SharedWindow window(Gid destination) {
        synchronized (windows) {
            windows.values().removeIf(each -> each.get() == null);
            WeakReference<SharedWindow> present = windows.get(destination);
            SharedWindow window = present == null ? null : present.get();
            if (window == null) {
                window = new SharedWindow();
                windows.put(destination, new WeakReference<>(window));
            }
            return window;
        }
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
        return new Outgoing();
    }

    @Override
    public void release(Outgoing packet) {
        for (int i = 0; i < POOL; i++) {
            if (pool.get(i) == null && pool.compareAndSet(i, null, packet)) {
                return;
            }
        }
    }

    @Override
    public void send(Outgoing packet, Route route) {
        packet.icrc().between(gid.high(), gid.low(), UDP_PORT, route.destination().high(), route.destination().low(),
                UDP_PORT);
        packet.encoder().finish(packet.icrc());
        try {
            for (int i = 0; channel.send(packet.buffer().bytes(), route.address()) == 0 && i < ATTEMPTS; i++) {
                Thread.onSpinWait();
            }
        } catch (IOException e) {
            engine.failed(e);
        }
    }

    @Override
    public void pumpLater(SoftQp qp) {
        engine.pumpLater(qp);
    }

    /**
     * Receives what is sent to a group from now on; as often as it is joined it must be left.
     *
     * @param group the group
     * @throws IOException if the system does not let us
     */
    public synchronized void join(Gid group) throws IOException {
        if (!isOfFamily(group)) {
            return;
        }
        Membership present = groups.get(group);
        if (present == null) {
            Receiver receiver = new Receiver(listen(group), group);
            engine.add(receiver);
            groups.put(group, new Membership(receiver, 1));
        } else {
            groups.put(group, new Membership(present.receiver(), present.count() + 1));
        }
    }

    private DatagramChannel listen(Gid group) throws IOException {
        DatagramChannel socket = socket(gid);
        try {
            socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            socket.configureBlocking(false);
            InetAddress address = address(group, device);
            socket.bind(new InetSocketAddress(address, UDP_PORT));
            socket.join(address, device);
            return socket;
        } catch (IOException | RuntimeException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Leaves a group that was joined.
     *
     * @param group the group
     * @throws IOException if the system reports an error
     */
    public synchronized void leave(Gid group) throws IOException {
        Membership present = groups.remove(group);
        if (present == null) {
            return;
        }
        if (present.count() > 1) {
            groups.put(group, new Membership(present.receiver(), present.count() - 1));
        } else {
            engine.remove(present.receiver());
            present.receiver().channel().close();
        }
    }

    /** Closes the socket and ends the engine. */
    public void close() {
        engine.close();
    }
}
