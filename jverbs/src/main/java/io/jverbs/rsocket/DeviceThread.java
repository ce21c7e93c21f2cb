package io.jverbs.rsocket;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread of a context that waits for events of one channel, until the context or the last stream is closed. */
abstract class DeviceThread {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceThread.class);
    /** How often the thread is woken, if that fails. */
    private static final int ATTEMPTS = 2;
    private static final long PAUSE_NANOS = Duration.ofMillis(10).toNanos();

    private final StreamDevice device;
    private final Thread thread;
    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Sleep sleep = Sleep.RUNNING;

    /**
     * What the thread does. It is interrupted only while it is ASLEEP: an interrupt elsewhere could close the sockets
     * of a device.
     * <pre>
     * state        beginSleep    endSleep    wake         end
     * RUNNING      ASLEEP        -           WAKE_NEXT    ENDED
     * ASLEEP       -             RUNNING     RUNNING      ENDED
     * WAKE_NEXT    RUNNING       -           -            ENDED
     * ENDED        -             -           -            -
     * </pre>
     */
    private enum Sleep {
        /** It processes something, or is about to. */
        RUNNING,
        /** It waits for an event. */
        ASLEEP,
        /** As RUNNING; its next wait ends at once. */
        WAKE_NEXT,
        /** It has ended or is about to. */
        ENDED
    }

    DeviceThread(StreamDevice device, String name) {
        this.device = device;
        this.thread = Thread.ofPlatform().daemon().name(name).inheritInheritableThreadLocals(false)
                .unstarted(this::run);
    }

    /**
     * Waits for an event and processes it. The wait is between {@link #beginSleep} and {@link #endSleep}.
     *
     * @throws InterruptedException if {@link #wake} or {@link #end} was called
     */
    abstract void next() throws InterruptedException;

    /** Does what must be done before the thread ends. */
    void last() {
        // most threads have nothing to do
    }

    final StreamDevice device() {
        return device;
    }

    final void start() {
        thread.start();
    }

    /** Returns whether the thread may wait now; otherwise something has changed. */
    final boolean beginSleep() {
        lock.lock();
        try {
            boolean maySleep = sleep == Sleep.RUNNING;
            if (sleep != Sleep.ENDED) {
                sleep = maySleep ? Sleep.ASLEEP : Sleep.RUNNING;
            }
            return maySleep;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the wait, and ignores an interrupt that came too late. */
    final void endSleep() {
        lock.lock();
        try {
            if (sleep == Sleep.ASLEEP) {
                sleep = Sleep.RUNNING;
            }
            Thread.interrupted();
        } finally {
            lock.unlock();
        }
    }

    /** Makes the thread return from its wait, or from the next one. An Error does not end this: others depend on it. */
    final void wake() {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            try {
                change(Sleep.WAKE_NEXT);
                break;
            } catch (RuntimeException | Error e) {
                // once more
            }
        }
    }

    private void change(Sleep next) {
        lock.lock();
        try {
            if (sleep == Sleep.ASLEEP) {
                thread.interrupt();
                sleep = next == Sleep.ENDED ? next : Sleep.RUNNING;
            } else if (sleep != Sleep.ENDED) {
                sleep = next;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Makes the thread end. */
    final void stop() {
        change(Sleep.ENDED);
    }

    /** Ends the thread, and waits for its end. */
    final void end() {
        stop();
        boolean interrupted = false;
        while (thread.isAlive() && thread != Thread.currentThread()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (sleep != Sleep.ENDED) {
            try {
                next();
            } catch (InterruptedException e) {
                // the loop checks what has changed
            } catch (RuntimeException | Error e) {
                failed(e);
            }
        }
        try {
            last();
        } catch (RuntimeException | Error e) {
            failed(e);
        }
    }

    /** Continues after a failure, or ends with the context; does not throw. */
    private void failed(Throwable failure) {
        try {
            if (device.context().isClosed()) {
                device.contextClosed();
                return;
            }
            LOG.warn("{} continues after a failure", thread.getName(), failure);
            LockSupport.parkNanos(this, PAUSE_NANOS);
        } catch (RuntimeException | Error again) {
            // the loop continues
        }
    }
}
