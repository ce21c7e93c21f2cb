package io.jverbs.soft.transport;

import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.Tap;

/** The port of a queue pair, as the state machines see it. Each query costs one read. Thread-safe. */
public interface Port {

    /** {@return the name of the device} */
    String device();

    /** {@return whether the link is up} */
    boolean isUp();

    /**
     * {@return whether a packet that arrives reaches a queue pair: the link is up, and no filter loses it} Otherwise it
     * is counted.
     *
     * @param qpn the number of the queue pair, which for a multicast packet is that of a member of the group
     */
    boolean admits(int qpn);

    /**
     * {@return whether packets with a source GID are sent: the link is up and the GID is in the GID table}
     *
     * @param gidHigh the upper half of the source GID
     * @param gidLow the lower half of the source GID
     */
    boolean sends(long gidHigh, long gidLow);

    /**
     * {@return an entry of the P_Key table}
     *
     * @param index an index within the table
     */
    int pkey(int index);

    /** {@return the active MTU in bytes} */
    int mtu();

    /** {@return the tap that receives the packets of the port, or null if they are not captured} */
    Tap tap();

    /**
     * Increments a counter.
     *
     * @param counter the counter
     */
    void count(Counter counter);
}
