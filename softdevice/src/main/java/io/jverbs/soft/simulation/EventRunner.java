package io.jverbs.soft.simulation;

import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.spi.ServiceLoop;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Runs the scheduled events of a network, one at a time. The runner is a lock that a thread holds while it runs an
 * event; it is acquired before the locks of queue pairs.
 */
final class EventRunner {
    private final ReentrantLock lock = new ReentrantLock();
    private final ServiceLoop failureLog = new ServiceLoop(EventRunner.class, "The simulated network");
    private final Schedule schedule;
    private final DeferredWork.DeferredQueue deferred;

    EventRunner(Schedule schedule, DeferredWork.DeferredQueue deferred) {
        this.schedule = schedule;
        this.deferred = deferred;
    }

    /** Returns whether the calling thread holds the runner; for assertions alone. */
    boolean isHeldByCurrentThread() {
        return lock.isHeldByCurrentThread();
    }

    /** Runs the next event that is due by a time; returns false if none is. The caller holds no lock. */
    boolean runNext(long until) {
        lock.lock();
        return runAndUnlock(until);
    }

    /** As {@link #runNext}, but returns false if another thread holds the runner. */
    boolean tryRunNext(long until) {
        return lock.tryLock() && runAndUnlock(until);
    }

    /** Runs the next event, releases the runner, and performs the deferred work. The runner is held. */
    private boolean runAndUnlock(long until) {
        assert isHeldByCurrentThread();
        boolean ran;
        try {
            ran = runNextLocked(until);
        } finally {
            lock.unlock();
        }
        deferred.run();
        return ran;
    }

    private boolean runNextLocked(long until) {
        assert isHeldByCurrentThread();
        ScheduledEvent next = schedule.next(until);
        if (next == null) {
            return false;
        }
        try {
            next.run();
        } catch (RuntimeException | Error e) {
            failureLog.logFailure(e);
            retry(next);
        }
        return true;
    }

    /**
     * Runs a failed event once more: a timer must not be lost, and a packet that arrives twice is harmless. Another
     * failure is not thrown, because the thread runs events of all devices of the network.
     */
    private void retry(ScheduledEvent failed) {
        try {
            failed.run();
        } catch (RuntimeException | Error e) {
            failureLog.logFailure(e);
        }
    }
}
