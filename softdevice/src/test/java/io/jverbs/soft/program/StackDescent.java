package io.jverbs.soft.program;

import java.time.Duration;

/**
 * Runs a step near the end of a thread's stack: at each depth from the stack overflow back to where the step has
 * succeeded several times, or at some of these depths.
 */
final class StackDescent {
    private static final long STACK_BYTES = 512 * 1024;
    private static final int SUCCESSES = 6;
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    private final int stride;
    private int depth;
    private int successes;
    private int refused;
    private Throwable failure;

    /** @param stride 1 to run the step at each depth, 2 for every other depth, and so on */
    StackDescent(int stride) {
        this.stride = stride;
    }

    /** Returns how often a step has overflowed the stack. */
    int refused() {
        return refused;
    }

    /** Returns what a step has thrown besides a stack overflow, or null. */
    Throwable failure() {
        return failure;
    }

    /** Runs a step in a thread of its own; returns false if the thread does not end. */
    boolean run(Runnable step) throws InterruptedException {
        successes = 0;
        Thread thread = new Thread(null, () -> descend(step), "short", STACK_BYTES);
        // a thread that waits for a lock for ever must not keep the JVM from exiting
        thread.setDaemon(true);
        thread.start();
        return thread.join(DEADLINE);
    }

    private void descend(Runnable step) {
        try {
            descend(step);
        } catch (StackOverflowError e) {
            // the end of the stack is reached
        }
        if (depth++ % stride == 0 && successes < SUCCESSES) {
            try {
                step.run();
                successes++;
            } catch (StackOverflowError e) {
                refused++;
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
    }
}
