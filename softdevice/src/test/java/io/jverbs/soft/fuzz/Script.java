package io.jverbs.soft.fuzz;

/** The bytes of an input, one after the other; zeros follow them. */
final class Script {
    private final byte[] bytes;
    private int at;

    Script(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isOver() {
        return at >= bytes.length;
    }

    /** The next byte, 0 to 255. */
    int next() {
        return at < bytes.length ? bytes[at++] & 0xFF : 0;
    }

    /** The next byte, -128 to 127. */
    int nextSigned() {
        return (byte) next();
    }

    int nextInt() {
        return next() << 24 | next() << 16 | next() << 8 | next();
    }
}
