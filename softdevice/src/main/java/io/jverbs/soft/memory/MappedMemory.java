package io.jverbs.soft.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * Support for access to memory that a file backs. Such memory may disappear at any time: if the file is truncated, an
 * access raises SIGBUS. HotSpot turns the signal into an {@link InternalError}. However, compiled code continues after
 * the failed access, and the error is delivered at a later safepoint poll, possibly in a caller. Therefore code that
 * has accessed mapped memory calls {@link #deliverFault()} before it uses the result, inside the {@code try} statement
 * that catches the error.
 *
 * <p>
 * The call costs about 16 ns, so it is made for mapped segments only ({@link MemorySegment#isMapped()}).
 *
 * <p>
 * An atomic operation on memory that does not exist crashes the JVM if HotSpot has not compiled it. Therefore an atomic
 * {@linkplain #touch touches} the memory first. A file that is truncated in the few nanoseconds between these two steps
 * is only fatal in the interpreter.
 */
public final class MappedMemory {
    /** The smallest page size of the platforms that Java supports. Memory disappears in whole pages. */
    private static final long PAGE = 4096;
    private static final VarHandle BYTE = JAVA_BYTE.varHandle();
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final Object NEVER_LOCKED = new Object();
    /** The byte read last: C2 removes a read, even a volatile one, whose result is not used. */
    private static byte touched;

    private MappedMemory() {}

    /**
     * Throws the pending error of a preceding access to mapped memory, if that access failed. A native method that is
     * not an intrinsic checks for pending errors when it returns, in interpreted and in compiled code; {@link
     * Thread#holdsLock} is such a method and has no other effect.
     *
     * @throws InternalError if the memory no longer existed
     */
    public static void deliverFault() {
        if (Thread.holdsLock(NEVER_LOCKED)) {
            throw new AssertionError("deliverFault() holds a lock that no code acquires");
        }
    }

    /**
     * {@return whether each page of a range can be read} This is slow; it is used to find out which of two ranges
     * caused an access to fail.
     *
     * @param segment a mapped segment whose scope is alive
     * @param offset the start of the range
     * @param length the length of the range
     */
    public static boolean isReadable(MemorySegment segment, long offset, long length) {
        try {
            long end = offset + length;
            for (long at = offset; at < end; at = nextPage(segment, at)) {
                touch(segment, at);
            }
            return true;
        } catch (InternalError e) {
            return false;
        }
    }

    private static long nextPage(MemorySegment segment, long at) {
        return at + PAGE - (segment.address() + at & PAGE - 1);
    }

    /**
     * Reads a byte, and thereby throws the error if the memory no longer exists.
     *
     * @param segment the memory
     * @param at the offset of the byte
     * @throws InternalError if the memory no longer exists
     */
    static void touch(MemorySegment segment, long at) {
        touched = (byte) BYTE.getVolatile(segment, at);
        deliverFault();
    }

    /**
     * Adds to a word as {@link Copier#fetchAndAdd} does.
     *
     * @param segment a mapped segment
     * @param at the offset of the word
     * @param add the value to add
     * @return the former value
     * @throws InternalError if the memory no longer exists
     */
    static long fetchAndAdd(MemorySegment segment, long at, long add) {
        touch(segment, at);
        long former = (long) LONG.getAndAdd(segment, at, add);
        deliverFault();
        return former;
    }

    /**
     * Replaces a word as {@link Copier#compareAndSwap} does. It uses {@code compareAndSet}, because C1 does not compile
     * {@code compareAndExchange} but calls native code, which crashes if the memory disappears after it was touched.
     *
     * @param segment a mapped segment
     * @param at the offset of the word
     * @param compare the expected value
     * @param swap the value to store
     * @return the former value
     * @throws InternalError if the memory no longer exists
     */
    static long compareAndSwap(MemorySegment segment, long at, long compare, long swap) {
        touch(segment, at);
        while (true) {
            boolean replaced = LONG.compareAndSet(segment, at, compare, swap);
            deliverFault();
            if (replaced) {
                return compare;
            }
            long present = (long) LONG.getVolatile(segment, at);
            deliverFault();
            // otherwise another thread has stored the expected value in between
            if (present != compare) {
                return present;
            }
        }
    }
}
