package io.jverbs.endpoint;

/**
 * Decides when to check that the peer lives, and when it does not. Traffic only sets a flag, so that the data path does
 * not read the clock. The lock of the connection guards this object.
 */
final class KeepAlive {
    /** What is to be done at a time. */
    enum Action {
        NOTHING, PROBE, GIVE_UP
    }

    private final long intervalNanos;
    private final long timeoutNanos;
    private boolean heard;
    private boolean probing;
    private long deadline;

    KeepAlive(EndpointOptions options) {
        intervalNanos = options.keepAliveNanos();
        timeoutNanos = options.keepAliveTimeoutNanos();
    }

    boolean isUsed() {
        return intervalNanos > 0;
    }

    void start(long now) {
        heard = true;
        deadline = now + intervalNanos;
    }

    /** Notes that the peer has sent or acknowledged something. */
    void heard() {
        if (!heard) {
            heard = true;
        }
    }

    boolean isProbing() {
        return probing;
    }

    /** Notes that the peer has acknowledged a probe. */
    void acknowledged() {
        probing = false;
        heard = true;
    }

    long deadline() {
        return deadline;
    }

    /** Returns what to do, and sets the next deadline. */
    Action at(long now) {
        if (now - deadline < 0) {
            return Action.NOTHING;
        }
        if (heard) {
            heard = false;
            deadline = now + intervalNanos;
            return Action.NOTHING;
        }
        if (probing) {
            return Action.GIVE_UP;
        }
        probing = true;
        deadline = now + timeoutNanos;
        return Action.PROBE;
    }
}
