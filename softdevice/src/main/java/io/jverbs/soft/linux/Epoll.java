package io.jverbs.soft.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * An epoll instance (epoll(7)), in which one thread waits until one of several sockets has something to receive, and an
 * eventfd that wakes the thread. The system removes a closed socket from the instance. One thread at a time may call
 * {@link #wakeup} and {@link #close}. The instance may be closed only when no thread waits in it.
 */
public final class Epoll {
    private final int epollFd;
    private final int wakeFd;
    private final MemorySegment increment = Arena.ofAuto().allocate(JAVA_LONG);
    private final MemorySegment wakeState = Libc.state();
    private final MemorySegment event = Arena.ofAuto().allocate(Abi.MAX_EPOLL_EVENT_BYTES, Long.BYTES);
    private final MemorySegment waitState = Libc.state();
    /** Whether the first step of closing is done, in case the second one fails and is repeated. */
    private boolean epollClosed;
    private boolean closed;

    private Epoll(int epollFd, int wakeFd) {
        this.epollFd = epollFd;
        this.wakeFd = wakeFd;
        increment.set(JAVA_LONG, 0, 1);
    }

    /** Creates an instance without sockets. */
    public static Epoll open() throws IOException {
        int epollFd = Libc.epollCreate(Abi.EPOLL_CLOEXEC);
        int wakeFd = -1;
        try {
            UdpSocket.checked("epoll_create1", epollFd);
            wakeFd = Libc.eventfd(Abi.EFD_NONBLOCK | Abi.EFD_CLOEXEC);
            UdpSocket.checked("eventfd", wakeFd);
            Epoll opened = new Epoll(epollFd, wakeFd);
            // edge-triggered: each write is reported once, so that the eventfd need not be read
            UdpSocket.checked("epoll_ctl", opened.control(Abi.EPOLL_CTL_ADD, wakeFd, Abi.EPOLLIN | Abi.EPOLLET));
            return opened;
        } catch (IOException | Error e) {
            Libc.closeIfOpen(wakeFd);
            Libc.closeIfOpen(epollFd);
            throw e;
        }
    }

    private int control(int operation, int fd, int events) {
        MemorySegment request = Arena.ofAuto().allocate(Abi.MAX_EPOLL_EVENT_BYTES, Long.BYTES);
        request.set(JAVA_INT, Abi.EPOLL_EVENT_EVENTS, events);
        return Libc.epollCtl(epollFd, operation, fd, request);
    }

    /** Adds an open socket, unless it is in the instance already. A thread that is waiting waits for it too. */
    public void add(UdpSocket socket) throws IOException {
        int result = control(Abi.EPOLL_CTL_ADD, socket.descriptor(), Abi.EPOLLIN);
        if (result != -Libc.EEXIST) {
            UdpSocket.checked("epoll_ctl", result);
        }
    }

    /** Removes an open socket, if it is in the instance. */
    public void remove(UdpSocket socket) throws IOException {
        int result = control(Abi.EPOLL_CTL_DEL, socket.descriptor(), 0);
        if (result != -Libc.ENOENT) {
            UdpSocket.checked("epoll_ctl", result);
        }
    }

    /**
     * Waits until a socket has something to receive, or {@link #wakeup} is called. Returns immediately if
     * {@link #wakeup} was called since the last wait.
     *
     * @param millis how many milliseconds to wait at most; negative for no limit
     */
    public void await(int millis) throws IOException {
        int result = Libc.epollWait(waitState, epollFd, event, millis);
        if (result < 0 && result != -Libc.EINTR) {
            throw UdpSocket.failure("epoll_wait", -result);
        }
    }

    /** Makes {@link #await} return. */
    public void wakeup() {
        if (!closed) {
            // the write fails only if the counter overflows, after 2^64 writes
            Libc.write(wakeState, wakeFd, increment);
        }
    }

    /** Closes the instance. Further calls have no effect. */
    public void close() {
        if (!closed) {
            if (!epollClosed) {
                Libc.close(epollFd);
                epollClosed = true;
            }
            Libc.close(wakeFd);
            closed = true;
        }
    }
}
