package io.jverbs.soft.congestion;

import io.jverbs.soft.queue.SpinLock;

/**
 * Limits the rate at which all connections together send READ responses to an address from which no requests arrive
 * meanwhile: 1 Gbit/s, the slowest network that RoCEv2 is used on. Each portion of bytes gets a time at which it may be
 * sent, in the order of the calls of {@link #reserve}. Guarded by a lock of its own.
 */
public final class ReadResponseRate {
    /** The time of one byte at 1 Gbit/s. */
    static final int NANOS_PER_BYTE = 8;
    /** A portion that is reserved late by up to this time loses nothing, because timers are not more precise. */
    private static final long SLACK_NANOS = 1_000_000;

    private final SpinLock lock = new SpinLock();
    private boolean used;
    /** The earliest time of the next portion, if {@link #used}. */
    private long freeAt;

    /**
     * {@return the time that a number of bytes takes at this rate, in nanoseconds}
     *
     * @param bytes the number of bytes
     */
    public static long nanos(long bytes) {
        return bytes * NANOS_PER_BYTE;
    }

    /**
     * Reserves the next time to send; returns how long to wait for it, in nanoseconds.
     *
     * @param now the time in nanoseconds
     * @param bytes the number of bytes to send
     */
    public long reserve(long now, int bytes) {
        lock.lock();
        try {
            long earliest = now - SLACK_NANOS;
            long at = used && freeAt - earliest > 0 ? freeAt : earliest;
            used = true;
            freeAt = at + nanos(bytes);
            return Math.max(0, at - now);
        } finally {
            lock.unlock();
        }
    }
}
