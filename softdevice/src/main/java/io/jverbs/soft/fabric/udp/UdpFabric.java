package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.VerbsException;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.PacketSource;
import io.jverbs.soft.fabric.ServiceTypes;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.Sockets;
import io.jverbs.soft.fabric.udp.socket.SocketsFactory;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Tap;
import io.jverbs.soft.transport.Outbox;
import io.jverbs.soft.transport.PacketNetwork;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.ClosedChannelException;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A fabric over UDP: a socket that is bound to one address, for peers with addresses of the same family. The socket is
 * not connected and does not fragment. Only then does Linux send IPv4 packets with IDs that are known, which their ICRC
 * covers: 0, or in a segmented message 0, 1, 2 and so on. IPv6 packets have no ID. Any thread may send; the
 * {@link ReceiveEngine} receives.
 */
public final class UdpFabric implements Fabric, PacketNetwork, PacketSource {
    private static final Logger LOG = LoggerFactory.getLogger(UdpFabric.class);
    private static final int POOL = 16;

    private final Gid gid;
    private final Datagrams socket;
    /** The socket, or the socket with a tap. */
    private volatile Datagrams output;
    private final Sockets sockets;
    private final AtomicReferenceArray<SendBuffer> pool = new AtomicReferenceArray<>(POOL);
    private final ReceiveEngine engine;
    private final PathWindow readWindow;
    private volatile SoftPort port;
    private volatile boolean failureLogged;
    private final NetworkInterface device;
    private final Mtu mtu;
    private final LocalNetwork network;
    private final RandomGenerator random;
    private final Map<Gid, Membership> groups = new HashMap<>();
    private final RouteTable routes;
    private final CongestionControlType congestionControl;

    private record Membership(Receiver receiver, int count) {}

    /**
     * Uses a socket that is open.
     *
     * @param sockets opens other sockets of the same kind
     */
    UdpFabric(Gid gid, Datagrams socket, Sockets sockets, NetworkInterface device, Mtu mtu, LocalNetwork network,
            RandomGenerator random, CongestionControlType congestionControl) {
        this.congestionControl = congestionControl;
        this.random = random;
        this.device = device;
        this.mtu = mtu;
        this.network = network;
        this.gid = gid;
        this.socket = socket;
        this.output = socket;
        this.sockets = sockets;
        this.routes = new RouteTable(gid, device, socket, congestionControl);
        this.readWindow = new PathWindow(socket.readCapacity(), CongestionControlType.WINDOW, true);
        this.engine = new ReceiveEngine(gid, name(), socket, sockets, network.deferredQueue());
    }

    /**
     * Opens the socket.
     *
     * @param gid a local address
     * @param device the network interface that has the address
     * @param mtu the largest path MTU that the interface carries
     * @param network the network within the JVM
     * @param congestionControl the congestion control of each path
     * @return the fabric; nothing is received before {@link #start}
     * @throws IOException if there is no such address, or the port is in use
     * @throws UnsupportedOperationException if {@link UdpAddress#hasFamily} returns false
     * @throws IllegalArgumentException if the system property {@code jverbs.soft.udp} has a value that is not allowed
     * @throws VerbsException if the property requires sockets that are not available
     */
    static UdpFabric open(Gid gid, NetworkInterface device, Mtu mtu, LocalNetwork network,
            CongestionControlType congestionControl) throws IOException {
        Sockets sockets = SocketsFactory.sockets(congestionControl.isEcnCapable());
        Datagrams socket = sockets.open(new InetSocketAddress(UdpAddress.address(gid, device), Roce.UDP_PORT), device);
        try {
            if (congestionControl.isEcnCapable() && !sockets.readsCongestionMarks()) {
                LOG.warn("Software device {} has the congestion control {} and sockets of kind {}, which do not read"
                        + " marks of congestion: it sends packets as ECN-capable, and sends no CNPs for those that"
                        + " arrive with the mark", UdpAddress.name(gid, device), congestionControl.word(), sockets);
            }
            LOG.debug("Software device {} has sockets of kind {}", UdpAddress.name(gid, device), sockets);
            return new UdpFabric(gid, socket, sockets, device, mtu, network, new SecureRandom(), congestionControl);
        } catch (RuntimeException | Error e) {
            socket.close();
            throw e;
        }
    }

    /** {@return the text of the device's address} */
    @Override
    public String name() {
        return UdpAddress.name(gid, device);
    }

    /** Returns the engine that receives packets. */
    ReceiveEngine engine() {
        return engine;
    }

    @Override
    public Gid gid() {
        return gid;
    }

    @Override
    public Mtu mtu() {
        return mtu;
    }

    @Override
    public LocalNetwork network() {
        return network;
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public PacketNetwork wire() {
        return this;
    }

    @Override
    public PacketSource packets() {
        return this;
    }

    /** Returns the congestion control of each path. */
    CongestionControlType congestionControl() {
        return congestionControl;
    }

    @Override
    public ServiceTypes services() {
        return ServiceTypes.ROCE;
    }

    @Override
    public EventWait completionWait() {
        return engine.completionWait();
    }

    @Override
    public void serve(SoftPort port) {
        this.port = port;
        engine.serve(port, new Outbox(this));
        port.onTap(this::tap);
    }

    @Override
    public void start() {
        try {
            engine.start();
        } catch (IOException e) {
            throw OpenFailure.of(name(), gid, device, e);
        }
    }

    @Override
    public boolean poll() {
        return engine.poll();
    }

    @Override
    public boolean pollAfterYield() {
        return engine.pollAlways();
    }

    @Override
    public void listen() {
        engine.listen();
    }

    @Override
    public Route route(Gid source, Gid destination) {
        // a socket would treat the zero address as the loopback address
        boolean reachable = source.equals(gid) && isOfFamily(destination) && !destination.isZero();
        return reachable ? routes.route(destination) : null;
    }

    private boolean isOfFamily(Gid other) {
        return other.isIpv4Mapped() == gid.isIpv4Mapped();
    }

    @Override
    public int maxBatch(int bytes) {
        return socket.maxBatch(bytes);
    }

    @Override
    public SendBuffer acquire() {
        for (int i = 0; i < POOL; i++) {
            if (pool.get(i) != null) {
                SendBuffer free = pool.getAndSet(i, null);
                if (free != null) {
                    return free;
                }
            }
        }
        return socket.newOutgoing();
    }

    @Override
    public void release(SendBuffer packet) {
        try {
            socket.flush(packet);
        } catch (IOException e) {
            sendFailed(e);
        }
        countLost(packet);
        for (int i = 0; i < POOL; i++) {
            if (pool.get(i) == null && pool.compareAndSet(i, null, packet)) {
                return;
            }
        }
    }

    @Override
    public void send(SendBuffer packet, Route route) {
        SoftPort servedPort = port;
        if (servedPort != null && !servedPort.sends(gid.high(), gid.low())) {
            // the packet is dropped: the next one overwrites it
            return;
        }
        try {
            output.send(packet, route);
        } catch (IOException e) {
            sendFailed(e);
        }
        countLost(packet);
    }

    private void countLost(SendBuffer packets) {
        SoftPort servedPort = port;
        for (int left = packets.takeLost(); left > 0 && servedPort != null; left--) {
            servedPort.count(Counter.SEND_BUFFER_FULL);
        }
    }

    /**
     * Counts and logs that packets could not be sent. The packets are dropped; RC retransmits them. The next ones
     * probably cannot be sent either, so the first failure is logged at level WARN.
     */
    private void sendFailed(IOException e) {
        if (e instanceof ClosedChannelException) {
            return;
        }
        SoftPort servedPort = port;
        if (servedPort != null) {
            for (int i = -1; i < e.getSuppressed().length; i++) {
                servedPort.count(Counter.SEND_ERROR);
            }
        }
        if (!failureLogged) {
            failureLogged = true;
            LOG.warn(
                    "Software device {} could not send: {}. Check the routes, the firewall, and the MTU of its"
                            + " interface. The counter send_err counts these failures; only the first is logged.",
                    name(), e.toString());
        }
    }

    /** Sets the tap for packets from now on, null for none. */
    private void tap(Tap tap) {
        output = tap == null ? socket : new TappedDatagrams(socket, gid, tap);
        engine.tap(tap);
    }

    @Override
    public boolean receivePending(boolean waits) {
        return engine.catchUp(waits);
    }

    @Override
    public void awaitTurn() {
        engine.awaitTurn();
    }

    @Override
    public void scheduleResponses(SoftQp qp) {
        engine.scheduleResponses(qp);
    }

    @Override
    public void scheduleResponsesNow(SoftQp qp) {
        engine.scheduleResponsesNow(qp);
    }

    @Override
    public PathWindow readWindow() {
        return readWindow;
    }

    @Override
    public synchronized void join(Gid group) throws IOException {
        if (!isOfFamily(group)) {
            return;
        }
        Membership present = groups.get(group);
        if (present == null) {
            Datagrams listening = sockets.listen(
                    new InetSocketAddress(UdpAddress.address(group, device), Roce.UDP_PORT), device);
            try {
                Receiver receiver = new Receiver(listening, group);
                groups.put(group, new Membership(receiver, 1));
                engine.add(receiver);
            } catch (IOException | RuntimeException | Error e) {
                groups.remove(group);
                listening.close();
                throw e;
            }
        } else {
            groups.put(group, new Membership(present.receiver(), present.count() + 1));
        }
    }

    @Override
    public synchronized void leave(Gid group) throws IOException {
        Membership present = groups.get(group);
        if (present == null) {
            return;
        }
        if (present.count() > 1) {
            groups.put(group, new Membership(present.receiver(), present.count() - 1));
        } else {
            // first, because it can be repeated
            engine.remove(present.receiver());
            groups.remove(group);
        }
    }

    /** Closes the sockets and ends the engine. */
    @Override
    public void close() {
        engine.close();
    }
}
