package io.jverbs.ffm;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Calls of control path functions: one method for each signature that several verbs have. The methods {@code status}
 * return 0 or the errno, {@code pointer} the address or -errno.
 */
final class Call {

    private Call() {}

    static int status(MethodHandle function, long a) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static int status(MethodHandle function, long a, int b) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static int status(MethodHandle function, long a, MemorySegment b) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static int status(MethodHandle function, long a, MemorySegment b, int c) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b, c), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static int status(MethodHandle function, long a, MemorySegment b, short c) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b, c), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static int status(MethodHandle function, long a, MemorySegment b, MemorySegment c) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) function.invokeExact(errno, a, b, c), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static long pointer(MethodHandle function, long a) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.invokeExact(errno, a), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static long pointer(MethodHandle function, long a, int b) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static long pointer(MethodHandle function, long a, MemorySegment b) {
        var errno = Errno.segment();
        try {
            return Errno.pointer((long) function.invokeExact(errno, a, b), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    static void procedure(MethodHandle function, long a) {
        try {
            function.invokeExact(Errno.segment(), a);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** Calls a function of one integer that cannot fail. */
    static int value(MethodHandle function, int a) {
        try {
            return (int) function.invokeExact(Errno.segment(), a);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /** Calls a function of one enum value that returns a constant string. */
    static String text(MethodHandle function, int a) {
        try {
            return NativeMemory.string((long) function.invokeExact(Errno.segment(), a));
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
