package io.jverbs.ffm;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The errno of the calling thread's last captured call. The JVM makes system calls of its own between two Java
 * statements, so errno is read by the call itself, into a segment that each thread has.
 */
final class Errno {

    static final Linker.Option CAPTURE = Linker.Option.captureCallState("errno");

    static final int EPERM = 1;
    static final int EIO = 5;
    static final int EINVAL = 22;
    static final int ENOSYS = 38;
    static final int EOPNOTSUPP = 95;

    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long OFFSET = LAYOUT.byteOffset(PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> SEGMENT = ThreadLocal
            .withInitial(() -> Arena.ofAuto().allocate(LAYOUT));

    private Errno() {}

    /** {@return where the calling thread's calls write errno} */
    static MemorySegment segment() {
        return SEGMENT.get();
    }

    static void set(MemorySegment segment, int errno) {
        segment.set(ValueLayout.JAVA_INT, OFFSET, errno);
    }

    /** {@return the errno after a call that failed} Some providers fail without setting it: EIO then. */
    static int last(MemorySegment segment) {
        int errno = segment.get(ValueLayout.JAVA_INT, OFFSET);
        return errno > 0 ? errno : EIO;
    }

    /**
     * {@return 0 or the errno}
     *
     * @param result what the function returned: 0; the errno; -1 with errno set; or, with some providers, -errno
     * @param segment what the call captured
     */
    static int status(int result, MemorySegment segment) {
        if (result >= 0) {
            return result;
        }
        return result == -1 ? last(segment) : -result;
    }

    /**
     * {@return the address, or -errno}
     *
     * @param result what the function returned: an address, or 0 with errno set
     * @param segment what the call captured
     */
    static long pointer(long result, MemorySegment segment) {
        return result != 0 ? result : -last(segment);
    }
}
