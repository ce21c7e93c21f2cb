package io.jverbs.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Memory by its address, for what the library made. Nothing is checked: an address that is not mapped crashes the JVM.
 * Values are in the machine's byte order and may be unaligned. A negative address is an {@link
 * IndexOutOfBoundsException}.
 */
public final class NativeMemory {

    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /**
     * {@return a segment of native memory that this program does not own}
     *
     * @param address its first byte
     * @param bytes its length
     */
    public static MemorySegment segment(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }

    /**
     * {@return the byte at an address}
     *
     * @param address the address
     */
    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    /**
     * {@return the two bytes at an address}
     *
     * @param address the address
     */
    public static short getShort(long address) {
        return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
    }

    /**
     * {@return the four bytes at an address}
     *
     * @param address the address
     */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /**
     * {@return the eight bytes at an address, as a pointer is read too}
     *
     * @param address the address
     */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Writes four bytes.
     *
     * @param address where
     * @param value what
     */
    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Writes eight bytes.
     *
     * @param address where
     * @param value what
     */
    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /**
     * {@return the C string at an address}
     *
     * @param address the address of its first byte
     */
    public static String string(long address) {
        return ALL.getString(address);
    }
}
