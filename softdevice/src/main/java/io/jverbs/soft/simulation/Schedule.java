package io.jverbs.soft.simulation;

import io.jverbs.soft.queue.SpinLock;
import io.jverbs.soft.transport.Timers;
import java.util.PriorityQueue;

/** The clock of a network and what is to come. Its lock is the last to take. */
final class Schedule implements Timers {
    private final SpinLock lock = new SpinLock();
    private final PriorityQueue<Happening> coming = new PriorityQueue<>();
    private final boolean real;
    private final long start = System.nanoTime();
    private volatile long now;
    private long entered;
    /** Told when something is due earlier than all else. */
    private volatile Runnable listener = () -> {};

    /** One that is cancelled stays in line, but keeps nothing of its queue pair. */
    private static final class SetAlarm extends Happening implements Alarm {
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
        void happen() {
            Runnable left = action;
            if (left != null) {
                left.run();
            }
        }
    }

    /** @param real whether the clock goes as the real one, and not when something happens */
    Schedule(boolean real) {
        this.real = real;
    }

    /** What guards this, and whatever else packets on their way need. */
    SpinLock lock() {
        return lock;
    }

    void listener(Runnable told) {
        listener = told;
    }

    /** Nanoseconds since the network began. */
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
            first = enter(later(delayNanos), alarm);
        } finally {
            lock.unlock();
        }
        if (first) {
            listener.run();
        }
        return alarm;
    }

    /** The time after a delay; one that is too long is never. */
    long later(long delayNanos) {
        long time = nanoTime() + delayNanos;
        return time < 0 ? Long.MAX_VALUE : time;
    }

    /** Enters something, the lock is held; whether it is due before all else. */
    boolean enter(long time, Happening what) {
        what.at(Math.max(time, now), entered++);
        coming.add(what);
        return coming.peek() == what;
    }

    /** Tells the listener of something that was entered. */
    void tell() {
        listener.run();
    }

    /** Takes out what is due first and sets the clock to it; null if nothing is due by then. */
    Happening next(long until) {
        lock.lock();
        try {
            if (!isDue(until)) {
                return null;
            }
            Happening first = coming.remove();
            now = Math.max(now, first.at());
            return first;
        } finally {
            lock.unlock();
        }
    }

    /** When something is due; {@link Long#MAX_VALUE} if nothing is. */
    long nextAt() {
        lock.lock();
        try {
            Happening first = first();
            return first == null ? Long.MAX_VALUE : first.at();
        } finally {
            lock.unlock();
        }
    }

    private Happening first() {
        Happening first = coming.peek();
        while (first != null && first.isCancelled()) {
            coming.remove();
            first = coming.peek();
        }
        return first;
    }

    private boolean isDue(long until) {
        Happening first = first();
        return first != null && first.at() <= until && first.at() != Long.MAX_VALUE;
    }

    /** Sets the clock on to a moment, unless it is there already or something is due by then: false in that case. */
    boolean setOn(long time) {
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

    /** Forgets what is to come. */
    void clear() {
        lock.lock();
        try {
            coming.clear();
        } finally {
            lock.unlock();
        }
    }
}
