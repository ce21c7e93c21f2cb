package io.jverbs.rsocket;

/**
 * Decides when to check whether the peer responds, and when to give it up. The lock of the completion queue guards it.
 */
final class KeepAlive {
    /** What is to be done at a time. */
    enum Action {
        NOTHING, PROBE, GIVE_UP
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
    KeepAlive(long intervalNanos, long timeoutNanos) {
        this.intervalNanos = intervalNanos;
        this.timeoutNanos = timeoutNanos;
    }

    boolean isUsed() {
        return intervalNanos > 0;
    }

    void start(long now) {
        deadline = now + intervalNanos;
    }

    /** Notes that the peer has sent or acknowledged something. */
    void heard() {
        heard = true;
    }

    long deadline() {
        return deadline;
    }

    /** Returns what to do, and sets the next deadline. */
    Action at(long now) {
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
