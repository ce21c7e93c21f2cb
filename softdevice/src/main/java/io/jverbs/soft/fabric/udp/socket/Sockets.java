package io.jverbs.soft.fabric.udp.socket;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/** Opens the sockets of a device, all of the same kind. */
public interface Sockets {
    /** The size that the sockets request for the send buffer and for the receive buffer, in bytes. */
    int SOCKET_BUFFER = 4 << 20;

    /**
     * Opens a socket that does not fragment packets, with the largest buffers that the system grants.
     *
     * @param own the address to bind
     * @param device the interface for packets to multicast groups
     */
    Datagrams open(InetSocketAddress own, NetworkInterface device) throws IOException;

    /**
     * Opens a socket that receives packets to a multicast group. Other sockets may receive them at the same time.
     *
     * @param group the group
     * @param device the interface on which the group is joined
     */
    Datagrams listen(InetSocketAddress group, NetworkInterface device) throws IOException;

    /** {@return whether the marks of congestion (CE of ECN) of packets that arrive are read} */
    default boolean readsCongestionMarks() {
        return false;
    }

    /**
     * {@return whether a virtual thread shall receive for others that wait} It can if the receive calls wait for no
     * lock or monitor of the JDK, for which a virtual thread is unmounted.
     */
    boolean suitVirtualReceiver();

    /** {@return a poller in which a thread can wait for packets} */
    SocketPoller poller() throws IOException;
}
