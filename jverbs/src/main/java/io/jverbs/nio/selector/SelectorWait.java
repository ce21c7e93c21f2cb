package io.jverbs.nio.selector;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * How the thread of a selector blocks, and how others wake it: it parks, or waits in the JDK's selector if that has
 * keys. Thread-safe.
 */
final class SelectorWait {
    static final long NO_LIMIT = Long.MAX_VALUE;

    /**
     * What the thread does.
     * <pre>
     * state       clear     block                 signal                       it returns
     * RUNNING     -         PARKED or SELECTING   SIGNALLED                    -
     * SIGNALLED   RUNNING   does not block        -                            -
     * PARKED      -         -                     SIGNALLED, unparks it        RUNNING
     * SELECTING   -         -                     SIGNALLED, wakes the JDK's   RUNNING
     * </pre>
     */
    private static final int RUNNING = 0;
    private static final int SIGNALLED = 1;
    private static final int PARKED = 2;
    private static final int SELECTING = 3;

    private final AtomicInteger state = new AtomicInteger();
    private final JdkSelection jdk;
    private volatile Thread thread;

    SelectorWait(JdkSelection jdk) {
        this.jdk = jdk;
    }

    /** Makes the thread return from its wait, or from the next one. */
    void signal() {
        if (state.get() == SIGNALLED) {
            return;
        }
        int before = state.getAndSet(SIGNALLED);
        boolean isWoken = false;
        try {
            wake(before);
            isWoken = true;
        } finally {
            if (!isWoken) {
                // after an Error, the next signal wakes the thread
                state.compareAndSet(SIGNALLED, before);
            }
        }
    }

    private void wake(int blockedIn) {
        if (blockedIn == PARKED) {
            LockSupport.unpark(thread);
        } else if (blockedIn == SELECTING) {
            jdk.wakeup();
        }
    }

    /** Forgets signals; what they were for must be checked afterwards. */
    void clear() {
        if (state.get() != RUNNING) {
            state.set(RUNNING);
        }
    }

    /** Parks until a signal, an interrupt or the end of a time. */
    void park(long nanos) {
        thread = Thread.currentThread();
        if (!state.compareAndSet(RUNNING, PARKED)) {
            return;
        }
        try {
            long start = System.nanoTime();
            long left = nanos;
            while (state.get() == PARKED && left > 0 && !Thread.currentThread().isInterrupted()) {
                if (nanos == NO_LIMIT) {
                    LockSupport.park(this);
                } else {
                    LockSupport.parkNanos(this, left);
                    left = nanos - (System.nanoTime() - start);
                }
            }
        } finally {
            state.set(RUNNING);
        }
    }

    /** Waits in the JDK's selector until a signal, an interrupt, a ready key, or the end of a time. */
    void select(Consumer<SelectionKey> ready, long nanos) throws IOException {
        if (!state.compareAndSet(RUNNING, SELECTING)) {
            return;
        }
        try {
            long millis = nanos == NO_LIMIT ? 0 : Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos + 999_999));
            jdk.select(ready, millis);
        } finally {
            state.set(RUNNING);
        }
    }
}
