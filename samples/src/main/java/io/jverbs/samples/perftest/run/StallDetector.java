package io.jverbs.samples.perftest.run;

import io.jverbs.QpType;
import io.jverbs.samples.connect.SpinWait;
import io.jverbs.samples.console.SampleFailure;
import io.jverbs.samples.perftest.exchange.ParameterExchange;
import java.time.Duration;

/**
 * Backs off between polls that return nothing, and fails when the peer has gone or the completions have stopped, as
 * messages were lost. Not thread-safe.
 */
final class StallDetector {
    private static final Duration BETWEEN_CHECKS = Duration.ofMillis(100);
    /** How long a peer that has all messages and exits is given for its last acknowledgement. */
    private static final Duration AFTER_EXIT = Duration.ofMillis(500);

    private final ParameterExchange exchange;
    private final QpType connection;
    private final Duration limit;
    private final SpinWait wait = new SpinWait(SpinWait.SHORT_POLLS);
    private long doneAtPoll;
    private long doneAtCheck;
    private long stalledSince;
    private long nextCheck;

    StallDetector(ParameterExchange exchange, QpType connection, Duration limit) {
        this.exchange = exchange;
        this.connection = connection;
        this.limit = limit;
    }

    /** Starts a round. */
    void begin() {
        doneAtPoll = -1;
        doneAtCheck = -1;
        nextCheck = System.nanoTime();
    }

    /**
     * Called after each poll that returned nothing.
     *
     * @param done the number of completions so far
     * @param expected the number of completions of the round, 0 if a duration is given
     */
    void idle(long done, long expected) {
        if (done != doneAtPoll) {
            doneAtPoll = done;
            wait.begin();
        }
        if (wait.idle()) {
            check(done, expected);
        }
    }

    /**
     * Checks the peer and the progress, at most once in 100 ms.
     *
     * @throws SampleFailure if the peer has gone, or if there was no progress within the limit
     */
    void check(long done, long expected) {
        long now = System.nanoTime();
        if (now - nextCheck < 0) {
            return;
        }
        nextCheck = now + BETWEEN_CHECKS.toNanos();
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while waiting for the peer.");
        }
        if (done != doneAtCheck) {
            doneAtCheck = done;
            stalledSince = now;
        } else if (now - stalledSince > AFTER_EXIT.toNanos() && exchange.isPeerGone()) {
            throw new SampleFailure("the peer exited before the end of the test, after " + counts(done, expected)
                    + " completions; its output may say why.");
        } else if (now - stalledSince > limit.toNanos()) {
            throw new SampleFailure("no completion for " + limit.toSeconds() + " s after " + counts(done, expected)
                    + ": " + (connection == QpType.RC
                            ? "the peer is connected, but its side of the test makes no progress: start both sides"
                                    + " with the same options."
                            : "messages were lost. " + connection + " does not retransmit and has no flow control; a"
                                    + " smaller --tx-depth may lose fewer messages."));
        }
    }

    private static String counts(long done, long expected) {
        return expected == 0 ? Long.toString(done) : done + " of " + expected;
    }
}
