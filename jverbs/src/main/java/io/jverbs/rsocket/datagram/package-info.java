/**
 * Datagrams over RDMA: the protocol of the datagram mode of librdmacm's rsocket, see rsocket(7).
 *
 * <p>
 * The package uses only {@code io.jverbs} and {@code io.jverbs.cm}: a queue pair of type UD for each local address of a
 * socket, with the Q_Key of the port space {@code RDMA_PS_UDP}, and a UDP socket at the same port. A socket that does
 * not know the queue pair of a peer sends the message to it over UDP. The receiver responds over UDP with its own queue
 * pair. Both resolve the address of the other one with the connection manager, and send over RDMA from then on. All
 * numbers are in network byte order.
 *
 * <table>
 * <caption>The header of UDP datagrams, {@code struct ds_udp_header}</caption>
 * <tr><th>bytes</th><th>content</th></tr>
 * <tr><td>0 to 3</td><td>the tag, 0x55555555</td></tr>
 * <tr><td>4</td><td>the version of IP, 4 or 6, which is that of the UDP datagram</td></tr>
 * <tr><td>5</td><td>the operation: 0, data, if a message follows, and 7, control, if not</td></tr>
 * <tr><td>6</td><td>the length of this header, 16 or 28</td></tr>
 * <tr><td>7</td><td>0</td></tr>
 * <tr><td>8 to 11</td><td>the number of the queue pair of the sender, in the lower 24 bits</td></tr>
 * <tr><td>12 to 15, or to 27</td><td>the address of the sender</td></tr>
 * </table>
 *
 * <table>
 * <caption>The header of messages over RDMA, {@code struct ds_header}</caption>
 * <tr><th>bytes</th><th>content</th></tr>
 * <tr><td>0</td><td>the version of IP, 4 or 6</td></tr>
 * <tr><td>1</td><td>the length of this header, 8 or 24</td></tr>
 * <tr><td>2, 3</td><td>the port of the sender</td></tr>
 * <tr><td>4 to 7</td><td>the address of the sender, for IPv4; for IPv6, the flow information, 0</td></tr>
 * <tr><td>8 to 23</td><td>the address of the sender, for IPv6</td></tr>
 * </table>
 *
 * <p>
 * Whatever has another header is dropped and counted. So is a message whose header has another address than its packet,
 * which librdmacm would receive.
 */
package io.jverbs.rsocket.datagram;
