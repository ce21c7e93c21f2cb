package io.jverbs.ibverbs.shared;

import io.jverbs.ffm.FileCalls;
import io.jverbs.spi.ServiceLoop;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Polls the file descriptors of a context on a thread of its own with poll(2), so that a thread that waits for an event
 * blocks in Java: it can be a virtual thread, it can be interrupted, and closing the source ends its wait. The thread
 * is a daemon, starts with the first {@link #watch}, and blocks in the kernel while there is no event.
 *
 * <p>
 * The lock guards the mutable fields; the thread does not hold it in poll(2). Any thread may call {@link #watch},
 * {@link #forget} and {@link #close}.
 */
public final class EventPoller {
    private static final int NO_TIMEOUT = -1;
    private static final int EINTR = 4;

    private final String name;
    private final ServiceLoop loop;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition iterationBegan = lock.newCondition();
    private final Set<EventSource> watched = new LinkedHashSet<>();
    private int wakeFd = -1;
    private Thread thread;
    private long iterations;
    private State state = State.NOT_STARTED;

    /**
     * The life of the thread.
     * <pre>
     * state          first watch    close      the next iteration begins
     * NOT_STARTED    RUNNING        ENDED      -
     * RUNNING        -              CLOSING    RUNNING
     * CLOSING        -              -          ENDED
     * ENDED          -              -          ENDED
     * </pre>
     */
    private enum State {
        /** There is no thread. */
        NOT_STARTED,
        /** The thread polls. */
        RUNNING,
        /** The thread has not seen yet that this is closed. */
        CLOSING,
        /** This is closed. The thread, if there was one, uses no file descriptor any more. */
        ENDED
    }

    /**
     * Creates a poller without a thread.
     *
     * @param device the name of the device, for the name of the thread
     */
    public EventPoller(String device) {
        name = "jverbs-" + device + "-events";
        loop = new ServiceLoop(EventPoller.class, name);
    }

    /**
     * Calls {@link EventSource#readable} once, when the file descriptor of the source becomes readable.
     *
     * @param source the source
     */
    public void watch(EventSource source) {
        lock.lock();
        try {
            if (state == State.NOT_STARTED) {
                start();
            } else if (state != State.RUNNING) {
                return;
            }
            if (watched.add(source)) {
                wake();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Stops watching a source. When this returns, no poll(2) uses its file descriptor, so the descriptor may be closed.
     *
     * @param source the source
     */
    public void forget(EventSource source) {
        lock.lock();
        try {
            watched.remove(source);
            awaitNextIteration();
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread: when this returns, it uses no file descriptor any more. */
    public void close() {
        lock.lock();
        try {
            if (state == State.NOT_STARTED) {
                state = State.ENDED;
            } else if (state == State.RUNNING) {
                state = State.CLOSING;
            }
            watched.clear();
            awaitNextIteration();
            if (wakeFd >= 0) {
                FileCalls.close(wakeFd);
                wakeFd = -1;
            }
        } finally {
            lock.unlock();
        }
    }

    private void start() {
        // it exists already if an earlier attempt could not start the thread
        if (wakeFd < 0) {
            int fd = FileCalls.eventFd();
            Failure.pointer("eventfd", fd, "cannot create an eventfd to wake the event thread");
            wakeFd = fd;
        }
        Thread made = ServiceLoop.unstarted(name, EventPoller.class, this::run);
        made.start();
        thread = made;
        state = State.RUNNING;
    }

    private void wake() {
        Failure.check("eventfd_write", FileCalls.signal(wakeFd));
    }

    private void awaitNextIteration() {
        if (state == State.NOT_STARTED || state == State.ENDED || Thread.currentThread() == thread) {
            return;
        }
        long now = iterations;
        wake();
        while (iterations == now) {
            iterationBegan.awaitUninterruptibly();
        }
    }

    /** Catches everything: without further iterations, {@link #awaitNextIteration} would wait forever. */
    private void run() {
        boolean open = true;
        while (open) {
            try {
                loop.begin();
                open = iterate();
                loop.passed();
            } catch (RuntimeException | Error e) {
                loop.failed(e);
            }
        }
    }

    private boolean iterate() {
        EventSource[] sources = beginIteration();
        if (sources == null) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            poll(sources, arena);
        }
        return true;
    }

    /** The sources to poll in the next iteration, null to end the thread. */
    private EventSource[] beginIteration() {
        lock.lock();
        try {
            iterations++;
            iterationBegan.signalAll();
            if (state == State.CLOSING) {
                state = State.ENDED;
            }
            return state == State.ENDED ? null : watched.toArray(EventSource[]::new);
        } finally {
            lock.unlock();
        }
    }

    private void poll(EventSource[] sources, Arena arena) {
        MemorySegment fds = arena.allocate((sources.length + 1) * FileCalls.POLLFD_BYTES, Integer.BYTES);
        for (int i = 0; i < sources.length; i++) {
            setEntry(fds, i, sources[i].fd());
        }
        setEntry(fds, sources.length, wakeFd);
        int ready = FileCalls.poll(fds, sources.length + 1, NO_TIMEOUT);
        if (ready < 0) {
            if (ready != -EINTR) {
                throw new IllegalStateException(
                        "poll failed with errno " + -ready + "; events of this device may be delayed");
            }
            return;
        }
        if (isReady(fds, sources.length)) {
            FileCalls.drain(wakeFd, arena.allocate(ValueLayout.JAVA_LONG));
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

    private static void setEntry(MemorySegment fds, int index, int fd) {
        long at = index * FileCalls.POLLFD_BYTES;
        fds.set(ValueLayout.JAVA_INT, at + FileCalls.POLLFD_FD, fd);
        fds.set(ValueLayout.JAVA_SHORT, at + FileCalls.POLLFD_EVENTS, FileCalls.POLLIN);
    }

    private static boolean isReady(MemorySegment fds, int index) {
        return fds.get(ValueLayout.JAVA_SHORT, index * FileCalls.POLLFD_BYTES + FileCalls.POLLFD_REVENTS) != 0;
    }
}
