package io.jverbs.control;

import java.util.function.IntPredicate;

/**
 * Loses packets that arrive at a device, of any context. A message from within the JVM arrives as one packet. Messages to
 * multicast groups are not concerned. Safe for use by many threads.
 */
public interface PacketLoss {

    /**
     * Has packets judged, besides by those that judge already.
     *
     * @param filter given the number of the queue pair that a packet is for, tells whether it is lost. It is called by whichever
     *            thread delivers, with locks of the device held: it must not block and not call verbs
     */
    void add(IntPredicate filter);

    /**
     * Has packets judged by a filter no more; no effect if it is not there.
     *
     * @param filter what was added
     */
    void remove(IntPredicate filter);
}
