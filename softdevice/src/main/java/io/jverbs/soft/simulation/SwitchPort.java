package io.jverbs.soft.simulation;

import io.jverbs.control.SimulatedQueue;
import java.util.Random;

/**
 * The FIFO queue of a switch for the link to one device. A packet that finds no room is dropped. The queue marks
 * packets whose sender supports ECN, with a probability that grows with its length as in Random Early Detection.
 * Guarded by the schedule's lock.
 */
final class SwitchPort {
    /** In place of a time: the packet is dropped. */
    static final long DROPPED = -1;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final SwitchSettings settings;
    private final Random random;
    /** The time when the last packet of the queue has been transmitted. */
    private long busyUntil;
    /** The fraction of a nanosecond of that time, in nanoseconds times bits per second. */
    private long remainder;
    private boolean marks;
    private long packets;
    private long dropped;
    private long marked;
    private long longest;
    private long sum;

    SwitchPort(long seed, SwitchSettings settings) {
        this.random = new Random(seed);
        this.settings = settings;
    }

    /**
     * Adds a packet to the queue; returns when it has been transmitted, or {@link #DROPPED}.
     *
     * @param bytes its length, IP header included
     * @param ecnCapable whether it may be marked
     */
    long forward(long now, int bytes, boolean ecnCapable) {
        long length = length(now);
        packets++;
        sum += length;
        marks = false;
        if (length + bytes > settings.bufferBytes) {
            dropped++;
            return DROPPED;
        }
        longest = Math.max(longest, length + bytes);
        marks = ecnCapable && draw(length);
        marked += marks ? 1 : 0;
        long work = bytes * 8L * NANOS_PER_SECOND + (length == 0 ? 0 : remainder);
        busyUntil = Math.max(now, busyUntil) + work / settings.bitsPerSecond;
        remainder = work % settings.bitsPerSecond;
        return busyUntil;
    }

    /** Returns whether the latest packet was marked. */
    boolean marks() {
        return marks;
    }

    /** Returns the number of bytes in the queue that have not been transmitted. */
    private long length(long now) {
        return busyUntil <= now ? 0 : (busyUntil - now) * settings.bitsPerSecond / (8 * NANOS_PER_SECOND) + 1;
    }

    private boolean draw(long length) {
        if (length < settings.markFrom) {
            return false;
        }
        double share = length >= settings.markAlways
                ? 1
                : settings.markProbability * (length - settings.markFrom) / (settings.markAlways - settings.markFrom);
        return random.nextDouble() < share;
    }

    /** Returns what has happened in the queue. */
    SimulatedQueue statistics() {
        return new SimulatedQueue(packets, dropped, marked, longest, packets == 0 ? 0 : sum / packets);
    }
}
