package io.jverbs.rsocket;

import io.jverbs.rsocket.polling.EarliestDeadline;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Runs the timers of streams, and processes the completions of those whose threads wait while none of them leads. */
final class CompletionThread extends DeviceThread {
    private static final long LONG_NANOS = Duration.ofHours(1).toNanos();
    /** After an event, the threads that it wakes get this time to lead themselves. */
    private static final long PAUSE_NANOS = 50_000;

    /** When the timers of a stream are due; no scan is necessary before. */
    private final EarliestDeadline deadline = new EarliestDeadline(System.nanoTime());

    CompletionThread(StreamDevice device) {
        super(device, "jverbs-rsocket-completions");
    }

    /** Makes the timers of the streams run at a time at the latest. */
    void schedule(long time) {
        if (deadline.add(time)) {
            wake();
        }
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
        boolean wasRaised = false;
        try {
            wasRaised = leader.awaitEvent(nanos);
        } finally {
            try {
                endSleep();
            } finally {
                leader.process(null);
            }
        }
        return wasRaised;
    }

    /** Runs the timers that are due; returns the nanoseconds until the next one. */
    private long timers() {
        long now = System.nanoTime();
        if (deadline.nanosFrom(now) == 0) {
            boolean isDone = false;
            try {
                deadline.restart(now + LONG_NANOS);
                for (StreamConnection each : device().streams()) {
                    deadline.add(run(each, now));
                }
                isDone = true;
            } finally {
                if (!isDone) {
                    deadline.restart(now);
                }
            }
        }
        return deadline.nanosFrom(now);
    }

    /** Runs the timers of a stream, if they are due; returns when they are again. A failure ends only that stream. */
    private static long run(StreamConnection stream, long now) {
        try {
            return stream.timers().run(now);
        } catch (RuntimeException | Error e) {
            stream.failed("running the timers", e);
            return now + LONG_NANOS;
        }
    }
}
