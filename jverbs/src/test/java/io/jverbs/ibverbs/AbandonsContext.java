package io.jverbs.ibverbs;

import io.jverbs.CompletionChannel;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import java.time.Duration;

/** A program that creates a context, starts threads that wait for its events, and ends without closing anything. */
final class AbandonsContext {
    static final String WAITING = "all threads wait";

    private AbandonsContext() {}

    private interface Wait {
        Object call() throws InterruptedException;
    }

    /**
     * Runs the program.
     *
     * @param arguments 0 to return, 1 to throw an exception after set-up
     */
    public static void main(String[] arguments) throws InterruptedException {
        RdmaContext context = Verbs.select("stub").open();
        context.allocatePd();
        CompletionChannel channel = context.createCompletionChannel();
        context.createCompletionQueue(16, channel).requestNotification(false);
        Thread async = start(() -> context.awaitAsyncEvent(Duration.ofDays(1)));
        Thread completion = start(() -> channel.awaitEvent(Duration.ofDays(1)));
        while (!isWaiting(async) || !isWaiting(completion)) {
            Thread.sleep(1);
        }
        System.out.println(WAITING);
        if (arguments[0].equals("1")) {
            throw new IllegalStateException("thrown on purpose");
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static Thread start(Wait wait) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                wait.call();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
