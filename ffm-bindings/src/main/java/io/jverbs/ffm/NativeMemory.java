package io.jverbs.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Access to native memory by address, for objects that the library created. Nothing is checked: an address that is not
 * mapped crashes the JVM. Values are in native byte order and may be unaligned. A negative address throws {@link
 * IndexOutOfBoundsException}. Any thread may call any method; accesses are not volatile.
 */
public final class NativeMemory {

    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /**
     * {@return a segment of native memory that this program does not own}
     *
     * @param address the address of its first byte
     * @param bytes its length in bytes
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
     * {@return the 16-bit value at an address}
     *
     * @param address the address
     */
    public static short getShort(long address) {
        return ALL.get(ValueLayout.JAVA_SHORT_UNALIGNED, address);
    }

    /**
     * {@return the 32-bit value at an address}
     *
     * @param address the address
     */
    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    /**
     * {@return the 64-bit value at an address, also a pointer}
     *
     * @param address the address
     */
    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    /**
     * Writes a 32-bit value.
     *
     * @param address the address
     * @param value the value
     */
    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    /**
     * Writes a 64-bit value.
     *
     * @param address the address
     * @param value the value
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
