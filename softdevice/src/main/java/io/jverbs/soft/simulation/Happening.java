package io.jverbs.soft.simulation;

/** Something that is to happen in a network at some time. Time and order are the {@link Schedule}'s. */
abstract class Happening implements Comparable<Happening> {
    private long at;
    private long order;

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

    /** Whether it is not to happen any more. */
    boolean isCancelled() {
        return false;
    }

    @Override
    public final int compareTo(Happening other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
}
