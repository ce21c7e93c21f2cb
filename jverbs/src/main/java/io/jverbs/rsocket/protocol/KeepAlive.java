package io.jverbs.rsocket.protocol;

/**
 * Decides when to check whether the peer responds, and when to give it up. The lock of the completion queue guards it.
 */
public final class KeepAlive {
    /** What is to be done at a time. */
    public enum Action {
        /** Nothing is due. */
        NOTHING,
        /** The peer is to be checked. */
        PROBE,
        /** The peer has not responded in time. */
        GIVE_UP
    }

    /**
     * Whether a check is not acknowledged yet.
     * <pre>
     * state      the peer is heard    nothing was heard until the deadline
     * WAITING    WAITING              PROBING, which sends a probe
     * PROBING    WAITING              the peer is given up
     * </pre>
     */
    private enum State {
        WAITING, PROBING
    }

    private final long intervalNanos;
    private final long timeoutNanos;
    private State state = State.WAITING;
    private boolean heard = true;
    private long deadline;

    /**
     * Creates the checks of a stream.
     *
     * @param intervalNanos after which time without messages of the peer it is checked; 0 for never
     * @param timeoutNanos the time within which the peer must respond to a check
     */
    public KeepAlive(long intervalNanos, long timeoutNanos) {
        this.intervalNanos = intervalNanos;
        this.timeoutNanos = timeoutNanos;
    }

    /** {@return whether the peer is checked at all} */
    public boolean isUsed() {
        return intervalNanos > 0;
    }

    /**
     * Begins the checks.
     *
     * @param now the time, of {@link System#nanoTime}
     */
    public void start(long now) {
        deadline = now + intervalNanos;
    }

    /** Notes that the peer has sent or acknowledged something. */
    public void heard() {
        heard = true;
    }

    /** {@return when to call {@link #at} next, as a time of {@link System#nanoTime}} */
    public long deadline() {
        return deadline;
    }

    /**
     * Sets the next deadline.
     *
     * @param now the time, of {@link System#nanoTime}
     * @return what to do
     */
    public Action at(long now) {
        if (heard && state == State.PROBING || heard && now - deadline >= 0) {
            heard = false;
            state = State.WAITING;
            deadline = now + intervalNanos;
            return Action.NOTHING;
        }
        if (now - deadline < 0) {
            return Action.NOTHING;
        }
        if (state == State.PROBING) {
            return Action.GIVE_UP;
        }
        state = State.PROBING;
        deadline = now + timeoutNanos;
        return Action.PROBE;
    }
}
