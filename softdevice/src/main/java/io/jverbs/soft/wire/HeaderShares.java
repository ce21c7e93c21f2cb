package io.jverbs.soft.wire;

import java.util.Arrays;

/**
 * What the headers before the BTH, and the ones that stand for what routers change, add to the CRC of a short packet. A CRC is
 * linear, so that is the same for all packets of one length and one ID between the same addresses: of such a packet no header is
 * written, and the checksum of its own bytes is taken in one call. Of long packets that would save next to nothing.
 */
final class HeaderShares {
    /** The longest packet, without its ICRC, for which this is worth it. */
    static final int MAX_LENGTH = 512;

    private static final int SLOTS = 64;
    /** Spreads IDs, so that a packet and an acknowledgement behind it have places of their own. */
    private static final int SPREAD = 37;
    private static final int NONE = -1;

    private final int[] keys = new int[SLOTS];
    private final int[] shares = new int[SLOTS];
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int ports;
    private boolean told;

    /** Whether these are the addresses that were told last. */
    boolean isBetween(long fromHigh, long fromLow, long toHigh, long toLow, int bothPorts) {
        return told && toLow == destinationLow && fromLow == sourceLow && bothPorts == ports
                && toHigh == destinationHigh
                && fromHigh == sourceHigh;
    }

    /** Says whose packets come next; what is known of others is forgotten. */
    void between(long fromHigh, long fromLow, long toHigh, long toLow, int bothPorts) {
        sourceHigh = fromHigh;
        sourceLow = fromLow;
        destinationHigh = toHigh;
        destinationLow = toLow;
        ports = bothPorts;
        told = true;
        Arrays.fill(keys, NONE);
    }

    private static int key(int length, int id) {
        return length << 16 | id;
    }

    private static int slot(int length, int id) {
        return length / 4 + id * SPREAD & SLOTS - 1;
    }

    /** Whether the share of packets of a length, at most {@link #MAX_LENGTH}, and an ID is known; addresses have been told. */
    boolean has(int length, int id) {
        return keys[slot(length, id)] == key(length, id);
    }

    int get(int length, int id) {
        return shares[slot(length, id)];
    }

    void put(int length, int id, int share) {
        keys[slot(length, id)] = key(length, id);
        shares[slot(length, id)] = share;
    }
}
