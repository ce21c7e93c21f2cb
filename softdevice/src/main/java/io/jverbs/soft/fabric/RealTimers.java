package io.jverbs.soft.fabric;

import io.jverbs.soft.protocol.Timers;
import io.jverbs.spi.OwnThread;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Timers in real time. One daemon thread serves all devices. The first alarm starts it; it ends when no alarm has been
 * set for a while.
 */
public final class RealTimers implements Timers {
    private static final String NAME = "jverbs-soft-timer";
    private static final long KEEP_SECONDS = 5;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
            task -> OwnThread.unstarted(NAME, RealTimers.class, task));
    private final OwnThread failureLog = new OwnThread(RealTimers.class, NAME);

    /** Creates the timers without starting the thread. */
    public RealTimers() {
        executor.setKeepAliveTime(KEEP_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        Future<?> future = executor.schedule(() -> fire(action), delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
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
