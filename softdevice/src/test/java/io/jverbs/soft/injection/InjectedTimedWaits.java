package io.jverbs.soft.injection;

import io.jverbs.injection.ErrorInjector;
import io.jverbs.injection.ErrorInjector.InjectedError;
import io.jverbs.spi.wait.TimedCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntFunction;

/** Virtual threads that wait for a condition, one after the other, until the time is over, while an Error is thrown. */
public final class InjectedTimedWaits implements IntFunction<String>, AutoCloseable {
    private static final long WAIT_NANOS = 11_000_000;
    private static final long MAX_SECONDS = 5;
    private static final int WAITS = 3;

    private final ReentrantLock lock = new ReentrantLock();

    /** Runs one round with an Error at an injection point, or without one if the number is negative. */
    @Override
    public String apply(int point) {
        List<String> errors = new ArrayList<>();
        TimedCondition condition = new TimedCondition(lock);
        try {
            ErrorInjector.begin(point);
            try {
                for (int i = 0; i < WAITS; i++) {
                    CountDownLatch ended = new CountDownLatch(1);
                    Thread.ofVirtual().start(() -> {
                        await(condition);
                        ended.countDown();
                    });
                    if (!ended.await(MAX_SECONDS, TimeUnit.SECONDS)) {
                        errors.add("wait " + i + " has not ended after " + MAX_SECONDS + " s");
                    }
                }
            } finally {
                ErrorInjector.end();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return String.join("; ", errors);
    }

    private void await(TimedCondition condition) {
        lock.lock();
        try {
            condition.awaitNanos(WAIT_NANOS);
        } catch (InjectedError e) {
            // the wait has ended
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        // the thread of the timer ends with the JVM
    }
}
