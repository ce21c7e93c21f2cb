package io.jverbs.soft.transport;

import io.jverbs.Gid;
import io.jverbs.soft.memory.SoftPd;
import io.jverbs.spi.Handle;

/**
 * An address handle, or the path of a connected queue pair: an address vector whose source GID has been looked up.
 * Immutable.
 *
 * @param domain the protection domain; null for the path of a connected queue pair
 * @param source the source GID
 * @param destination the destination GID
 * @param trafficClass the traffic class
 * @param hopLimit the hop limit
 * @param flowLabel the flow label
 * @param route the route over the wire; null if the destination is not reached over the wire
 */
public record SoftAh(SoftPd domain, Gid source, Gid destination, int trafficClass, int hopLimit,
        int flowLabel, Route route) implements Handle.Ah {}
