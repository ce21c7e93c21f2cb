package io.jverbs.soft.simulation;

import io.jverbs.soft.fabric.WayOut.Progress;
import java.util.function.BooleanSupplier;

/** Who has things happen, and when. */
interface Pace {

    /** That of a network. */
    static Pace of(TimeMode mode, Schedule schedule, Turn turn, String name) {
        return mode == TimeMode.REAL
                ? new RealPace(schedule, turn, name)
                : new VirtualPace(schedule, turn, mode == TimeMode.AUTO);
    }

    /** The first context is open. */
    void begin();

    /** The last context is closed. */
    void end();

    /** Somebody polls an empty completion queue. */
    void help();

    /** What threads do that wait for events, null for nothing. */
    Progress progress();

    /** Has the next thing happen; false if there is nothing to come. */
    boolean step();

    /** Goes on until a condition holds, or so many nanoseconds are over; whether it holds. */
    boolean runUntil(BooleanSupplier condition, long nanos);
}
