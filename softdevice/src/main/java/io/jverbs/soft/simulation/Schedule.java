package io.jverbs.soft.simulation;

import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.SpinLock;
import java.util.PriorityQueue;

/**
 * The clock of a network, and its scheduled events: packets that arrive, timers, and responses that are due. Guarded by
 * {@link #lock()}, which is acquired after all other locks.
 */
final class Schedule implements Timers {
    private static final int FIRST_SWEEP = 1024;

    private final SpinLock lock = new SpinLock();
    private final PriorityQueue<ScheduledEvent> events = new PriorityQueue<>();
    /** The number of events at which cancelled ones are removed. */
    private int sweepAt = FIRST_SWEEP;
    private final boolean real;
    private final long start = System.nanoTime();
    private volatile long now;
    private long added;
    /** Called when the event that is due first has changed. */
    private volatile Runnable listener = () -> {};

    /** A timer. A cancelled one stays in the queue until the next sweep, but no longer references its queue pair. */
    private static final class SetAlarm extends ScheduledEvent implements Alarm {
        private volatile Runnable action;

        SetAlarm(Runnable action) {
            this.action = action;
        }

        @Override
        public void cancel() {
            action = null;
        }

        @Override
        boolean isCancelled() {
            return action == null;
        }

        @Override
        void run() {
            Runnable current = action;
            if (current != null) {
                current.run();
            }
        }
    }

    /** @param real whether the clock follows real time; otherwise it advances with each event */
    Schedule(boolean real) {
        this.real = real;
    }

    /** Returns the lock that guards this schedule, and also the links, the packet log and packets in flight. */
    SpinLock lock() {
        return lock;
    }

    void listener(Runnable newListener) {
        listener = newListener;
    }

    /** Returns the nanoseconds since the network was created. */
    @Override
    public long nanoTime() {
        return real ? Math.max(now, System.nanoTime() - start) : now;
    }

    @Override
    public long epoch(long system) {
        return real ? system + start : 0;
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        SetAlarm alarm = new SetAlarm(action);
        lock.lock();
        boolean first;
        try {
            first = add(later(delayNanos), alarm);
        } finally {
            lock.unlock();
        }
        if (first) {
            listener.run();
        }
        return alarm;
    }

    /** Returns the time after a delay; {@link Long#MAX_VALUE}, which is never due, if the sum overflows. */
    long later(long delayNanos) {
        long time = nanoTime() + delayNanos;
        return time < 0 ? Long.MAX_VALUE : time;
    }

    /** Schedules an event; returns whether it is due before all others. The lock is held. */
    boolean add(long time, ScheduledEvent what) {
        assert lock.isHeldByCurrentThread();
        if (events.size() >= sweepAt) {
            events.removeIf(ScheduledEvent::isCancelled);
            sweepAt = Math.max(FIRST_SWEEP, 2 * events.size());
        }
        what.at(Math.max(time, now), added++);
        events.add(what);
        return events.peek() == what;
    }

    /** Calls the listener after {@link #add} has returned true. No lock is held. */
    void notifyListener() {
        listener.run();
    }

    /** Removes the first event that is due by a time and advances the clock to it; returns null if none is. */
    ScheduledEvent next(long until) {
        lock.lock();
        try {
            if (!isDue(until)) {
                return null;
            }
            ScheduledEvent first = events.remove();
            now = Math.max(now, first.at());
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the first event is due; {@link Long#MAX_VALUE} if there is none. */
    long nextAt() {
        lock.lock();
        try {
            ScheduledEvent first = first();
            return first == null ? Long.MAX_VALUE : first.at();
        } finally {
            lock.unlock();
        }
    }

    private ScheduledEvent first() {
        assert lock.isHeldByCurrentThread();
        ScheduledEvent first = events.peek();
        while (first != null && first.isCancelled()) {
            events.remove();
            first = events.peek();
        }
        return first;
    }

    private boolean isDue(long until) {
        ScheduledEvent first = first();
        return first != null && first.at() <= until && first.at() != Long.MAX_VALUE;
    }

    /** Advances the clock to a time that it has not passed; returns false without effect if an event is due by then. */
    boolean advanceTo(long time) {
        lock.lock();
        try {
            if (isDue(time)) {
                return false;
            }
            now = Math.max(now, time);
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Discards all events. */
    void clear() {
        lock.lock();
        try {
            events.clear();
        } finally {
            lock.unlock();
        }
    }
}
