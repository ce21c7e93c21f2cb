package io.jverbs.bench.wire;

/** The packets of a message over a reliable connection with path MTU 4096. */
final class Packets {
    /** The path MTU. */
    static final int MTU = 4096;
    /** The length of BTH and ICRC. */
    private static final int OVERHEAD = 16;

    private Packets() {}

    /** {@return the number of packets of a message} */
    static int count(int messageBytes) {
        return Math.max(1, (messageBytes + MTU - 1) / MTU);
    }

    /** {@return the length of each packet as a datagram} */
    static int bytes(int messageBytes) {
        return Math.min(messageBytes, MTU) + OVERHEAD;
    }
}
