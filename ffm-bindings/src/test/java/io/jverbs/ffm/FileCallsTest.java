package io.jverbs.ffm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Tests the calls on file descriptors, and that each returns the errno of its own call. */
@EnabledOnOs(OS.LINUX)
class FileCallsTest {

    private static final int EBADF = 9;
    private static final int EAGAIN = 11;

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment pollFd = arena.allocate(FileCalls.POLLFD_BYTES, 4);
    private final MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
    private final int fd = FileCalls.eventFd();

    @AfterEach
    void close() {
        assertEquals(0, FileCalls.close(fd));
        arena.close();
    }

    private int poll(int timeoutMillis) {
        pollFd.set(ValueLayout.JAVA_INT, FileCalls.POLLFD_FD, fd);
        pollFd.set(ValueLayout.JAVA_SHORT, FileCalls.POLLFD_EVENTS, FileCalls.POLLIN);
        return FileCalls.poll(pollFd, 1, timeoutMillis);
    }

    @Test
    void anEventFdIsReadableOnceSignalled() {
        assertTrue(fd >= 0, () -> "errno " + -fd);
        assertEquals(0, poll(0));
        assertEquals(0, FileCalls.signal(fd));
        assertEquals(0, FileCalls.signal(fd));
        assertEquals(1, poll(-1));
        assertEquals(FileCalls.POLLIN, pollFd.get(ValueLayout.JAVA_SHORT, FileCalls.POLLFD_REVENTS));
        assertEquals(0, FileCalls.drain(fd, count));
        assertEquals(2, count.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(0, poll(0));
    }

    @Test
    void drainingAnUnsignalledNonBlockingEventFdReturnsEagain() {
        assertEquals(0, FileCalls.setNonBlocking(fd));
        assertEquals(EAGAIN, FileCalls.drain(fd, count));
    }

    @Test
    void anInvalidDescriptorReturnsEbadf() {
        assertEquals(EBADF, FileCalls.setNonBlocking(-1));
        assertEquals(EBADF, FileCalls.signal(-1));
        assertEquals(EBADF, FileCalls.close(-1));
    }

    @Test
    void everyThreadHasItsOwnErrno() throws InterruptedException {
        var other = Thread.ofVirtual().start(() -> assertEquals(EBADF, FileCalls.close(-1)));
        assertEquals(0, FileCalls.setNonBlocking(fd));
        assertEquals(EAGAIN, FileCalls.drain(fd, count));
        other.join();
    }
}
