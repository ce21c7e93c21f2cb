package io.jverbs.soft.protocol;

import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.SendBuffer;

/**
 * Receives the packets that a device sends and receives, for capture. The methods are called by any thread and with
 * locks of queue pairs held: an implementation takes no lock of a queue pair, does not block and throws nothing.
 */
public interface Tap {

    /**
     * Receives a packet without pad bytes and ICRC: a packet that the device is about to send, or one that a device
     * within the JVM has sent to it.
     *
     * @param leaving whether the device sends the packet
     * @param packet the packet, which may be read only during the call
     * @param bytes the number of bytes before the pad that are present: all, or only the headers if the payload cannot
     *        be read
     * @param sourceHigh the upper half of the sender's GID
     * @param sourceLow the lower half of the sender's GID
     * @param destinationHigh the upper half of the receiver's GID
     * @param destinationLow the lower half of the receiver's GID
     */
    void written(boolean leaving, SendBuffer packet, int bytes, long sourceHigh, long sourceLow, long destinationHigh,
            long destinationLow);

    /**
     * Receives a packet that has arrived from the network. The packet has not been checked.
     *
     * @param packet the start of the packet, which may be read only during the call
     * @param length the length of the packet in bytes; any value is possible
     * @param index the number of packets before it in the same coalesced message (UDP_GRO)
     * @param sourceHigh the upper half of the sender's GID
     * @param sourceLow the lower half of the sender's GID
     * @param sourcePort the sender's UDP port
     * @param destinationHigh the upper half of the destination GID
     * @param destinationLow the lower half of the destination GID
     */
    void received(PacketBuffer packet, int length, int index, long sourceHigh, long sourceLow, int sourcePort,
            long destinationHigh, long destinationLow);

    /**
     * Receives the notice that a queue pair went to ERR or SQE because of a failure. Called with no lock held.
     *
     * @param qpn the QPN
     */
    void failed(int qpn);
}
