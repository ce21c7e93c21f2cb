package io.jverbs.soft.injection;

import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;

/**
 * Alarms that are set behind one that is cancelled, so that the thread of the timers moves the list of their delay,
 * while an Error is thrown. Alarms that were set fire.
 */
public final class InjectedTimers implements IntFunction<String>, AutoCloseable {
    private static final long DELAY_NANOS = 2_000_000;
    private static final long MAX_SECONDS = 5;
    /** More than the timers keep without alarms. */
    private static final int DELAYS = 70;

    private final RealTimers timers = new RealTimers();

    /** Runs one round with an Error at an injection point, or without one if the number is negative. */
    @Override
    public String apply(int point) {
        List<String> errors = new ArrayList<>();
        try {
            ErrorInjector.begin(point);
            try {
                List<CountDownLatch> fired = setBehindCancelled();
                for (int i = 0; i < fired.size(); i++) {
                    if (!fired.get(i).await(MAX_SECONDS, TimeUnit.SECONDS)) {
                        errors.add("alarm " + i + " has not fired after " + MAX_SECONDS + " s");
                    }
                }
            } finally {
                ErrorInjector.end();
            }
            CountDownLatch later = new CountDownLatch(1);
            timers.set(DELAY_NANOS, later::countDown);
            if (!later.await(MAX_SECONDS, TimeUnit.SECONDS)) {
                errors.add("no alarm fires after the Error");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return String.join("; ", errors);
    }

    /** Returns what the alarms that were set count down. */
    private List<CountDownLatch> setBehindCancelled() {
        List<CountDownLatch> set = new ArrayList<>();
        Timers.Alarm first = attempt(DELAY_NANOS, () -> {});
        LockSupport.parkNanos(DELAY_NANOS / 2);
        for (int i = 0; i < 2; i++) {
            CountDownLatch latch = new CountDownLatch(1);
            if (attempt(DELAY_NANOS, latch::countDown) != null) {
                set.add(latch);
            }
        }
        cancel(first);
        for (int i = 0; i < DELAYS; i++) {
            cancel(attempt(2 * DELAY_NANOS + i, () -> {}));
        }
        return set;
    }

    private Timers.Alarm attempt(long delayNanos, Runnable action) {
        try {
            return timers.set(delayNanos, action);
        } catch (InjectedError e) {
            // the alarm is not set
            return null;
        }
    }

    private static void cancel(Timers.Alarm alarm) {
        try {
            if (alarm != null) {
                alarm.cancel();
            }
        } catch (InjectedError e) {
            // the alarm may fire
        }
    }

    @Override
    public void close() {
        // the thread ends by itself
    }
}
