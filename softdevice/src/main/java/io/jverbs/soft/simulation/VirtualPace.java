package io.jverbs.soft.simulation;

import io.jverbs.soft.fabric.WayOut.Progress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;

/** Things happen in threads that wait or step; the clock goes from one to the next. */
final class VirtualPace implements Pace, Progress {
    private final Schedule schedule;
    private final Turn turn;
    private final boolean auto;
    /** Threads within {@link #runUntil}: what their conditions poll has nothing happen. */
    private final Set<Thread> stepping = ConcurrentHashMap.newKeySet();

    /** @param auto whether polls and waits have things happen */
    VirtualPace(Schedule schedule, Turn turn, boolean auto) {
        this.schedule = schedule;
        this.turn = turn;
        this.auto = auto;
    }

    @Override
    public void begin() {
        // no thread is needed
    }

    @Override
    public void end() {
        // as above
    }

    @Override
    public void help() {
        if (auto && !stepping.contains(Thread.currentThread())) {
            turn.tryTake(Long.MAX_VALUE);
        }
    }

    @Override
    public Progress progress() {
        return auto ? this : null;
    }

    @Override
    public long deadline(long nanos) {
        return schedule.later(nanos);
    }

    @Override
    public boolean step(long deadline) {
        return !stepping.contains(Thread.currentThread()) && turn.take(deadline);
    }

    @Override
    public boolean elapsed(long deadline) {
        // within runUntil the clock is not for what its condition waits for
        return stepping.contains(Thread.currentThread()) || schedule.setOn(deadline);
    }

    @Override
    public boolean step() {
        return turn.take(Long.MAX_VALUE);
    }

    @Override
    public boolean runUntil(BooleanSupplier condition, long nanos) {
        long deadline = schedule.later(nanos);
        boolean outermost = stepping.add(Thread.currentThread());
        try {
            while (!condition.getAsBoolean()) {
                if (!turn.take(deadline) && schedule.setOn(deadline)) {
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
