package io.jverbs.samples.perftest;

import io.jverbs.QpType;
import io.jverbs.samples.SampleFailure;
import java.time.Duration;

/** Waits for what the peer does, but not for a peer that is gone, nor for messages that were lost. For one thread. */
final class Patience {
    private static final int POLLS_BETWEEN_CLOCKS = 64;
    /** Longer than an answer takes on an idle machine: there, nobody yields. */
    private static final long NANOS_BETWEEN_YIELDS = 20_000;
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    private final Control control;
    private final QpType connection;
    private final Duration limit;
    private int polls;
    private long seen;
    private long spinning;
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
        seen = -1;
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
        if (done != seen) {
            seen = done;
            polls = 0;
        }
        if (++polls % POLLS_BETWEEN_CLOCKS == 0) {
            waitFairly(done, expected);
        }
    }

    /** A poll may take ten nanoseconds or, where it looks for packets, some hundred: the clock decides. */
    private void waitFairly(long done, long expected) {
        long now = System.nanoTime();
        if (polls == POLLS_BETWEEN_CLOCKS) {
            spinning = now;
        } else if (now - spinning > NANOS_BETWEEN_YIELDS) {
            // Both sides, and a device in software, may have to share a processor.
            Thread.yield();
            spinning = System.nanoTime();
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
