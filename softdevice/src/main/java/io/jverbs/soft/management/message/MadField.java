package io.jverbs.soft.management.message;

/**
 * A number in a management datagram: consecutive bits, the most significant one first, as in the tables of the
 * specification. Immutable.
 *
 * @param firstBit the number of bits before it in the datagram
 * @param bits its number of bits, 1 to 64; the field is in at most 8 bytes
 */
record MadField(int firstBit, int bits) {
    private static final int BYTE_SHIFT = 3;

    /** A field that begins with the most significant bit of a byte. */
    static MadField at(int offset, int bits) {
        return new MadField(Byte.SIZE * offset, bits);
    }

    /** A field that begins within a byte: {@code before} bits precede it in this byte. */
    static MadField at(int offset, int before, int bits) {
        return new MadField(Byte.SIZE * offset + before, bits);
    }

    /** Returns a field of the same size that begins a number of bytes later. */
    MadField plus(int bytes) {
        return new MadField(firstBit + Byte.SIZE * bytes, bits);
    }

    /** Returns the number as an unsigned value, unless it has 64 bits. */
    long get(byte[] datagram) {
        int end = firstBit + bits;
        long value = 0;
        for (int at = firstBit >>> BYTE_SHIFT; at << BYTE_SHIFT < end; at++) {
            value = value << Byte.SIZE | datagram[at] & 0xFF;
        }
        return value >>> trailingBits() & mask();
    }

    /** Writes the low bits of a value. */
    void set(byte[] datagram, long value) {
        long cleared = mask() << trailingBits();
        long written = (value & mask()) << trailingBits();
        for (int at = firstBit + bits - 1 >>> BYTE_SHIFT; at >= firstBit >>> BYTE_SHIFT; at--) {
            datagram[at] = (byte) (datagram[at] & ~cleared | written);
            cleared >>>= Byte.SIZE;
            written >>>= Byte.SIZE;
        }
    }

    /** The number of bits after the field in its last byte. */
    private int trailingBits() {
        return -(firstBit + bits) & Byte.SIZE - 1;
    }

    private long mask() {
        return -1L >>> Long.SIZE - bits;
    }
}
