package io.jverbs.samples.connect;

import io.jverbs.CompletionQueue;
import io.jverbs.WorkCompletions;
import io.jverbs.samples.console.SampleFailure;
import java.time.Duration;

/** Waits for a single completion, by polling with pauses. */
final class CompletionWait {
    private static final int POLLS_BETWEEN_PAUSES = 1000;
    private static final Duration PAUSE = Duration.ofMillis(1);

    private CompletionWait() {}

    /**
     * Waits for one completion.
     *
     * @param cq the completion queue
     * @param timeout the time to wait
     * @param what what completes, for errors
     * @return the completion
     * @throws SampleFailure if none arrives in time, or if it is not a success
     */
    static WorkCompletions one(CompletionQueue cq, Duration timeout, String what) {
        WorkCompletions completions = WorkCompletions.create(1);
        long deadline = System.nanoTime() + timeout.toNanos();
        for (int polls = 1; cq.poll(completions) == 0; polls++) {
            if (polls % POLLS_BETWEEN_PAUSES == 0) {
                if (System.nanoTime() - deadline > 0) {
                    throw new SampleFailure(what + " did not arrive within " + timeout.toSeconds() + " s.");
                }
                pause(PAUSE);
            }
        }
        if (!completions.isSuccess(0)) {
            throw new SampleFailure(what + " failed with " + completions.status(0) + " (" + completions.rawStatus(0)
                    + ").");
        }
        return completions;
    }

    /** Sleeps. */
    static void pause(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** {@return the failure of a thread that was interrupted, which is interrupted again} */
    static SampleFailure interrupted() {
        Thread.currentThread().interrupt();
        return new SampleFailure("interrupted while waiting for the peer.");
    }
}
