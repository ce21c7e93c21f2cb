package io.jverbs.soft.fabric;

import io.jverbs.soft.protocol.Timers;
import java.util.concurrent.Future;

/**
 * The alarms of {@link RealTimers} that have the same delay, so that the order in which they were set is the order of
 * their times. A doubly linked list: to set and to cancel an alarm takes a few steps however many are set. The lock of
 * the timers guards it. As a task of the executor, it serves its alarms.
 */
final class AlarmList implements Runnable {
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

        /** {@return how long the alarm has to wait, in nanoseconds; it is due if that is not positive} */
        long remainingNanos() {
            return nanoTime - System.nanoTime();
        }

        AlarmList list() {
            return list;
        }
    }

    final long delayNanos;
    private final RealTimers timers;
    /** The head of the ring of the entries. */
    private final Entry ring;
    /** The task that serves the first alarm at its time, or earlier; null if there is none. */
    private Future<?> task;

    AlarmList(RealTimers timers, long delayNanos) {
        this.timers = timers;
        this.delayNanos = delayNanos;
        ring = new Entry(this, () -> {}, 0);
        ring.previous = ring;
        ring.next = ring;
    }

    /** Serves the alarms that are due. Nothing is called before the try, so that an Error ends no list. */
    @Override
    public void run() {
        try {
            timers.serve(this);
        } catch (RuntimeException | Error e) {
            timers.serveAgain(this, e);
        }
    }

    /** Adds an alarm whose delay starts now. */
    Entry add(Runnable action) {
        Entry entry = new Entry(this, action, System.nanoTime() + delayNanos);
        entry.previous = ring.previous;
        entry.next = ring;
        ring.previous.next = entry;
        ring.previous = entry;
        return entry;
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

    boolean isScheduled() {
        return task != null;
    }

    void schedule(Future<?> task) {
        this.task = task;
    }

    /** Cancels the task. */
    void unschedule() {
        if (task != null) {
            task.cancel(false);
            task = null;
        }
    }
}
