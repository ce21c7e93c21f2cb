package io.jverbs.bench.wire;

/** The packets of a message, as a reliable connection of path MTU 4096 sends them. */
final class Packets {
    /** The path MTU. */
    static final int MTU = 4096;
    /** BTH and ICRC. */
    private static final int OVERHEAD = 16;

    private Packets() {}

    /** How many there are. */
    static int count(int messageBytes) {
        return Math.max(1, (messageBytes + MTU - 1) / MTU);
    }

    /** The length of each, as a datagram. */
    static int bytes(int messageBytes) {
        return Math.min(messageBytes, MTU) + OVERHEAD;
    }
}
