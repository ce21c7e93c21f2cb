package io.jverbs.soft.simulation;

/**
 * An event that runs in a network at a scheduled time. Events of the same time run in the order in which they were
 * scheduled. The time and the order are set by {@link Schedule} and guarded by its lock.
 */
abstract class ScheduledEvent implements Comparable<ScheduledEvent> {
    private long at;
    private long order;

    /**
     * Runs the event. The runner is held, which {@link EventRunner} asserts, and no other lock. If it throws, it is
     * called once more.
     */
    abstract void run();

    /** Returns the time when the event is due. */
    final long at() {
        return at;
    }

    final void at(long time, long number) {
        at = time;
        order = number;
    }

    /** Returns whether the event was cancelled. */
    boolean isCancelled() {
        return false;
    }

    @Override
    public final int compareTo(ScheduledEvent other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
}
