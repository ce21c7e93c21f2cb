package io.jverbs.ibverbs;

import io.jverbs.CompletionChannel;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import java.time.Duration;

/** A program that sets up a context, has threads wait for its events, and ends without closing anything. */
final class AbandonsContext {
    static final String WAITING = "all wait";

    private AbandonsContext() {}

    private interface Wait {
        Object forEver() throws InterruptedException;
    }

    /**
     * Runs it.
     *
     * @param arguments 0 to return, 1 to fail in the middle of set-up
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
            throw new IllegalStateException("in the middle of set-up");
        }
    }

    private static boolean isWaiting(Thread thread) {
        return thread.getState() == Thread.State.TIMED_WAITING;
    }

    private static Thread start(Wait wait) {
        return Thread.ofPlatform().daemon().start(() -> {
            try {
                wait.forEver();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }
}
