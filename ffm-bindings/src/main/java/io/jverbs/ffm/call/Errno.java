package io.jverbs.ffm.call;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The errno of the last captured call of the calling thread. The JVM makes system calls of its own between two Java
 * statements, so the downcall itself stores errno, in a segment that belongs to the thread.
 */
public final class Errno {

    public static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    public static final int EPERM = 1;
    public static final int EIO = 5;
    public static final int EINVAL = 22;
    public static final int ENOSYS = 38;
    public static final int EOPNOTSUPP = 95;

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long OFFSET = LAYOUT.byteOffset(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> SEGMENT = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(LAYOUT));

    private Errno() {}

    /** {@return the segment in which calls of the calling thread store errno} */
    public static MemorySegment segment() {
        return SEGMENT.get();
    }

    public static void set(MemorySegment segment, int errno) {
        segment.set(ValueLayout.JAVA_INT, OFFSET, errno);
    }

    /** {@return the errno after a call that failed, EIO if the call did not set it, as with some providers} */
    public static int last(MemorySegment segment) {
        int errno = segment.get(ValueLayout.JAVA_INT, OFFSET);
        return errno > 0 ? errno : EIO;
    }

    /**
     * {@return 0 or the errno}
     *
     * @param result the result of the function: 0; the errno; -1 with errno set; or, with some providers, -errno
     * @param segment the capture segment of the call
     */
    public static int status(int result, MemorySegment segment) {
        if (result >= 0) {
            return result;
        }
        return result == -1 ? last(segment) : -result;
    }

    /**
     * {@return the address, or -errno}
     *
     * @param result the result of the function: an address, or 0 with errno set
     * @param segment the capture segment of the call
     */
    public static long pointer(long result, MemorySegment segment) {
        return result != 0 ? result : -last(segment);
    }
}
