package io.jverbs.soft.transport;

/**
 * How many packets a connection may have under way: grows by one a round trip while all is well, halves when packets are lost.
 * The greatest is the {@link Capacity} of the way.
 */
final class Window {
    private static final int INITIAL = 16;
    private static final int LEAST = 2;

    private int size = INITIAL;
    private int most = INITIAL;
    /** Below it, what is acknowledged doubles the size within a round trip. */
    private int threshold = INITIAL;
    private int acknowledged;

    void reset() {
        size = Math.min(INITIAL, most);
        threshold = size;
        acknowledged = 0;
    }

    /** Takes over the path MTU, and what the way to the peer holds. */
    void limit(int mtu, Capacity capacity) {
        most = capacity.packets(mtu);
        size = Math.min(size, most);
    }

    int size() {
        return size;
    }

    /** What it can grow to. */
    int most() {
        return most;
    }

    void acknowledged(int packets) {
        if (size < threshold) {
            size = Math.min(size + packets, threshold);
            return;
        }
        acknowledged += packets;
        if (acknowledged >= size) {
            acknowledged = 0;
            size = Math.min(size + 1, most);
        }
    }

    /** The peer says that packets are missing. */
    void lost() {
        size = Math.max(LEAST, size / 2);
        threshold = size;
        acknowledged = 0;
    }

    /** Nothing came back at all: one packet at a time tries again. */
    void silent() {
        threshold = Math.max(LEAST, size / 2);
        size = 1;
        acknowledged = 0;
    }
}
