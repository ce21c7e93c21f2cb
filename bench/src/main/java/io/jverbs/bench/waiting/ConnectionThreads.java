package io.jverbs.bench.waiting;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The threads of connections, one for each: virtual or platform threads. Closing interrupts and joins them. */
final class ConnectionThreads implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final long PARK_NANOS = 20_000_000;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean closed;

    /** What a thread does until it is interrupted. */
    interface Task {
        /**
         * Runs in the thread.
         *
         * @param number the number of the connection, from 0
         */
        void run(int number) throws IOException, InterruptedException;
    }

    ConnectionThreads(int count, boolean virtual, Task task) {
        for (int i = 0; i < count; i++) {
            int number = i;
            Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform().daemon();
            threads.add(builder.name("connection-" + number).start(() -> run(task, number)));
        }
    }

    /** Responds to the messages of all connections until the supplier returns true. */
    static void respond(ConnectionEnds ends, boolean virtual, BooleanSupplier stopped) throws IOException {
        Task task = number -> {
            ConnectionEnd end = ends.all().get(number);
            while (true) {
                end.respond();
            }
        };
        try (ConnectionThreads threads = new ConnectionThreads(ends.all().size(), virtual, task)) {
            while (!stopped.getAsBoolean()) {
                LockSupport.parkNanos(PARK_NANOS);
                threads.check();
            }
        }
    }

    private void run(Task task, int number) {
        try {
            task.run(number);
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            // an interrupted thread gets an exception of its own or one of its closed channel
            if (!closed) {
                failure.compareAndSet(null, e);
            }
        }
    }

    /**
     * Checks that no thread has failed.
     *
     * @throws IllegalStateException if one has
     */
    void check() {
        Throwable e = failure.get();
        if (e != null) {
            throw new IllegalStateException("a thread of a connection has failed: " + e, e);
        }
    }

    /** Wakes threads that park. */
    void unpark() {
        for (int i = 0; i < threads.size(); i++) {
            LockSupport.unpark(threads.get(i));
        }
    }

    @Override
    public void close() {
        closed = true;
        threads.forEach(Thread::interrupt);
        try {
            for (Thread thread : threads) {
                if (!thread.join(TIMEOUT)) {
                    throw new IllegalStateException(thread + " has not ended within " + TIMEOUT.toSeconds() + " s");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
