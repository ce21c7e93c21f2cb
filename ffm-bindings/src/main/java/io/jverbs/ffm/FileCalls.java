package io.jverbs.ffm;

import static io.jverbs.ffm.Descriptors.BUFFER;
import static io.jverbs.ffm.Descriptors.INT;
import static io.jverbs.ffm.Descriptors.LONG;
import static io.jverbs.ffm.Descriptors.returning;

import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * The calls of the C library that the file descriptors of contexts and completion channels need: Java cannot make a
 * foreign descriptor non-blocking, or wait on one.
 */
public final class FileCalls {

    /** {@code POLLIN}: there is something to read. */
    public static final short POLLIN = 1;

    /** Size of a {@code struct pollfd}: {@code int fd; short events; short revents}. */
    public static final long POLLFD_BYTES = 8;

    /** Offset of {@code fd} in a {@code struct pollfd}. */
    public static final long POLLFD_FD = 0;

    /** Offset of {@code events} in a {@code struct pollfd}. */
    public static final long POLLFD_EVENTS = 4;

    /** Offset of {@code revents} in a {@code struct pollfd}. */
    public static final long POLLFD_REVENTS = 6;

    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 04000;
    private static final int EFD_CLOEXEC = 02000000;

    private static final Downcall FCNTL = Downcall.libc("fcntl", returning(INT, INT, INT, INT),
            Linker.Option.firstVariadicArg(2));
    private static final Downcall POLL = Downcall.libc("poll", returning(INT, BUFFER, LONG, INT));
    private static final Downcall EVENTFD = Downcall.libc("eventfd", returning(INT, INT, INT));
    private static final Downcall EVENTFD_WRITE = Downcall.libc("eventfd_write", returning(INT, INT, LONG));
    private static final Downcall EVENTFD_READ = Downcall.libc("eventfd_read", returning(INT, INT, BUFFER));
    private static final Downcall CLOSE = Downcall.libc("close", returning(INT, INT));

    private FileCalls() {}

    /**
     * Makes a file descriptor non-blocking: {@code fcntl(2)} with {@code O_NONBLOCK}.
     *
     * @param fd the file descriptor
     * @return 0 or the errno
     */
    public static int setNonBlocking(int fd) {
        var errno = Errno.segment();
        try {
            int flags = (int) FCNTL.handle().invokeExact(errno, fd, F_GETFL, 0);
            if (flags < 0) {
                return Errno.last(errno);
            }
            return Errno.status((int) FCNTL.handle().invokeExact(errno, fd, F_SETFL, flags | O_NONBLOCK), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code poll(2)}. The calling thread blocks, a virtual thread's carrier with it.
     *
     * @param fds an array of {@code struct pollfd}
     * @param count its length
     * @param timeoutMillis how long to wait at most; negative for ever
     * @return how many file descriptors are ready, 0 when time is up, or -errno: {@code EINTR} (4) among others
     */
    public static int poll(MemorySegment fds, int count, int timeoutMillis) {
        var errno = Errno.segment();
        try {
            int ready = (int) POLL.handle().invokeExact(errno, fds, (long) count, timeoutMillis);
            return ready >= 0 ? ready : -Errno.last(errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code eventfd(2)}, closed in child processes.
     *
     * @return the file descriptor, or -errno
     */
    public static int eventFd() {
        var errno = Errno.segment();
        try {
            int fd = (int) EVENTFD.handle().invokeExact(errno, 0, EFD_CLOEXEC);
            return fd >= 0 ? fd : -Errno.last(errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Makes an event file descriptor readable.
     *
     * @param fd what {@link #eventFd} returned
     * @return 0 or the errno
     */
    public static int signal(int fd) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) EVENTFD_WRITE.handle().invokeExact(errno, fd, 1L), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * Makes an event file descriptor unreadable again. Waits until it is readable, unless it is non-blocking.
     *
     * @param fd what {@link #eventFd} returned
     * @param count 8 bytes, written: how many times it was signalled
     * @return 0 or the errno
     */
    public static int drain(int fd, MemorySegment count) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) EVENTFD_READ.handle().invokeExact(errno, fd, count), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }

    /**
     * {@code close(2)}.
     *
     * @param fd the file descriptor
     * @return 0 or the errno
     */
    public static int close(int fd) {
        var errno = Errno.segment();
        try {
            return Errno.status((int) CLOSE.handle().invokeExact(errno, fd), errno);
        } catch (Throwable e) {
            throw Downcall.thrown(e);
        }
    }
}
