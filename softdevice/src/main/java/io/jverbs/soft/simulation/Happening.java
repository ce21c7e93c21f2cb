package io.jverbs.soft.simulation;

import io.jverbs.soft.transport.Timers;

/** Something that is to happen in a network at some time. Time and order are the {@link Schedule}'s. */
abstract class Happening implements Comparable<Happening>, Timers.Alarm {
    private long at;
    private long order;
    private volatile boolean cancelled;

    /** Does it; the turn is held, and no other lock. */
    abstract void happen();

    /** When it is due. */
    final long at() {
        return at;
    }

    final void at(long time, long number) {
        at = time;
        order = number;
    }

    @Override
    public final void cancel() {
        cancelled = true;
    }

    final boolean isCancelled() {
        return cancelled;
    }

    @Override
    public final int compareTo(Happening other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
}
