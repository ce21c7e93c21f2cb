package io.jverbs.soft.transport;

import io.jverbs.Gid;
import io.jverbs.soft.memory.Domain;
import io.jverbs.spi.Handle;

/**
 * A path: an address handle, or the address vector of a connected queue pair, with the source GID looked up.
 *
 * @param domain the protection domain, null for an address vector
 * @param source the source GID
 * @param destination the destination GID
 * @param trafficClass the traffic class
 * @param hopLimit the hop limit
 * @param flowLabel the flow label
 * @param route the way over the wire, or null
 */
public record SoftAh(Domain domain, Gid source, Gid destination, int trafficClass, int hopLimit,
        int flowLabel, Route route) implements Handle.Ah {}
