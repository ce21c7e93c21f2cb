package io.jverbs.soft.transport;

/**
 * How many packets a connection may have under way: grows by one a round trip while all is well, halves when packets are lost.
 * The greatest is what the socket buffers of an ordinary Linux receiver hold.
 */
final class Window {
    private static final int INITIAL = 16;
    private static final int LEAST = 2;
    /** Of the 208 KiB that a socket buffer has, a packet takes twice its size. */
    private static final int MOST_BYTES = 96 << 10;
    private static final int MOST = 64;
    /** Packets that arrive in one piece take little more than their size. */
    private static final int MOST_BYTES_IN_PIECES = 180 << 10;
    private static final int MOST_IN_PIECES = 256;

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

    /** Takes over the path MTU, and whether many packets leave with one call. */
    void limit(int mtu, boolean inPieces) {
        most = inPieces
                ? Math.min(MOST_BYTES_IN_PIECES / mtu, MOST_IN_PIECES)
                : Math.clamp(MOST_BYTES / mtu, LEAST, MOST);
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
