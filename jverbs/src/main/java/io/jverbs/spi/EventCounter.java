package io.jverbs.spi;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the events of one object and one kind, for instance completion events, that the program retrieved and
 * acknowledged. After the destruction of the object, closing waits until all events that the device had delivered are
 * acknowledged. The objects of the API use it. Thread-safe.
 */
public final class EventCounter {
    private static final Logger LOG = LoggerFactory.getLogger(EventCounter.class);
    private static final long WARN_AFTER_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final String ACKNOWLEDGE = "acknowledgeEvents of the queue, acknowledge of the event";
    private static final String MAN_PAGES = "ibv_ack_cq_events(3), ibv_ack_async_event(3) and rdma_ack_cm_event(3)";

    private final ReentrantLock lock = new ReentrantLock();
    /** Signaled after each acknowledgement. */
    private final Condition eventsAcknowledged = lock.newCondition();
    private long retrieved;
    private long acknowledged;
    /** How many events the device had delivered when the object was destroyed. */
    private long deliveredAtDestroy;
    /** Whether a layer has logged that the program has not acknowledged all events. */
    private boolean isLogged;

    /** Creates a counter of an object that has no events. */
    public EventCounter() {}

    /** Counts an event as retrieved. */
    public void retrieved() {
        lock.lock();
        try {
            retrieved++;
        } finally {
            lock.unlock();
        }
    }

    /** {@return the number of events that are retrieved but not acknowledged} */
    public int outstanding() {
        lock.lock();
        try {
            return Math.toIntExact(retrieved - acknowledged);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Acknowledges events.
     *
     * @param operation the verb, for the exception
     * @param count the number of events
     * @throws VerbsException with EINVAL if there are fewer unacknowledged events; then nothing changes
     */
    public void acknowledge(String operation, int count) {
        lock.lock();
        try {
            if (count < 0 || count > retrieved - acknowledged) {
                throw VerbsException.outOfRange(operation, "event count", count, 0, retrieved - acknowledged);
            }
            acknowledged += count;
            eventsAcknowledged.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Acknowledges an event, unless it is acknowledged already. Both are changed in one step: an Error leaves the event
     * unacknowledged, so that the call can be repeated.
     *
     * @param isAcknowledged whether the event is acknowledged
     */
    public void acknowledgeOnce(AtomicBoolean isAcknowledged) {
        StackReserve.check();
        lock.lock();
        try {
            if (!isAcknowledged.get()) {
                acknowledged++;
                isAcknowledged.set(true);
                eventsAcknowledged.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Records how many events the device had delivered when the object was destroyed, and whether a layer has logged
     * that they are not acknowledged.
     *
     * @param delivered the number of events
     * @param logged whether a layer has logged it
     */
    public void destroyed(long delivered, boolean logged) {
        lock.lock();
        try {
            deliveredAtDestroy = delivered;
            isLogged = logged;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until all events that the device had delivered are acknowledged; after a second it logs a warning, unless a
     * layer has. Call this after {@link #destroyed}.
     *
     * @param operation the verb, for the exception
     * @param kind what an event is, for the warning
     * @param object the object that is being closed, for the warning
     * @throws VerbsException with EINTR if the thread is interrupted
     */
    public void awaitAcknowledged(String operation, String kind, Object object) {
        await(operation, kind, "Closing", object, ": acknowledge and close again");
    }

    /**
     * Waits as {@link #awaitAcknowledged} for the events of an object that was moved to another channel.
     *
     * @param operation the verb, for the exception
     * @param kind what an event is, for the warning
     * @param object the object that was moved, for the warning
     * @throws VerbsException with EINTR if the thread is interrupted
     */
    public void awaitMoved(String operation, String kind, Object object) {
        await(operation, kind, "Moving", object, ": it was moved; acknowledge before it is closed");
    }

    private void await(String operation, String kind, String step, Object object, String advice) {
        lock.lock();
        try {
            long left = WARN_AFTER_NANOS;
            while (acknowledged < deliveredAtDestroy && left > 0) {
                left = eventsAcknowledged.awaitNanos(left);
            }
            if (acknowledged < deliveredAtDestroy && !isLogged) {
                LOG.warn("{} the {} waits until the program acknowledges {} ({}). If no thread does so, interrupt"
                        + " the thread that waits. Strict mode names the place where the object was created. See {}.",
                        step, object, missing(kind), ACKNOWLEDGE, MAN_PAGES);
            }
            while (acknowledged < deliveredAtDestroy) {
                eventsAcknowledged.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(operation, Errno.EINTR, "interrupted while waiting for "
                    + missing("unacknowledged event") + advice);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many of the events are not acknowledged, with the noun in the singular or plural. */
    private String missing(String noun) {
        long count = deliveredAtDestroy - acknowledged;
        return count + " " + noun + (count == 1 ? "" : "s");
    }
}
