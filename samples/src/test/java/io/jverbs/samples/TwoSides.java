package io.jverbs.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Helpers of tests that run a sample as server and as client. */
public final class TwoSides {
    /**
     * Held while a process is started beside other tests: until it executes its program, it has copies of all
     * descriptors, and a socket that is closed meanwhile keeps its port.
     */
    static final Object PROCESS_START = new Object();

    private TwoSides() {}

    /** {@return a TCP port without a listener} */
    public static int freePort() {
        synchronized (PROCESS_START) {
            try (ServerSocket socket = new ServerSocket(0)) {
                return socket.getLocalPort();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Runs a client repeatedly until the server listens. */
    public static Run connecting(int timeoutSeconds, String... arguments) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(timeoutSeconds);
        Run run = Run.of(arguments);
        while (run.err().contains("no connection to") && System.nanoTime() < deadline) {
            run = Run.of(arguments);
        }
        return run;
    }

    /** Runs a task in a daemon thread, so that a task that hangs does not keep the JVM alive. */
    public static <T> CompletableFuture<T> inThread(Supplier<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                result.complete(task.get());
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
            }
        });
        return result;
    }
}
