package io.jverbs.bench.pingpong;

import java.util.concurrent.TimeUnit;

/** The other thread of a ping-pong, which replies to messages until it is closed. */
final class Echo implements AutoCloseable {
    private static final long TIMEOUT_MILLIS = TimeUnit.SECONDS.toMillis(10);

    private final Thread thread;
    private volatile boolean stopped;

    /** Replies to messages. */
    @FunctionalInterface
    interface Replier {
        /** Replies to a message; returns false if there is none. */
        boolean tryReply();
    }

    Echo(Replier replier) {
        thread = Thread.ofPlatform().name("echo").daemon().start(() -> run(replier));
    }

    private void run(Replier replier) {
        while (!stopped) {
            if (!replier.tryReply()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Stops the thread, and waits until it has ended. */
    @Override
    public void close() {
        stopped = true;
        try {
            thread.join(TIMEOUT_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("the echo thread did not stop within " + TIMEOUT_MILLIS + " ms");
        }
    }
}
