package io.jverbs.soft.simulation;

import io.jverbs.soft.fabric.EventWait;
import io.jverbs.soft.fabric.SteppedWait;
import io.jverbs.soft.fabric.SteppedWait.Steps;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/**
 * Runs events in threads that poll, wait or step, and advances the clock from event to event without real delay.
 * Thread-safe.
 */
final class VirtualTimeDriver implements EventDriver, Steps {
    private final Schedule schedule;
    private final EventRunner runner;
    private final boolean auto;
    /** The threads inside {@link #runUntil}. Polls and waits in their conditions run no events. */
    private final Set<Thread> stepping = ConcurrentHashMap.newKeySet();

    /** @param auto whether polls and waits run events */
    VirtualTimeDriver(Schedule schedule, EventRunner runner, boolean auto) {
        this.schedule = schedule;
        this.runner = runner;
        this.auto = auto;
    }

    @Override
    public void begin() {
        // this driver has no thread to start
    }

    @Override
    public void end() {
        // this driver has no thread to stop
    }

    @Override
    public void poll() {
        if (auto && !stepping.contains(Thread.currentThread())) {
            runner.tryRunNext(Long.MAX_VALUE);
        }
    }

    @Override
    public EventWait eventWait() {
        return auto ? new SteppedWait(this) : EventWait.PARKING;
    }

    @Override
    public long deadline(long nanos) {
        return schedule.later(nanos);
    }

    @Override
    public boolean step(long deadline) {
        return !stepping.contains(Thread.currentThread()) && runner.runNext(deadline);
    }

    @Override
    public boolean elapsed(long deadline) {
        // a wait in the condition of runUntil must not advance the clock
        return stepping.contains(Thread.currentThread()) || schedule.advanceTo(deadline);
    }

    @Override
    public boolean step() {
        return runner.runNext(Long.MAX_VALUE);
    }

    @Override
    public boolean runUntil(BooleanSupplier condition, long nanos) {
        long deadline = schedule.later(nanos);
        boolean outermost = stepping.add(Thread.currentThread());
        try {
            while (!condition.getAsBoolean()) {
                if (!runner.runNext(deadline) && schedule.advanceTo(deadline)) {
                    return condition.getAsBoolean();
                }
            }
            return true;
        } finally {
            if (outermost) {
                stepping.remove(Thread.currentThread());
            }
        }
    }
}
