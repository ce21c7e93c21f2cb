package io.jverbs.ibverbs.shared;

import io.jverbs.ffm.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The wait of one platform thread for a file descriptor, in poll(2). An event then wakes the thread that reads it, and
 * not first the thread of the {@link EventPoller}. One thread at a time waits this way, for a short time.
 *
 * <p>
 * {@link #await} is called without the lock of the {@link EventSource}, between {@link #begin} and {@link #end}; all
 * other methods are called with it.
 */
final class ReadableWait {
    private static final int NONE = -1;
    /** The offset of the events of the eventfd. */
    private static final long WOKEN = FileCalls.POLLFD_BYTES + FileCalls.POLLFD_REVENTS;

    private final int fd;
    /** An eventfd that ends the wait, or {@link #NONE} before the first wait and after {@link #close}. */
    private int wakeFd = NONE;
    /** An array of {@code struct pollfd}: the descriptor and the eventfd. Null before the first wait. */
    private MemorySegment fds;
    /** Receives the count of the eventfd. Null before the first wait. */
    private MemorySegment signals;
    private boolean inUse;

    ReadableWait(int fd) {
        this.fd = fd;
    }

    /** Whether a thread waits, and uses the file descriptor. */
    boolean isInUse() {
        return inUse;
    }

    /** Whether the calling thread can wait: no other one does, and there is an eventfd to end the wait. */
    boolean isFree() {
        return !inUse && (wakeFd != NONE || prepare());
    }

    private boolean prepare() {
        MemorySegment memory = Arena.ofAuto().allocate(2 * FileCalls.POLLFD_BYTES + Long.BYTES, Long.BYTES);
        setEntry(memory, 0, fd);
        signals = memory.asSlice(2 * FileCalls.POLLFD_BYTES, ValueLayout.JAVA_LONG);
        fds = memory;
        int created = FileCalls.eventFd();
        if (created < 0) {
            // no more descriptors: the poller of the context waits instead
            return false;
        }
        wakeFd = created;
        setEntry(memory, FileCalls.POLLFD_BYTES, created);
        return true;
    }

    private static void setEntry(MemorySegment memory, long at, int descriptor) {
        memory.set(ValueLayout.JAVA_INT, at + FileCalls.POLLFD_FD, descriptor);
        memory.set(ValueLayout.JAVA_SHORT, at + FileCalls.POLLFD_EVENTS, FileCalls.POLLIN);
    }

    /** Begins the wait of the calling thread. */
    void begin() {
        clearWoken();
        inUse = true;
    }

    /**
     * Waits until the descriptor is readable, or {@link #wake} was called since {@link #begin}.
     *
     * @param millis how long to wait at most
     */
    void await(int millis) {
        FileCalls.poll(fds, 2, millis);
    }

    /** Ends the wait of the calling thread. */
    void end() {
        inUse = false;
        if (fds.get(ValueLayout.JAVA_SHORT, WOKEN) != 0) {
            clearWoken();
            FileCalls.drain(wakeFd, signals);
        }
    }

    private void clearWoken() {
        fds.set(ValueLayout.JAVA_SHORT, WOKEN, (short) 0);
    }

    /** Ends the wait of the thread, if there is one. */
    void wake() {
        if (inUse) {
            FileCalls.signal(wakeFd);
        }
    }

    /** Closes the eventfd. No thread waits, and none will. */
    void close() {
        if (wakeFd != NONE) {
            FileCalls.close(wakeFd);
            wakeFd = NONE;
        }
    }
}
