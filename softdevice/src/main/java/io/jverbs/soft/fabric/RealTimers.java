package io.jverbs.soft.fabric;

import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.ServiceLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Timers in real time. One daemon thread serves all devices. The first alarm starts it; it ends when no alarm has been
 * set for a while.
 *
 * <p>
 * Most alarms are timeouts: many have the same delay, and are cancelled long before their time. The queue of the thread
 * therefore has one element for each delay and not for each alarm: the list of the alarms of that delay, at the time of
 * the first one. When that is cancelled, the list stays in the queue and is moved at that time, so that an alarm that
 * is set and cancelled neither moves the queue nor wakes the thread.
 *
 * <p>
 * No method waits for a lock of the JDK, as those of its executors do: a virtual thread that sets an alarm may hold the
 * lock of a queue pair, and should not be unmounted.
 */
public final class RealTimers implements Timers {
    private static final String NAME = "jverbs-soft-timer";
    private static final long KEEP_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** With more delays than this, the list of a delay is removed with its last alarm. */
    private static final int MOST_IDLE_LISTS = 64;

    private final ServiceLoop loop = new ServiceLoop(RealTimers.class, NAME);
    /** Actions are called without it. */
    private final SpinLock lock = new SpinLock();
    // the lock guards the fields below
    private final Map<Long, AlarmList> lists = new HashMap<>();
    /** The lists with alarms, and others until their time. */
    private final PriorityQueue<AlarmList> queue = new PriorityQueue<>();
    /** A change of the queue is in progress, or was interrupted by an Error. */
    private boolean changing;
    /** Null if no thread runs, or the one that runs is about to end. */
    private Thread thread;
    /** The time until which the thread waits, or has waited last. Written by the thread. */
    private long waitsUntil = System.nanoTime();

    /** Creates the timers without starting the thread. */
    public RealTimers() {
        // nothing is due
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        AlarmList.Entry alarm;
        Thread woken = null;
        lock.lock();
        try {
            if (thread == null) {
                start();
            }
            repair();
            AlarmList list = lists.get(delayNanos);
            if (list == null) {
                list = new AlarmList(this, delayNanos);
            }
            alarm = list.entry(action);
            if (list.queued) {
                list.add(alarm);
            } else {
                addFirst(list, alarm);
            }
            // until the thread has run: if an Error keeps one caller from waking it, the next one does
            woken = alarm.nanoTime() - waitsUntil < 0 ? thread : null;
        } finally {
            lock.unlock();
        }
        LockSupport.unpark(woken);
        return alarm;
    }

    /** Adds the first alarm of a list. If that fails, the alarm is not set. */
    private void addFirst(AlarmList list, AlarmList.Entry alarm) {
        boolean added = false;
        try {
            lists.put(list.delayNanos, list);
            list.add(alarm);
            place(list);
            added = true;
        } finally {
            if (!added) {
                list.remove(alarm);
            }
        }
    }

    private void start() {
        assert lock.isHeldByCurrentThread();
        Thread made = ServiceLoop.unstarted(NAME, RealTimers.class, this::run);
        made.start();
        thread = made;
    }

    /** Moves a list to the place of its first alarm. Without alarms, it is removed from the queue and the lists. */
    private void place(AlarmList list) {
        assert lock.isHeldByCurrentThread();
        changing = true;
        queue.remove(list);
        list.queued = false;
        if (list.first() == null) {
            lists.remove(list.delayNanos, list);
        } else {
            enqueue(list);
        }
        changing = false;
    }

    private void enqueue(AlarmList list) {
        list.queuedFor = list.first().nanoTime();
        queue.add(list);
        list.queued = true;
    }

    /** Makes the queue again if an Error has interrupted a change of it. */
    private void repair() {
        assert lock.isHeldByCurrentThread();
        if (!changing) {
            return;
        }
        queue.clear();
        for (AlarmList list : lists.values()) {
            list.queued = false;
            if (list.first() != null) {
                enqueue(list);
            }
        }
        changing = false;
    }

    /** Cancels an alarm. */
    void cancel(AlarmList.Entry alarm) {
        AlarmList list = alarm.list();
        lock.lock();
        try {
            list.remove(alarm);
            if (list.first() == null && lists.size() > MOST_IDLE_LISTS) {
                repair();
                place(list);
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return the number of lists in the queue} For tests. */
    int queuedLists() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    /** Calls the actions of the alarms at their times, until no alarm has been set for a while. */
    private void run() {
        while (true) {
            try {
                loop.begin();
                AlarmList.Entry alarm = due();
                if (alarm != null) {
                    fire(alarm.action);
                    alarm.cancel();
                } else if (pause()) {
                    return;
                }
                loop.passed();
            } catch (RuntimeException | Error e) {
                loop.failed(e);
            }
        }
    }

    /** {@return the next alarm that is due, still in its list, or null} Moves lists whose first alarm was cancelled. */
    private AlarmList.Entry due() {
        lock.lock();
        try {
            repair();
            long now = System.nanoTime();
            waitsUntil = now;
            for (AlarmList list = queue.peek(); list != null && list.isDue(now); list = queue.peek()) {
                AlarmList.Entry first = list.first();
                if (first != null && first.nanoTime() - now <= 0) {
                    return first;
                }
                place(list);
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the first list is due, or an earlier one is added. Returns whether the thread ends instead. */
    private boolean pause() {
        long start = System.nanoTime();
        boolean hasLists = planWait(start);
        LockSupport.parkNanos(this, waitsUntil - start);
        // an interrupt ends the wait early, too
        return !hasLists && System.nanoTime() - start >= KEEP_NANOS && end();
    }

    /** Determines how long the thread waits. Returns whether there is a list in the queue. */
    private boolean planWait(long now) {
        lock.lock();
        try {
            AlarmList first = queue.peek();
            waitsUntil = first == null ? now + KEEP_NANOS : first.queuedFor;
            return first != null;
        } finally {
            lock.unlock();
        }
    }

    /** Ends the thread unless an alarm was set. */
    private boolean end() {
        lock.lock();
        try {
            boolean ends = queue.isEmpty();
            if (ends) {
                thread = null;
            }
            return ends;
        } finally {
            lock.unlock();
        }
    }

    /** Runs the action of an alarm. */
    private void fire(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            loop.logFailure(e);
            retry(action);
        }
    }

    /** Runs a failed action once more, as nothing else does its work. An action that has completed detects that. */
    private void retry(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            loop.logFailure(e);
        }
    }
}
