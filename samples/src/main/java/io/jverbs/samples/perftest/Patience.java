package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.SampleFailure;
import java.time.Duration;

/** Waits for what the peer does, but not for a peer that is gone, nor for messages that were lost. For one thread. */
final class Patience {
    private static final int POLLS_BETWEEN_YIELDS = 1000;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final Control control;
    private final QpType connection;
    private final Duration limit;
    private int polls;
    private long progress;
    private long since;
    private long nextLook;

    Patience(Control control, QpType connection, Duration limit) {
        this.control = control;
        this.connection = connection;
        this.limit = limit;
    }

    /** Begins anew. */
    void begin() {
        progress = -1;
        nextLook = System.nanoTime();
    }

    /**
     * Notes that there was nothing to do.
     *
     * @param done how much was done until now, in whatever unit
     * @param expected of how much
     */
    void idle(long done, long expected) {
        Thread.onSpinWait();
        if (++polls >= POLLS_BETWEEN_YIELDS) {
            polls = 0;
            // Both sides, and a device in software, may have to share a processor.
            Thread.yield();
            look(done, expected);
        }
    }

    /** Looks after the peer if it is time to. */
    void look(long done, long expected) {
        long now = System.nanoTime();
        if (now - nextLook < 0) {
            return;
        }
        nextLook = now + BETWEEN_LOOKS.toNanos();
        if (Thread.interrupted()) {
            Thread.currentThread().interrupt();
            throw new SampleFailure("interrupted while waiting for the peer.");
        }
        control.look();
        if (done != progress) {
            progress = done;
            since = now;
        } else if (now - since > limit.toNanos()) {
            throw new SampleFailure("nothing has happened for " + limit.toSeconds() + " s after " + done + " of "
                    + expected + " completions: " + (connection == QpType.RC
                            ? "the peer is there, but its side of the test does not go on."
                            : "messages were lost. " + connection + " sends nothing again, and what it sends over a"
                                    + " wire is not paced; a smaller --tx-depth may lose less."));
        }
    }
}
