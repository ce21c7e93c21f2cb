package io.jverbs.rsocket.datagram;

/**
 * What a datagram socket has sent, received and dropped since it was opened. Immutable.
 *
 * @param sent the datagrams that were sent over RDMA
 * @param sentOverUdp the datagrams that were sent over UDP, because the queue pair of the peer was not known yet
 * @param received the datagrams that were received, over RDMA or UDP, those that wait included
 * @param receivedOverUdp those of the received datagrams that came over UDP
 * @param droppedHeaders what was dropped because its header is none that an rsocket sends: its tag, version, length,
 *        operation, queue pair number or port
 * @param droppedAddresses what was dropped because its header has another address than its sender
 * @param droppedStrangers what was dropped because this socket is connected to another peer
 * @param droppedNoRoom what came over UDP and was dropped because all buffers or both were in use, or could not be sent
 *        over UDP
 * @param droppedNoRoute what came over UDP and was dropped because the device has no local address to its sender, or
 *        all places for peers were in use
 * @param failedResolutions how often the address of a peer could not be resolved
 * @param failedSends the datagrams that the device has not sent
 */
public record RdmaDatagramCounters(long sent, long sentOverUdp, long received, long receivedOverUdp,
        long droppedHeaders, long droppedAddresses, long droppedStrangers, long droppedNoRoom, long droppedNoRoute,
        long failedResolutions, long failedSends) {}
