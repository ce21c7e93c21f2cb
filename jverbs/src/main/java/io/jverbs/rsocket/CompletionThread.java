package io.jverbs.rsocket;

import io.jverbs.CompletionQueue;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Runs the timers of streams, and processes the completions of those whose threads wait while none of them leads. */
final class CompletionThread extends DeviceThread {
    private static final long LONG_NANOS = Duration.ofHours(1).toNanos();
    /** After an event, the threads that it wakes get this time to lead themselves. */
    private static final long PAUSE_NANOS = 50_000;

    CompletionThread(StreamDevice device) {
        super(device, "jverbs-rsocket-completions");
    }

    @Override
    void next() throws InterruptedException {
        long idle = timers();
        EventLeader leader = device().leader();
        if (!leader.isNeeded() || !leader.tryLead()) {
            sleep(idle);
            return;
        }
        boolean wasRaised = false;
        try {
            wasRaised = lead(leader, idle);
        } finally {
            leader.resign();
        }
        if (wasRaised && (!leader.isNeeded() || leader.wakeSuccessor())) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
        }
    }

    private void sleep(long nanos) {
        if (beginSleep()) {
            try {
                LockSupport.parkNanos(this, nanos);
            } finally {
                endSleep();
            }
        }
    }

    /** Waits for an event, and processes it when no interrupt is possible any more; returns whether there was one. */
    private boolean lead(EventLeader leader, long nanos) throws InterruptedException {
        if (!beginSleep()) {
            return false;
        }
        CompletionQueue raised = null;
        try {
            raised = leader.awaitEvent(nanos);
        } finally {
            try {
                endSleep();
            } finally {
                EventLeader.process(raised, null);
            }
        }
        return raised != null;
    }

    /** Runs the timers that are due; returns the nanoseconds until the next one. */
    private long timers() {
        long idle = LONG_NANOS;
        long now = System.nanoTime();
        for (StreamConnection each : device().streams()) {
            idle = Math.min(idle, run(each, now));
        }
        return idle;
    }

    /** Runs the timers of a stream; a failure ends only that stream. */
    private static long run(StreamConnection stream, long now) {
        try {
            return stream.timers().run(now);
        } catch (RuntimeException | Error e) {
            stream.failed("running the timers", e);
            return LONG_NANOS;
        }
    }
}
