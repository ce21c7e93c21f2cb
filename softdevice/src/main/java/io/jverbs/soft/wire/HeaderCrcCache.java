package io.jverbs.soft.wire;

import java.util.Arrays;

/**
 * A cache for the CRC of short packets. The ICRC also covers the headers before the BTH, with the fields that routers
 * change replaced by ones. A CRC is linear: what these headers contribute is the same for all packets of one length and
 * one IPv4 ID between the same addresses, so it is computed once. On a hit, no header is written, and one call computes
 * the CRC over the packet's own bytes. Long packets would gain next to nothing. Not thread-safe.
 */
final class HeaderCrcCache {
    /** The maximum length, without ICRC, of packets for which the cache pays off. */
    static final int MAX_LENGTH = 512;

    private static final int SLOTS = 64;
    /** Spreads IDs over the slots, so that a packet and an acknowledgement after it use different slots. */
    private static final int SPREAD = 37;
    private static final int NONE = -1;

    private final int[] keys = new int[SLOTS];
    private final int[] contributions = new int[SLOTS];
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int ports;
    private boolean hasAddresses;

    /** Returns whether these are the addresses that the cache was last reset to. */
    boolean isFor(long fromHigh, long fromLow, long toHigh, long toLow, int bothPorts) {
        return hasAddresses && toLow == destinationLow && fromLow == sourceLow && bothPorts == ports
                && toHigh == destinationHigh
                && fromHigh == sourceHigh;
    }

    /** Sets the addresses of the next packets, and clears the cache. */
    void reset(long fromHigh, long fromLow, long toHigh, long toLow, int bothPorts) {
        sourceHigh = fromHigh;
        sourceLow = fromLow;
        destinationHigh = toHigh;
        destinationLow = toLow;
        ports = bothPorts;
        hasAddresses = true;
        Arrays.fill(keys, NONE);
    }

    private static int key(int length, int id) {
        return length << 16 | id;
    }

    private static int slot(int length, int id) {
        return length / 4 + id * SPREAD & SLOTS - 1;
    }

    /**
     * Returns whether the contribution for packets of a length and an ID is cached. The length is at most
     * {@link #MAX_LENGTH}, and addresses have been set.
     */
    boolean has(int length, int id) {
        return keys[slot(length, id)] == key(length, id);
    }

    int get(int length, int id) {
        return contributions[slot(length, id)];
    }

    void put(int length, int id, int contribution) {
        keys[slot(length, id)] = key(length, id);
        contributions[slot(length, id)] = contribution;
    }
}
