package io.jverbs.ibverbs;

import io.jverbs.ffm.FileCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that waits in the kernel for a context's file descriptors, so that whoever waits for an event can be a virtual
 * thread, be interrupted, and be sent away by a close. It starts when first needed, is a daemon, and costs nothing while no
 * event comes.
 */
final class EventPoller {
    private static final Logger LOG = LoggerFactory.getLogger(EventPoller.class);
    private static final int FOR_EVER = -1;
    private static final int EINTR = 4;

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition anotherRound = lock.newCondition();
    private final Set<EventSource> watched = new LinkedHashSet<>();
    private int wakeFd = -1;
    private Thread thread;
    private long rounds;
    private boolean closed;

    EventPoller(String device) {
        name = "jverbs-" + device + "-events";
    }

    /** Has {@link EventSource#readable} called once, when the descriptor is readable. */
    void watch(EventSource source) {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            if (thread == null) {
                start();
            }
            if (watched.add(source)) {
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Stops watching; when this returns the kernel is not asked about the descriptor, which may be closed. */
    void forget(EventSource source) {
        lock.lock();
        try {
            watched.remove(source);
            awaitNextRound();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread and returns when it has ended. */
    void close() {
        lock.lock();
        try {
            closed = true;
            watched.clear();
            awaitNextRound();
            if (wakeFd >= 0) {
                FileCalls.close(wakeFd);
                wakeFd = -1;
            }
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        int fd = FileCalls.eventFd();
        Failure.pointer("eventfd", fd, "no file descriptor to wait with");
        wakeFd = fd;
        thread = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private void wake() {
        Failure.check("eventfd_write", FileCalls.signal(wakeFd));
    }

    private void awaitNextRound() {
        if (thread == null || Thread.currentThread() == thread) {
            return;
        }
        long now = rounds;
        wake();
        while (rounds == now) {
            anotherRound.awaitUninterruptibly();
        }
    }

    private void run() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(ValueLayout.JAVA_LONG);
            EventSource[] sources = nextRound();
            while (sources != null) {
                try (Arena round = Arena.ofConfined()) {
                    poll(sources, round, count);
                }
                sources = nextRound();
            }
        }
    }

    /** What to watch now, null to end. */
    private EventSource[] nextRound() {
        lock.lock();
        try {
            rounds++;
            anotherRound.signalAll();
            return closed ? null : watched.toArray(EventSource[]::new);
        } finally {
            lock.unlock();
        }
    }

    private void poll(EventSource[] sources, Arena arena, MemorySegment count) {
        MemorySegment fds = arena.allocate((sources.length + 1) * FileCalls.POLLFD_BYTES, Integer.BYTES);
        for (int i = 0; i < sources.length; i++) {
            request(fds, i, sources[i].fd());
        }
        request(fds, sources.length, wakeFd);
        int ready = FileCalls.poll(fds, sources.length + 1, FOR_EVER);
        if (ready < 0) {
            if (ready != -EINTR) {
                LOG.warn("{}: poll failed with errno {}; events of this device may be late", name, -ready);
                Thread.yield();
            }
            return;
        }
        if (isReady(fds, sources.length)) {
            FileCalls.drain(wakeFd, count);
        }
        for (int i = 0; i < sources.length; i++) {
            if (isReady(fds, i)) {
                fired(sources[i]);
            }
        }
    }

    private void fired(EventSource source) {
        lock.lock();
        try {
            watched.remove(source);
        } finally {
            lock.unlock();
        }
        source.readable();
    }

    private static void request(MemorySegment fds, int index, int fd) {
        long at = index * FileCalls.POLLFD_BYTES;
        fds.set(ValueLayout.JAVA_INT, at + FileCalls.POLLFD_FD, fd);
        fds.set(ValueLayout.JAVA_SHORT, at + FileCalls.POLLFD_EVENTS, FileCalls.POLLIN);
    }

    private static boolean isReady(MemorySegment fds, int index) {
        return fds.get(ValueLayout.JAVA_SHORT, index * FileCalls.POLLFD_BYTES + FileCalls.POLLFD_REVENTS) != 0;
    }
}
