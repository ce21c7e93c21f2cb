package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What one thread waits with until something can be received from one of several sockets. A socket that is closed leaves by
 * itself. Waking up and closing are for one thread at a time, and the waiting thread must be gone before it is closed.
 */
public final class Epoll {
    private final int epoll;
    private final int wake;
    private final MemorySegment one = Arena.ofAuto().allocate(JAVA_LONG);
    private final MemorySegment wakeState = Libc.state();
    private final MemorySegment event = Arena.ofAuto().allocate(Abi.MOST_EPOLL_EVENT_BYTES, Long.BYTES);
    private final MemorySegment waitState = Libc.state();
    private boolean closed;

    private Epoll(int epoll, int wake) {
        this.epoll = epoll;
        this.wake = wake;
        one.set(JAVA_LONG, 0, 1);
    }

    /** Makes one that waits for nothing yet. */
    public static Epoll open() throws IOException {
        int epoll = UdpSocket.checked("epoll_create1", Libc.epollCreate(Abi.EPOLL_CLOEXEC));
        int wake = Libc.eventfd(Abi.EFD_NONBLOCK | Abi.EFD_CLOEXEC);
        if (wake < 0) {
            Libc.close(epoll);
            throw UdpSocket.failure("eventfd", -wake);
        }
        Epoll opened = new Epoll(epoll, wake);
        try {
            // each write is told once, so nobody has to read
            UdpSocket.checked("epoll_ctl", opened.control(Abi.EPOLL_CTL_ADD, wake, Abi.EPOLLIN | Abi.EPOLLET));
            return opened;
        } catch (IOException e) {
            opened.close();
            throw e;
        }
    }

    private int control(int operation, int fd, int events) {
        MemorySegment what = Arena.ofAuto().allocate(Abi.MOST_EPOLL_EVENT_BYTES, Long.BYTES);
        what.set(JAVA_INT, Abi.EPOLL_EVENT_EVENTS, events);
        return Libc.epollCtl(epoll, operation, fd, what);
    }

    /** Waits for one more socket that is open, a waiting thread at once, unless it waits for it already. */
    public void add(UdpSocket socket) throws IOException {
        int result = control(Abi.EPOLL_CTL_ADD, socket.descriptor(), Abi.EPOLLIN);
        if (result != -Libc.EEXIST) {
            UdpSocket.checked("epoll_ctl", result);
        }
    }

    /** Waits for a socket that is open no more, if it does. */
    public void remove(UdpSocket socket) throws IOException {
        int result = control(Abi.EPOLL_CTL_DEL, socket.descriptor(), 0);
        if (result != -Libc.ENOENT) {
            UdpSocket.checked("epoll_ctl", result);
        }
    }

    /** Waits until there is something to be received, or {@link #wakeup} is called, or was since the last time. */
    public void await() throws IOException {
        int result = Libc.epollWait(waitState, epoll, event);
        if (result < 0 && result != -Libc.EINTR) {
            throw UdpSocket.failure("epoll_wait", -result);
        }
    }

    /** Ends the waiting. */
    public void wakeup() {
        if (!closed) {
            // it can only fail after 2^64 times
            Libc.write(wakeState, wake, one);
        }
    }

    /** Closes it, once. */
    public void close() {
        if (!closed) {
            closed = true;
            Libc.close(epoll);
            Libc.close(wake);
        }
    }
}
