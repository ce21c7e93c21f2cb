package io.jverbs.soft.simulation;

import io.jverbs.soft.fabric.EventWait;
import io.jverbs.spi.ServiceLoop;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Runs events when they are due in real time, in the network's own thread or in a thread that polls an empty completion
 * queue. Thread-safe.
 */
final class RealTimeDriver implements EventDriver {
    private static final long CHECK_INTERVAL_NANOS = 50_000;

    private final Schedule schedule;
    private final EventRunner runner;
    private final String name;
    private final ServiceLoop loop;
    private volatile Thread thread;
    private volatile boolean ended;

    RealTimeDriver(Schedule schedule, EventRunner runner, String name) {
        this.schedule = schedule;
        this.runner = runner;
        this.name = name;
        this.loop = new ServiceLoop(RealTimeDriver.class, name);
    }

    @Override
    public synchronized void begin() {
        if (thread == null) {
            thread = ServiceLoop.unstarted(name, RealTimeDriver.class, this::run);
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
                loop.begin();
                long left = schedule.nextAt() - schedule.nanoTime();
                if (left > 0) {
                    LockSupport.parkNanos(left);
                } else {
                    runner.runNext(schedule.nanoTime());
                }
                loop.passed();
            } catch (RuntimeException | Error e) {
                loop.failed(e);
            }
        }
    }

    @Override
    public void poll() {
        runner.tryRunNext(schedule.nanoTime());
    }

    @Override
    public EventWait eventWait() {
        return EventWait.PARKING;
    }

    @Override
    public boolean step() {
        long due = schedule.nextAt();
        if (due == Long.MAX_VALUE || !runUntil(() -> schedule.nanoTime() >= due, Long.MAX_VALUE)) {
            return false;
        }
        // no event runs here if the network's thread has run it
        runner.runNext(due);
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
            LockSupport.parkNanos(Math.min(CHECK_INTERVAL_NANOS, left));
        }
        return true;
    }
}
