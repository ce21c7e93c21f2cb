package io.jverbs.rsocket.datagram;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The peers of a socket by their addresses. The lock of the socket guards it, except for {@link #find}. Peers to which
 * the program has not sent are the first that lose their places: so strangers do not displace those that it uses.
 */
final class DestinationTable {
    private final Map<InetSocketAddress, Destination> destinations = new ConcurrentHashMap<>();
    private final int maximum;
    private long uses;

    DestinationTable(int maximum) {
        this.maximum = maximum;
    }

    /** Returns a peer, or null. Any thread may call this. */
    Destination find(InetSocketAddress address) {
        return destinations.get(address);
    }

    /** Notes that the program sends to a peer. */
    void use(Destination destination) {
        uses++;
        destination.used(uses);
    }

    /**
     * Adds a peer, maybe in the place of another one.
     *
     * @param kept a peer that keeps its place, or null
     * @return false if all places are taken by peers that are in use
     */
    boolean add(Destination destination, Destination kept) {
        if (destinations.size() >= maximum && !removeOldest(kept)) {
            return false;
        }
        destinations.put(destination.address(), destination);
        return true;
    }

    private boolean removeOldest(Destination kept) {
        Destination oldest = null;
        for (Destination each : destinations.values()) {
            if (each != kept && each.isRemovable() && (oldest == null || each.lastUse() < oldest.lastUse())) {
                oldest = each;
            }
        }
        if (oldest == null) {
            return false;
        }
        destinations.remove(oldest.address());
        oldest.remove();
        return true;
    }

    /** Removes all peers. */
    void clear() {
        destinations.values().forEach(Destination::remove);
        destinations.clear();
    }
}
