package io.jverbs.soft.fabric.udp;

import io.jverbs.Gid;
import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Roce;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.HashMap;
import java.util.Map;

/**
 * The routes from one local address: one for each destination that is in use, so that packets to the same destination
 * can be sent together. A route exists while a queue pair or address handle uses it; until then, an address that this
 * host gets or loses meanwhile counts as what it was. Thread-safe.
 */
final class RouteTable {
    private final Gid gid;
    private final NetworkInterface device;
    private final Datagrams socket;
    private final CongestionControlType congestionControl;
    private final LocalAddresses localAddresses = new LocalAddresses();
    private final Map<Gid, RouteReference> routes = new HashMap<>();
    /** References to routes that are no longer used. */
    private final ReferenceQueue<Route> unused = new ReferenceQueue<>();

    private static final class RouteReference extends WeakReference<Route> {
        final Gid destination;

        RouteReference(Route route, ReferenceQueue<Route> unused) {
            super(route, unused);
            destination = route.destination();
        }
    }

    /**
     * @param gid the local address
     * @param device the interface that has it, or null
     * @param socket the socket that sends
     * @param congestionControl the congestion control of each path
     */
    RouteTable(Gid gid, NetworkInterface device, Datagrams socket, CongestionControlType congestionControl) {
        this.gid = gid;
        this.device = device;
        this.socket = socket;
        this.congestionControl = congestionControl;
    }

    /** Returns the route to a destination of the same address family. */
    synchronized Route route(Gid destination) {
        while (unused.poll() instanceof RouteReference gone) {
            routes.remove(gone.destination, gone);
        }
        RouteReference present = routes.get(destination);
        Route route = present == null ? null : present.get();
        if (route == null) {
            InetAddress address = UdpAddress.address(destination, device);
            route = new Route(gid, destination, socket.address(new InetSocketAddress(address, Roce.UDP_PORT)),
                    new PathWindow(socket.capacity(), congestionControl, localAddresses.contains(address)));
            routes.put(destination, new RouteReference(route, unused));
        }
        return route;
    }
}
