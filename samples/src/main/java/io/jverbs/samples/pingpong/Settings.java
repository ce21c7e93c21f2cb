package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.connect.LocalAddress;

/**
 * The checked options of a ping-pong.
 *
 * @param host the server to connect to, null to be the server
 * @param tcpPort the TCP port for the exchange of addresses
 * @param device the name or selector of the device, null for the device that the system property selects
 * @param port the device's port
 * @param size the length of a message in bytes
 * @param mtu the path MTU; ignored for datagrams
 * @param receiveDepth the number of posted receives
 * @param iterations the number of messages in each direction
 * @param serviceLevel the service level
 * @param events whether to wait for completion events instead of polling
 * @param gidIndex the index of the local GID in the port's GID table, {@link LocalAddress#NO_GID_INDEX} if not given
 * @param check whether contents are checked
 * @param queuePairs the number of queue pairs
 * @param rdmaCm whether rdma_cm connects the sides; otherwise they exchange their addresses over TCP
 */
record Settings(
        String host, int tcpPort, String device, int port, int size, Mtu mtu, int receiveDepth, int iterations,
        int serviceLevel, boolean events, int gidIndex, boolean check, int queuePairs,
        boolean rdmaCm) {
    boolean isClient() {
        return host != null;
    }
}
