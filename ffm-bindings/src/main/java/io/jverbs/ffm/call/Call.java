package io.jverbs.ffm.call;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of control path functions: one method for each signature that several functions have. The methods {@code
 * status} return 0 or the errno, {@code pointer} the address or -errno.
 */
public final class Call {

    private Call() {}

    public static int status(MethodHandle function, long a) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static int status(MethodHandle function, long a, int b) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static int status(MethodHandle function, long a, MemorySegment b) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static int status(MethodHandle function, long a, MemorySegment b, int c) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b, c), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static int status(MethodHandle function, long a, MemorySegment b, short c) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b, c), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static int status(MethodHandle function, long a, MemorySegment b, MemorySegment c) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b, c), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static long pointer(MethodHandle function, long a) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.invokeExact(errno, a), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static long pointer(MethodHandle function, long a, int b) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static long pointer(MethodHandle function, long a, MemorySegment b) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    public static void procedure(MethodHandle function, long a) {
        try {
            function.invokeExact(Errno.segment(), a);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** Calls a function of one integer that cannot fail. */
    public static int value(MethodHandle function, int a) {
        try {
            return (int) function.invokeExact(Errno.segment(), a);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** Calls a function of one integer that returns the address of a constant, and cannot fail. */
    public static long address(MethodHandle function, int a) {
        try {
            return (long) function.invokeExact(Errno.segment(), a);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
