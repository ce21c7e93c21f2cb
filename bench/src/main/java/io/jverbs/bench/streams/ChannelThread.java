package io.jverbs.bench.streams;

import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A thread that blocks in the calls of a channel until the channel is closed. */
final class ChannelThread {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long CHECK_NANOS = 20_000_000;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread thread;
    private volatile boolean closed;

    /** What the thread does again and again. */
    interface Task {
        /**
         * Does it once.
         *
         * @throws IOException if the channel is closed or fails
         */
        void run() throws IOException;
    }

    private ChannelThread(Task task) {
        thread = Thread.ofPlatform().daemon().name("streams").start(() -> run(task));
    }

    /** Runs a task until a supplier returns true; closes its channel then. */
    static void run(Task task, Closeable channel, BooleanSupplier stopped) throws IOException {
        ChannelThread running = new ChannelThread(task);
        while (!stopped.getAsBoolean()) {
            LockSupport.parkNanos(CHECK_NANOS);
            running.check();
        }
        running.closed = true;
        channel.close();
        running.join();
    }

    private void run(Task task) {
        try {
            while (true) {
                task.run();
            }
        } catch (IOException | RuntimeException | Error e) {
            if (!closed) {
                failure.set(e);
            }
        }
    }

    private void check() {
        Throwable e = failure.get();
        if (e != null) {
            throw new IllegalStateException("the thread of a channel has failed: " + e, e);
        }
    }

    private void join() {
        try {
            if (!thread.join(TIMEOUT)) {
                throw new IllegalStateException(thread + " has not ended within " + TIMEOUT.toSeconds()
                        + " s after its channel was closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
