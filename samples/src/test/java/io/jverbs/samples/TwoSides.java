package io.jverbs.samples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What tests need that run a sample as server and as client. */
public final class TwoSides {
    private TwoSides() {}

    /** A TCP port that nobody listens on. */
    public static int freePort() {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Until the server listens, as people would do it. */
    public static Run connecting(int patienceSeconds, String... arguments) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(patienceSeconds);
        Run run = Run.of(arguments);
        while (run.err().contains("no connection to") && System.nanoTime() < deadline) {
            run = Run.of(arguments);
        }
        return run;
    }

    /** In a thread that does not keep the JVM, should it hang. */
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
