package io.jverbs.rsocket;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Runs the timers of streams, and processes the completions of those whose threads wait while none of them leads. */
final class CompletionThread extends DeviceThread {
    private static final long LONG_NANOS = Duration.ofHours(1).toNanos();
    /** After an event, the threads that it wakes get this time to lead themselves. */
    private static final long PAUSE_NANOS = Duration.ofNanos(50_000).toNanos();

    CompletionThread(StreamDevice device) {
        super(device, "jverbs-rsocket-completions");
    }

    @Override
    void next() throws InterruptedException {
        long idle = timers();
        EventLeader leader = device().leader();
        boolean isLeader = leader.isNeeded() && leader.tryLead();
        try {
            boolean isWoken = false;
            if (beginSleep()) {
                try {
                    if (isLeader) {
                        isWoken = leader.await(idle);
                    } else {
                        LockSupport.parkNanos(this, idle);
                    }
                } finally {
                    endSleep();
                }
            }
            if (isWoken) {
                leader.resign();
                isLeader = false;
                LockSupport.parkNanos(this, PAUSE_NANOS);
            }
        } finally {
            if (isLeader) {
                leader.resign();
            }
        }
    }

    /** Runs the timers that are due; returns the nanoseconds until the next one. */
    private long timers() {
        long idle = LONG_NANOS;
        long now = System.nanoTime();
        for (StreamConnection each : device().streams()) {
            idle = Math.min(idle, each.timers().run(now));
        }
        return idle;
    }
}
