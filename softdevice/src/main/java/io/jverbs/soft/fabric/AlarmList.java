package io.jverbs.soft.fabric;

import io.jverbs.soft.protocol.Timers;

/**
 * The alarms of {@link RealTimers} that have the same delay, so that the order in which they were set is the order of
 * their times. A doubly linked list: to set and to cancel an alarm takes a few steps however many are set. The lock of
 * the timers guards it. The order of lists is that of the times for which they are queued.
 */
final class AlarmList implements Comparable<AlarmList> {
    /** An alarm; its neighbours are null if it is not in the list. */
    static final class Entry implements Timers.Alarm {
        final Runnable action;
        private final AlarmList list;
        private final long nanoTime;
        private Entry previous;
        private Entry next;

        private Entry(AlarmList list, Runnable action, long nanoTime) {
            this.list = list;
            this.action = action;
            this.nanoTime = nanoTime;
        }

        @Override
        public void cancel() {
            list.timers.cancel(this);
        }

        /** {@return when it is due} */
        long nanoTime() {
            return nanoTime;
        }

        AlarmList list() {
            return list;
        }
    }

    final long delayNanos;
    private final RealTimers timers;
    /** The head of the ring of the entries. */
    private final Entry ring;
    /** Whether the list is in the queue of the timers. */
    boolean queued;
    /** The time of the alarm that was the first one when the list was queued. */
    long queuedFor;

    AlarmList(RealTimers timers, long delayNanos) {
        this.timers = timers;
        this.delayNanos = delayNanos;
        ring = new Entry(this, () -> {}, 0);
        ring.previous = ring;
        ring.next = ring;
    }

    /** {@return a new alarm whose delay starts now} It is not in the list. */
    Entry entry(Runnable action) {
        return new Entry(this, action, System.nanoTime() + delayNanos);
    }

    /** Adds an alarm, the latest one that was made. */
    void add(Entry entry) {
        entry.previous = ring.previous;
        entry.next = ring;
        ring.previous.next = entry;
        ring.previous = entry;
    }

    /** Removes an alarm, if it is in the list still. */
    void remove(Entry entry) {
        if (entry.next != null) {
            entry.previous.next = entry.next;
            entry.next.previous = entry.previous;
            entry.next = null;
            entry.previous = null;
        }
    }

    /** {@return the alarm whose time is the earliest, or null} */
    Entry first() {
        return ring.next == ring ? null : ring.next;
    }

    boolean isDue(long now) {
        return queuedFor - now <= 0;
    }

    @Override
    public int compareTo(AlarmList other) {
        // calls nothing: an Error here would interrupt a change of the queue
        long difference = queuedFor - other.queuedFor;
        return difference < 0 ? -1 : difference > 0 ? 1 : 0;
    }
}
