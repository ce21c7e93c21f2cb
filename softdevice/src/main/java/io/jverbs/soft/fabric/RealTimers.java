package io.jverbs.soft.fabric;

import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.queue.SpinLock;
import io.jverbs.spi.ServiceLoop;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Timers in real time. One daemon thread serves all devices. The first alarm starts it; it ends when no alarm has been
 * set for a while.
 *
 * <p>
 * Most alarms are timeouts: many have the same delay, and are cancelled long before their time. The executor therefore
 * has one task for each delay and not for each alarm. It serves the first alarm of that delay. When that is cancelled,
 * the task stays and looks for the next one later, so that an alarm that is set and cancelled neither moves the
 * executor's queue nor wakes its thread.
 */
public final class RealTimers implements Timers {
    private static final String NAME = "jverbs-soft-timer";
    private static final long KEEP_SECONDS = 5;
    /** The pause after two failures in a row. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** With more delays than this, the task of a delay is cancelled with its last alarm. */
    private static final int MOST_IDLE_LISTS = 64;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
            task -> ServiceLoop.unstarted(NAME, RealTimers.class, task));
    private final ServiceLoop failureLog = new ServiceLoop(RealTimers.class, NAME);
    /**
     * Guards the lists. Actions are called without it. It does not park: a virtual thread that sets an alarm may hold
     * the lock of a queue pair, and must not be unmounted.
     */
    private final SpinLock lock = new SpinLock();
    private final Map<Long, AlarmList> lists = new HashMap<>();

    /** Creates the timers without starting the thread. */
    public RealTimers() {
        executor.setKeepAliveTime(KEEP_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        lock.lock();
        try {
            AlarmList list = lists.get(delayNanos);
            if (list == null) {
                list = new AlarmList(this, delayNanos);
                lists.put(delayNanos, list);
            }
            if (!list.isScheduled()) {
                schedule(list, delayNanos);
            }
            return list.add(action);
        } finally {
            lock.unlock();
        }
    }

    /** Cancels an alarm. */
    void cancel(AlarmList.Entry alarm) {
        AlarmList list = alarm.list();
        lock.lock();
        try {
            list.remove(alarm);
            if (list.first() == null && lists.size() > MOST_IDLE_LISTS && lists.remove(list.delayNanos, list)) {
                list.unschedule();
            }
        } finally {
            lock.unlock();
        }
    }

    /** {@return the number of tasks that the executor keeps} For tests. */
    int scheduledTasks() {
        return executor.getQueue().size();
    }

    private void schedule(AlarmList list, long nanos) {
        list.schedule(executor.schedule(list, nanos, TimeUnit.NANOSECONDS));
    }

    /** Serves the list again after an Error; if that also fails, after a pause. */
    void serveAgain(AlarmList list, Throwable failure) {
        try {
            failureLog.logFailure(failure);
            serve(list);
        } catch (RuntimeException | Error e) {
            serveLater(list);
            failureLog.logFailure(e);
        }
    }

    /** Serves a list after a pause. If that fails, the next alarm that is set schedules the list. */
    private void serveLater(AlarmList list) {
        lock.lock();
        try {
            list.unschedule();
            schedule(list, PAUSE_NANOS);
        } finally {
            lock.unlock();
        }
    }

    /** Calls the actions of the alarms of a list that are due, and schedules the list for the next one. */
    void serve(AlarmList list) {
        for (AlarmList.Entry alarm = due(list); alarm != null; alarm = due(list)) {
            fire(alarm.action);
            alarm.cancel();
        }
    }

    /** {@return the next alarm that is due, still in the list, or null after the list's next task is scheduled} */
    private AlarmList.Entry due(AlarmList list) {
        lock.lock();
        try {
            AlarmList.Entry first = list.first();
            if (first == null) {
                lists.remove(list.delayNanos, list);
                return null;
            }
            long remaining = first.remainingNanos();
            if (remaining <= 0) {
                return first;
            }
            schedule(list, remaining);
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Runs the action of an alarm. The executor would not report an exception. */
    private void fire(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            failureLog.logFailure(e);
            retry(action);
        }
    }

    /** Runs a failed action once more, as nothing else does its work. An action that has completed detects that. */
    private void retry(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error e) {
            failureLog.logFailure(e);
        }
    }
}
