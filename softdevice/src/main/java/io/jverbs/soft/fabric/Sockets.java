package io.jverbs.soft.fabric;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;

/** Makes the sockets of a device, all of one kind. */
interface Sockets {
    /** What the sockets ask the system for, in each direction. */
    int SOCKET_BUFFER = 4 << 20;

    /**
     * Opens a socket that does not fragment, with the greatest buffers that the system gives.
     *
     * @param own its address
     * @param device the interface over which it sends to groups
     */
    Datagrams open(InetSocketAddress own, NetworkInterface device) throws IOException;

    /**
     * Opens a socket that receives what is sent to a group, as others may at the same time.
     *
     * @param group the group
     * @param device the interface on which it is joined
     */
    Datagrams listen(InetSocketAddress group, NetworkInterface device) throws IOException;

    /** {@return what a thread waits with} */
    Watch watch() throws IOException;
}
