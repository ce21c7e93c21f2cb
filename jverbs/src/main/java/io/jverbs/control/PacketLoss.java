package io.jverbs.control;

import java.util.function.IntPredicate;

/**
 * Drops packets that arrive at a device, for queue pairs of any context. A message from a queue pair in the same JVM
 * arrives as one packet. A packet to a multicast group counts as one packet for each attached queue pair. Thread-safe.
 */
public interface PacketLoss {

    /**
     * Adds a filter. A packet is dropped if any filter says so.
     *
     * @param filter gets the number of the destination queue pair and returns whether the packet is dropped. It is
     *         called by the thread that delivers the packet, with locks of the device held: it must not block and must
     *         not call verbs
     */
    void add(IntPredicate filter);

    /**
     * Removes a filter. No effect if it was not added.
     *
     * @param filter the filter
     */
    void remove(IntPredicate filter);
}
