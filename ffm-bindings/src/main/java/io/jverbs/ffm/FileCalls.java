package io.jverbs.ffm;

import static io.jverbs.ffm.call.Descriptors.BUFFER;
import static io.jverbs.ffm.call.Descriptors.INT;
import static io.jverbs.ffm.call.Descriptors.LONG;
import static io.jverbs.ffm.call.Descriptors.returning;

import io.jverbs.ffm.call.Downcall;
import io.jverbs.ffm.call.Errno;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;

/**
 * Functions of the C library for the file descriptors of contexts and completion channels: fcntl(2), poll(2),
 * eventfd(2) and close(2). Java itself can neither make such a descriptor non-blocking nor wait on one. Any thread may
 * call any method.
 */
public final class FileCalls {

    /** {@code POLLIN}: there is data to read. */
    public static final short POLLIN = 1;

    /** The size of a {@code struct pollfd} in bytes: {@code int fd; short events; short revents}. */
    public static final long POLLFD_BYTES = 8;

    /** The offset of {@code fd} in a {@code struct pollfd}. */
    public static final long POLLFD_FD = 0;

    /** The offset of {@code events} in a {@code struct pollfd}. */
    public static final long POLLFD_EVENTS = 4;

    /** The offset of {@code revents} in a {@code struct pollfd}. */
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
     * {@code poll(2)}. It blocks the calling thread, and the carrier of a virtual thread.
     *
     * @param fds an array of {@code struct pollfd}
     * @param count the length of the array
     * @param timeoutMillis the longest time to wait, in milliseconds; a negative value waits without limit
     * @return the number of file descriptors that are ready, 0 after a timeout, or -errno, for instance {@code EINTR}
     *         (4)
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
     * {@code eventfd(2)} with {@code EFD_CLOEXEC}: the file descriptor is closed in child processes on exec.
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
     * Makes an event file descriptor readable: {@code eventfd_write(3)} with 1.
     *
     * @param fd a file descriptor that {@link #eventFd} returned
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
     * Resets an event file descriptor, so that it is no longer readable: {@code eventfd_read(3)}. Waits until it is
     * readable, unless it is non-blocking.
     *
     * @param fd a file descriptor that {@link #eventFd} returned
     * @param count 8 bytes; receives the number of signals since the last reset
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
