package io.jverbs;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts the events of one kind that the program retrieved and those it acknowledged. */
final class EventLedger {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition acknowledgedMore = lock.newCondition();
    private long retrieved;
    private long acknowledged;
    private long owedAtDestroy;

    void retrieved() {
        lock.lock();
        try {
            retrieved++;
        } finally {
            lock.unlock();
        }
    }

    /** How many are out. */
    int outstanding() {
        lock.lock();
        try {
            return Math.toIntExact(retrieved - acknowledged);
        } finally {
            lock.unlock();
        }
    }

    /** Takes back that many events; more than are out is refused and changes nothing. */
    void acknowledge(String operation, int count) {
        lock.lock();
        try {
            if (count < 0 || count > retrieved - acknowledged) {
                throw VerbsException.outOfRange(operation, "event count", count, 0, retrieved - acknowledged);
            }
            acknowledged += count;
            acknowledgedMore.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Notes how many events the device had handed out when the object was destroyed. */
    void destroyed(long reported) {
        lock.lock();
        try {
            owedAtDestroy = reported;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all events handed out are acknowledged. */
    void awaitAcknowledged(String operation) {
        lock.lock();
        try {
            while (acknowledged < owedAtDestroy) {
                acknowledgedMore.await();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new VerbsException(operation, Errno.EINTR, "interrupted while " + (owedAtDestroy - acknowledged)
                    + " events are not acknowledged: acknowledge them and close again");
        } finally {
            lock.unlock();
        }
    }
}
