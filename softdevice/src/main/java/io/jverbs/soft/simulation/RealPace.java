package io.jverbs.soft.simulation;

import io.jverbs.soft.fabric.WayOut.Progress;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Things happen when they are due, in a thread of the network or in one that polls. */
final class RealPace implements Pace {
    private static final Logger LOG = LoggerFactory.getLogger(RealPace.class);
    private static final long LOOK_NANOS = 50_000;

    private final Schedule schedule;
    private final Turn turn;
    private final String name;
    private volatile Thread thread;
    private volatile boolean ended;

    RealPace(Schedule schedule, Turn turn, String name) {
        this.schedule = schedule;
        this.turn = turn;
        this.name = name;
    }

    @Override
    public synchronized void begin() {
        if (thread == null) {
            thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
            schedule.listener(() -> LockSupport.unpark(thread));
            thread.start();
        }
    }

    @Override
    public void end() {
        ended = true;
        LockSupport.unpark(thread);
    }

    private void run() {
        while (!ended) {
            try {
                long left = schedule.nextAt() - schedule.nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(left);
                } else {
                    turn.take(schedule.nanoTime());
                }
            } catch (RuntimeException | Error e) {
                LOG.warn("{} goes on after an unexpected failure", name, e);
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    @Override
    public void help() {
        turn.tryTake(schedule.nanoTime());
    }

    @Override
    public Progress progress() {
        return null;
    }

    @Override
    public boolean step() {
        long due = schedule.nextAt();
        if (due == Long.MAX_VALUE || !runUntil(() -> schedule.nanoTime() >= due, Long.MAX_VALUE)) {
            return false;
        }
        // unless the network's thread has had it happen, or is at it
        turn.take(due);
        return true;
    }

    @Override
    public boolean runUntil(BooleanSupplier condition, long nanos) {
        long deadline = schedule.later(nanos);
        while (!condition.getAsBoolean()) {
            long left = deadline - schedule.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                return condition.getAsBoolean();
            }
            LockSupport.parkNanos(Math.min(LOOK_NANOS, left));
        }
        return true;
    }
}
