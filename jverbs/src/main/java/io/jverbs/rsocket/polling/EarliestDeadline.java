package io.jverbs.rsocket.polling;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongBinaryOperator;

/**
 * The earliest deadline of many: a thread that serves them all looks at them only when this one has passed. It may be
 * earlier than necessary, because a deadline that is postponed does not change it. All times are those of
 * {@link System#nanoTime}. Thread-safe.
 */
public final class EarliestDeadline {
    private static final LongBinaryOperator EARLIER = (one, other) -> one - other < 0 ? one : other;

    private final AtomicLong time;

    /**
     * Creates it.
     *
     * @param time the first deadline
     */
    public EarliestDeadline(long time) {
        this.time = new AtomicLong(time);
    }

    /**
     * {@return the nanoseconds until the earliest deadline; 0 if it has passed}
     *
     * @param now the present time
     */
    public long nanosFrom(long now) {
        return Math.max(0, time.get() - now);
    }

    /**
     * Replaces the deadline, before its thread looks at those of all others and adds them again.
     *
     * @param latest the deadline if there are no others
     */
    public void restart(long latest) {
        time.set(latest);
    }

    /**
     * Adds a deadline.
     *
     * @param other the deadline
     * @return whether it is earlier than all others, so that the thread that serves them must be woken
     */
    public boolean add(long other) {
        return other - time.getAndAccumulate(other, EARLIER) < 0;
    }
}
