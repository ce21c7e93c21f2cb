package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;

/**
 * System calls of Linux's C library. Each method returns what the function returns, or a negated errno. Methods that
 * send or receive packets take the memory for errno from the caller. One thread at a time may use this memory and all
 * other memory that is passed. The class may be initialized only where {@link Availability#obstacle} is empty.
 *
 * <p>
 * Capturing errno may allocate. For each call, java.lang.foreign makes a slice of the memory for errno, which the
 * compiler removes only if it inlines all of the call. Functions that send or receive packets therefore have a second
 * form, {@code try...}, which returns -1 for any failure. The caller repeats the call in the other form to learn the
 * errno.
 *
 * <p>
 * All calls are plain downcalls. A critical one would save some ten nanoseconds of a microsecond or more, but would
 * delay a safepoint of the whole JVM while the kernel copies 64 KiB.
 */
@SuppressWarnings("restricted")
public final class Libc {
    public static final int ENOENT = 2;
    public static final int EINTR = 4;
    public static final int EIO = 5;
    public static final int EAGAIN = 11;
    public static final int EACCES = 13;
    public static final int EEXIST = 17;
    public static final int EINVAL = 22;
    public static final int EMSGSIZE = 90;
    public static final int EOPNOTSUPP = 95;
    public static final int EADDRINUSE = 98;
    public static final int EADDRNOTAVAIL = 99;

    /** The names of the functions that are called. */
    static final List<String> FUNCTIONS = List.of("socket", "bind", "setsockopt", "getsockopt", "sendto", "sendmsg",
            "sendmmsg", "recvfrom", "recvmsg", "recvmmsg", "close", "eventfd", "write", "epoll_create1", "epoll_ctl",
            "epoll_wait", "sched_yield");

    private static final MemoryLayout STATE = Linker.Option.captureStateLayout();
    private static final long ERRNO = STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle SOCKET = handle("socket",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle BIND = handle("bind",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle SETSOCKOPT = handle("setsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT));
    private static final MethodHandle GETSOCKOPT = handle("getsockopt",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
    private static final FunctionDescriptor SENDTO_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG,
            JAVA_INT, ADDRESS, JAVA_INT);
    private static final MethodHandle SENDTO = handle("sendto", SENDTO_TYPE);
    private static final MethodHandle TRY_SENDTO = plain("sendto", SENDTO_TYPE);
    private static final FunctionDescriptor SENDMSG_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS,
            JAVA_INT);
    private static final MethodHandle SENDMSG = handle("sendmsg", SENDMSG_TYPE);
    private static final MethodHandle TRY_SENDMSG = plain("sendmsg", SENDMSG_TYPE);
    private static final FunctionDescriptor RECVFROM_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS,
            JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS);
    private static final MethodHandle RECVFROM = handle("recvfrom", RECVFROM_TYPE);
    private static final MethodHandle TRY_RECVFROM = plain("recvfrom", RECVFROM_TYPE);
    private static final FunctionDescriptor RECVMSG_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS,
            JAVA_INT);
    private static final MethodHandle RECVMSG = handle("recvmsg", RECVMSG_TYPE);
    private static final MethodHandle TRY_RECVMSG = plain("recvmsg", RECVMSG_TYPE);
    private static final FunctionDescriptor SENDMMSG_TYPE = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT,
            JAVA_INT);
    private static final MethodHandle SENDMMSG = handle("sendmmsg", SENDMMSG_TYPE);
    private static final MethodHandle TRY_SENDMMSG = plain("sendmmsg", SENDMMSG_TYPE);
    private static final FunctionDescriptor RECVMMSG_TYPE = FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT,
            JAVA_INT, ADDRESS);
    private static final MethodHandle RECVMMSG = handle("recvmmsg", RECVMMSG_TYPE);
    private static final MethodHandle TRY_RECVMMSG = plain("recvmmsg", RECVMMSG_TYPE);
    private static final MethodHandle CLOSE = plain("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle SCHED_YIELD = plain("sched_yield", FunctionDescriptor.of(JAVA_INT));
    private static final MethodHandle EVENTFD = handle("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
    private static final MethodHandle WRITE = handle("write",
            FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG));
    private static final MethodHandle EPOLL_CREATE1 = handle("epoll_create1",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle EPOLL_CTL = handle("epoll_ctl",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS));
    private static final MethodHandle EPOLL_WAIT = handle("epoll_wait",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT));

    private Libc() {}

    private static MethodHandle handle(String name, FunctionDescriptor descriptor) {
        return plain(name, descriptor, Linker.Option.captureCallState("errno"));
    }

    private static MethodHandle plain(String name, FunctionDescriptor descriptor, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), descriptor, options);
    }

    /** {@return memory for errno, which one thread at a time may use} */
    public static MemorySegment state() {
        return Arena.ofAuto().allocate(STATE);
    }

    private static int result(MemorySegment state, int value) {
        return value >= 0 ? value : -state.get(JAVA_INT, ERRNO);
    }

    private static long result(MemorySegment state, long value) {
        return value >= 0 ? value : -state.get(JAVA_INT, ERRNO);
    }

    /** Returns what to throw for what a native call threw: an Error, for example for lack of memory, unchanged. */
    private static Error unexpected(Throwable thrown) {
        return thrown instanceof Error error ? error : new AssertionError("a native call threw an exception", thrown);
    }

    /** {@return a file descriptor, see socket(2)} */
    public static int socket(int domain, int type) {
        MemorySegment state = state();
        try {
            int fd = (int) SOCKET.invokeExact(state, domain, type, 0);
            return fd >= 0 ? fd : result(state, fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return 0, see bind(2)} */
    public static int bind(int fd, MemorySegment address) {
        MemorySegment state = state();
        try {
            return result(state, (int) BIND.invokeExact(state, fd, address, (int) address.byteSize()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return 0, see setsockopt(2)} */
    public static int setsockopt(int fd, int level, int option, MemorySegment value) {
        MemorySegment state = state();
        try {
            return result(state, (int) SETSOCKOPT.invokeExact(state, fd, level, option, value, (int) value.byteSize()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return 0, see getsockopt(2)} */
    public static int getsockopt(int fd, int level, int option, MemorySegment value, MemorySegment length) {
        MemorySegment state = state();
        try {
            return result(state, (int) GETSOCKOPT.invokeExact(state, fd, level, option, value, length));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes sent, see sendto(2), or -1} */
    public static long trySendto(int fd, MemorySegment packet, long length, MemorySegment address) {
        try {
            return (long) TRY_SENDTO.invokeExact(fd, packet, length, 0, address, (int) address.byteSize());
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes sent, see sendto(2)} */
    public static long sendto(MemorySegment state, int fd, MemorySegment packet, long length, MemorySegment address) {
        try {
            return result(state,
                    (long) SENDTO.invokeExact(state, fd, packet, length, 0, address, (int) address.byteSize()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes sent, see sendmsg(2), or -1} */
    public static long trySendmsg(int fd, MemorySegment message) {
        try {
            return (long) TRY_SENDMSG.invokeExact(fd, message, 0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes sent, see sendmsg(2)} */
    public static long sendmsg(MemorySegment state, int fd, MemorySegment message) {
        try {
            return result(state, (long) SENDMSG.invokeExact(state, fd, message, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes received, see recvfrom(2), or -1} */
    public static long tryRecvfrom(int fd, MemorySegment packet, MemorySegment source, MemorySegment sourceLength) {
        try {
            return (long) TRY_RECVFROM.invokeExact(fd, packet, packet.byteSize(), 0, source, sourceLength);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes received, see recvfrom(2)} */
    public static long recvfrom(MemorySegment state, int fd, MemorySegment packet, MemorySegment source,
            MemorySegment sourceLength) {
        try {
            return result(state,
                    (long) RECVFROM.invokeExact(state, fd, packet, packet.byteSize(), 0, source, sourceLength));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes received, see recvmsg(2), or -1} */
    public static long tryRecvmsg(int fd, MemorySegment message) {
        try {
            return (long) TRY_RECVMSG.invokeExact(fd, message, 0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes received, see recvmsg(2)} */
    public static long recvmsg(MemorySegment state, int fd, MemorySegment message) {
        try {
            return result(state, (long) RECVMSG.invokeExact(state, fd, message, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of messages sent, see sendmmsg(2), or -1} */
    public static int trySendmmsg(int fd, MemorySegment messages, int count) {
        try {
            return (int) TRY_SENDMMSG.invokeExact(fd, messages, count, 0);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of messages sent, see sendmmsg(2)} */
    public static int sendmmsg(MemorySegment state, int fd, MemorySegment messages, int count) {
        try {
            return result(state, (int) SENDMMSG.invokeExact(state, fd, messages, count, 0));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of messages received without a timeout, see recvmmsg(2), or -1} */
    public static int tryRecvmmsg(int fd, MemorySegment messages, int count) {
        try {
            return (int) TRY_RECVMMSG.invokeExact(fd, messages, count, 0, MemorySegment.NULL);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of messages received without a timeout, see recvmmsg(2)} */
    public static int recvmmsg(MemorySegment state, int fd, MemorySegment messages, int count) {
        try {
            return result(state,
                    (int) RECVMMSG.invokeExact(state, fd, messages, count, 0, MemorySegment.NULL));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return 0, see sched_yield(2)} */
    public static int schedYield() {
        try {
            return (int) SCHED_YIELD.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return 0, see close(2), or -1} Allocates nothing, so that it works without memory. */
    public static int close(int fd) {
        try {
            return (int) CLOSE.invokeExact(fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /**
     * Closes a file descriptor whose owner could not be created.
     *
     * @param fd the descriptor; negative if there is none
     */
    static void closeIfOpen(int fd) {
        if (fd >= 0) {
            close(fd);
        }
    }

    /** {@return a file descriptor, see eventfd(2)} */
    public static int eventfd(int flags) {
        MemorySegment state = state();
        try {
            int fd = (int) EVENTFD.invokeExact(state, 0, flags);
            return fd >= 0 ? fd : result(state, fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of bytes written, see write(2)} */
    public static long write(MemorySegment state, int fd, MemorySegment bytes) {
        try {
            return result(state, (long) WRITE.invokeExact(state, fd, bytes, bytes.byteSize()));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return a file descriptor, see epoll_create1(2)} */
    public static int epollCreate(int flags) {
        MemorySegment state = state();
        try {
            int fd = (int) EPOLL_CREATE1.invokeExact(state, flags);
            return fd >= 0 ? fd : result(state, fd);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return 0, see epoll_ctl(2)} */
    public static int epollCtl(int epoll, int operation, int fd, MemorySegment event) {
        MemorySegment state = state();
        try {
            return result(state, (int) EPOLL_CTL.invokeExact(state, epoll, operation, fd, event));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** {@return the number of events; waits for one event, see epoll_wait(2)} */
    public static int epollWait(MemorySegment state, int epoll, MemorySegment event, int millis) {
        try {
            return result(state, (int) EPOLL_WAIT.invokeExact(state, epoll, event, 1, millis));
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }
}
