package io.jverbs.soft.rsocket;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** A transfer of a stream in a thread of its own. */
final class BackgroundTransfer {
    private static final long DEADLINE_SECONDS = 60;
    private static final Set<String> BLOCKING = Set.of("lead", "sleep");

    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private final Thread thread;

    /** What the thread does. */
    interface Transfer {
        void run() throws IOException, InterruptedException;
    }

    private BackgroundTransfer(Thread.Builder builder, Transfer transfer) {
        thread = builder.start(() -> {
            try {
                transfer.run();
                result.complete(null);
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
    }

    static BackgroundTransfer start(Transfer transfer) {
        return new BackgroundTransfer(Thread.ofPlatform().daemon(), transfer);
    }

    static BackgroundTransfer startVirtual(Transfer transfer) {
        return new BackgroundTransfer(Thread.ofVirtual(), transfer);
    }

    boolean isDone() {
        return result.isDone();
    }

    /** Waits until the thread blocks until an event, or until its stream has changed. */
    void awaitBlocked() throws InterruptedException {
        StreamPair.await("a thread that blocks",
                () -> Stream.of(thread.getStackTrace()).anyMatch(each -> each.getClassName().endsWith(".StreamWait")
                        && BLOCKING.contains(each.getMethodName())));
    }

    /** Waits until the thread is in a method of a class with a simple name, and does not run. */
    void awaitIn(String simpleName) throws InterruptedException {
        StreamPair.await("a thread in " + simpleName, () -> isIn(simpleName));
    }

    /** Returns whether the thread is in a method of a class with a simple name, and does not run. */
    boolean isIn(String simpleName) {
        return thread.getState() != Thread.State.RUNNABLE
                && Stream.of(thread.getStackTrace()).anyMatch(each -> each.getClassName().endsWith("." + simpleName));
    }

    /** Waits for the end; throws what the transfer has thrown. */
    void get() throws InterruptedException, ExecutionException, TimeoutException {
        result.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
    }
}
