package io.jverbs.soft.fabric;

import io.jverbs.soft.transport.Timers;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Alarms in real time: one daemon thread for all devices, started by the first alarm, ended when there was none for a while. */
public final class RealTimers implements Timers {
    private static final long KEEP_SECONDS = 5;

    private final ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1,
            task -> Thread.ofPlatform().daemon().name("jverbs-soft-timer").unstarted(task));

    /** Starts nothing. */
    public RealTimers() {
        executor.setKeepAliveTime(KEEP_SECONDS, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
        executor.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Alarm set(long delayNanos, Runnable action) {
        Future<?> future = executor.schedule(action, delayNanos, TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }
}
