package io.jverbs.samples.pingpong;

import io.jverbs.Mtu;
import io.jverbs.samples.connect.OwnAddress;

/**
 * What a ping-pong is asked to do: the options, checked.
 *
 * @param host the server to connect to, null to be the server
 * @param tcpPort the TCP port for the exchange of addresses
 * @param device the device's name or selector, null for the one that the system property names
 * @param port the device's port
 * @param size the length of a message in bytes
 * @param mtu the path MTU; of no account for datagrams
 * @param receiveDepth how many receives are posted at a time
 * @param iterations how many messages go each way
 * @param serviceLevel the service level
 * @param events whether to sleep until a completion event, instead of polling
 * @param gidIndex the place of the own GID in the port's table, {@link OwnAddress#NO_GID_INDEX} if it was not given
 * @param check whether contents are checked
 * @param queuePairs how many queue pairs play
 */
record Settings(
        String host, int tcpPort, String device, int port, int size, Mtu mtu, int receiveDepth, int iterations,
        int serviceLevel, boolean events, int gidIndex, boolean check, int queuePairs) {
    boolean isClient() {
        return host != null;
    }
}
