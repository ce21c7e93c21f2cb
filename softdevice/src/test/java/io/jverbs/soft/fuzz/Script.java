package io.jverbs.soft.fuzz;

/** Reads the bytes of an input sequentially; after the end it returns zeros. */
final class Script {
    private final byte[] bytes;
    private int at;

    Script(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isOver() {
        return at >= bytes.length;
    }

    /** Returns the next byte, 0 to 255. */
    int next() {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    /** Returns the next byte, -128 to 127. */
    int nextSigned() {
        return (byte) next();
    }

    int nextInt() {
        return next() << 24 | next() << 16 | next() << 8 | next();
    }
}
