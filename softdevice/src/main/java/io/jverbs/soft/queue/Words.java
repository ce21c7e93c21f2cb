package io.jverbs.soft.queue;

import java.nio.ByteOrder;

/** Packs two adjacent 32-bit fields of a C structure into the long that holds both in native byte order. */
public final class Words {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private Words() {}

    /**
     * {@return the long that holds both fields}
     *
     * @param first the field at the lower address
     * @param second the field at the higher address
     */
    public static long of(int first, int second) {
        return LITTLE_ENDIAN ? first & 0xFFFF_FFFFL | (long) second << 32 : (long) first << 32 | second & 0xFFFF_FFFFL;
    }

    /**
     * {@return the field at the lower address}
     *
     * @param word the long that holds both fields
     */
    public static int first(long word) {
        return (int) (LITTLE_ENDIAN ? word : word >>> 32);
    }

    /**
     * {@return the field at the higher address}
     *
     * @param word the long that holds both fields
     */
    public static int second(long word) {
        return (int) (LITTLE_ENDIAN ? word >>> 32 : word);
    }

    /**
     * {@return the field at the lower address, unsigned}
     *
     * @param word the long that holds both fields
     */
    public static long firstUnsigned(long word) {
        return LITTLE_ENDIAN ? word & 0xFFFF_FFFFL : word >>> 32;
    }

    /**
     * {@return a 32-bit field converted from network byte order to native byte order, or the reverse}
     *
     * @param field the value to convert
     */
    public static int bigEndian(int field) {
        return LITTLE_ENDIAN ? Integer.reverseBytes(field) : field;
    }
}
