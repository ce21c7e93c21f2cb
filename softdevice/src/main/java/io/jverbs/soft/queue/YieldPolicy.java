package io.jverbs.soft.fabric.udp;

import java.util.concurrent.TimeUnit;

/**
 * Decides when a thread that polls and finds nothing yields its processor. If the peer waits for that processor, each
 * further poll keeps it from sending, and a yield brings its packet at once. If a program that computes waits for it, a
 * yield lasts as long as the system lets that program run, and the packet of a peer on another processor waits
 * meanwhile. The policy therefore measures how long a yield lasts, and whether the next poll receives a packet. Not
 * thread-safe. Times are those of {@link System#nanoTime}.
 */
final class YieldPolicy {
    /** How long polls find nothing before a yield, at most. */
    static final long LONGEST_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    /** The same while each yield brings a packet. */
    static final long SHORTEST_SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(1);
    /** If a yield is shorter, no other thread was waiting for the processor. */
    static final long SHORTEST_SWITCH_NANOS = TimeUnit.MICROSECONDS.toNanos(2);
    /** If a yield is longer, a thread that computes was waiting for the processor. */
    static final long LONG_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** The time without yields after the first long one. It doubles with each further one. */
    static final long SHORTEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    /** The longest time without yields after a long one. */
    static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(256);
    /** If two polls are further apart, the thread does other work between them. */
    static final long BETWEEN_POLLS_NANOS = TimeUnit.MICROSECONDS.toNanos(10);

    private State state = State.RECEIVES;
    /** The time of the latest poll that received nothing. */
    private long latest;
    /** When polls began to receive nothing, or the end of the latest yield since. */
    private long since;
    private long spinNanos = LONGEST_SPIN_NANOS;
    /** The time without yields after the latest one that was long; 0 if a later one has brought a packet. */
    private long pauseNanos;
    private long pauseEnd;

    private enum State {
        /** The latest poll received something. */
        RECEIVES,
        /** The latest poll received nothing. */
        SPINS,
        /** The thread has yielded after the latest poll. */
        YIELDS
    }

    /** Returns whether {@link #received} needs the time. */
    boolean isYielding() {
        return state == State.YIELDS;
    }

    /** Notes that a poll has received something. The time is needed if {@link #isYielding}. */
    void received(long now) {
        if (state == State.YIELDS) {
            learn(now - latest, now, true);
        }
        state = State.RECEIVES;
    }

    /** Notes that a poll has received nothing. Returns whether the thread must yield before the next poll. */
    boolean receivedNothing(long now) {
        switch (state) {
            case RECEIVES -> since = now;
            case SPINS -> since = now - latest > BETWEEN_POLLS_NANOS ? now : since;
            case YIELDS -> {
                learn(now - latest, now, false);
                since = now;
            }
        }
        latest = now;
        boolean pauses = pauseNanos != 0 && now - pauseEnd < 0;
        state = now - since < spinNanos || pauses ? State.SPINS : State.YIELDS;
        return state == State.YIELDS;
    }

    private void learn(long nanos, long now, boolean received) {
        if (nanos > LONG_YIELD_NANOS) {
            spinNanos = LONGEST_SPIN_NANOS;
            pauseNanos = pauseNanos == 0 ? SHORTEST_PAUSE_NANOS : Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
            pauseEnd = now + pauseNanos;
        } else if (nanos < SHORTEST_SWITCH_NANOS) {
            spinNanos = Math.min(2 * spinNanos, LONGEST_SPIN_NANOS);
        } else if (received) {
            spinNanos = Math.max(spinNanos / 4, SHORTEST_SPIN_NANOS);
            pauseNanos = 0;
        }
    }
}
