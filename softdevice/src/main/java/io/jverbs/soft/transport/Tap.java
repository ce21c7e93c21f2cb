package io.jverbs.soft.transport;

import io.jverbs.soft.wire.Outgoing;
import io.jverbs.soft.wire.PacketBuffer;

/**
 * Looks at the packets of one device as they leave and arrive. Called by any thread, with locks of queue pairs held: it takes none
 * of those, waits for nothing and throws nothing.
 */
public interface Tap {

    /**
     * A packet of the device's own is written but for its pad and ICRC, and is about to leave; or one of a device within the JVM
     * has arrived, which is known in the same form.
     *
     * @param leaving whether it leaves
     * @param packet the packet, which may be read during the call only
     * @param bytes how many of its bytes before the pad are there: all, or the headers if its payload cannot be read
     * @param sourceHigh the sender's GID, the upper half
     * @param sourceLow the lower half
     * @param destinationHigh the receiver's GID, the upper half
     * @param destinationLow the lower half
     */
    void written(boolean leaving, Outgoing packet, int bytes, long sourceHigh, long sourceLow, long destinationHigh,
            long destinationLow);

    /**
     * A packet has come from the network, nothing of it is checked.
     *
     * @param packet where it begins, which may be read during the call only
     * @param length how long it is, any number
     * @param index how many packets came before it in the same piece
     * @param sourceHigh the sender's address, the upper half
     * @param sourceLow the lower half
     * @param sourcePort the sender's UDP port
     * @param destinationHigh the address that it was sent to, the upper half
     * @param destinationLow the lower half
     */
    void received(PacketBuffer packet, int length, int index, long sourceHigh, long sourceLow, int sourcePort,
            long destinationHigh, long destinationLow);

    /**
     * A queue pair has gone to an error by itself. Called with no lock held.
     *
     * @param qpn its number
     */
    void failed(int qpn);
}
