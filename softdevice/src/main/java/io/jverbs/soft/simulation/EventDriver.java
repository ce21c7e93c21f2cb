package io.jverbs.soft.simulation;

import io.jverbs.soft.fabric.EventWait;
import java.util.function.BooleanSupplier;

/** Decides which threads run the scheduled events of a network, and when; see {@link TimeMode}. */
interface EventDriver {

    /** Returns the driver of a network. */
    static EventDriver of(TimeMode mode, Schedule schedule, EventRunner runner, String name) {
        return mode == TimeMode.REAL
                ? new RealTimeDriver(schedule, runner, name)
                : new VirtualTimeDriver(schedule, runner, mode == TimeMode.AUTO);
    }

    /** Called when a context is opened. */
    void begin();

    /** Called when the last context is closed. */
    void end();

    /** Called when a thread polls an empty completion queue. */
    void poll();

    /** Returns how threads wait for events. */
    EventWait eventWait();

    /** Runs the next event; returns false if none is scheduled. */
    boolean step();

    /** Runs events until a condition holds or {@code nanos} have passed; returns whether the condition holds. */
    boolean runUntil(BooleanSupplier condition, long nanos);
}
