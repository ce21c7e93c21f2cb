package io.jverbs.soft.management.message;

/**
 * A number in a management datagram: consecutive bits, the most significant one first, as in the tables of the
 * specification. Immutable.
 *
 * @param firstBit the number of bits before it in the datagram
 * @param bits its number of bits, 1 to 64
 */
record MadField(int firstBit, int bits) {

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
        long value = 0;
        for (int bit = firstBit; bit < firstBit + bits; bit++) {
            value = value << 1 | datagram[bit >>> 3] >>> 7 - (bit & 7) & 1;
        }
        return value;
    }

    /** Writes the low bits of a value. */
    void set(byte[] datagram, long value) {
        long rest = value;
        for (int bit = firstBit + bits - 1; bit >= firstBit; bit--) {
            int mask = 1 << 7 - (bit & 7);
            int others = datagram[bit >>> 3] & ~mask;
            datagram[bit >>> 3] = (byte) ((rest & 1) == 0 ? others : others | mask);
            rest >>>= 1;
        }
    }
}
