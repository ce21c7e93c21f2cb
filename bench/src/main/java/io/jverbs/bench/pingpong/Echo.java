package io.jverbs.bench.pingpong;

import java.util.concurrent.TimeUnit;

/** The other thread of a ping-pong: it answers until it is told to stop. */
final class Echo implements AutoCloseable {
    private static final long PATIENCE = TimeUnit.SECONDS.toMillis(10);

    private final Thread thread;
    private volatile boolean stopped;

    /** Answers once if there is something to answer. */
    @FunctionalInterface
    interface Answer {
        boolean tryAnswer();
    }

    Echo(Answer answer) {
        thread = Thread.ofPlatform().name("echo").daemon().start(() -> run(answer));
    }

    private void run(Answer answer) {
        while (!stopped) {
            if (!answer.tryAnswer()) {
                Thread.onSpinWait();
            }
        }
    }

    /** Stops it, and waits until it has. */
    @Override
    public void close() {
        stopped = true;
        try {
            thread.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException("the echo did not stop within " + PATIENCE + " ms");
        }
    }
}
