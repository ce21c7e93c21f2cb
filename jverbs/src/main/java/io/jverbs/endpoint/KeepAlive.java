package io.jverbs.endpoint;

import io.jverbs.endpoint.EndpointException.Reason;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides when to check whether the peer responds, and when to give it up. Traffic only sets a flag, so that the data
 * path does not read the clock. The lock of the connection guards this object.
 */
final class KeepAlive {
    /** What is to be done at a time. */
    enum Action {
        NOTHING, PROBE, GIVE_UP
    }

    /**
     * Whether the peer was heard since the latest deadline, and whether a probe is not acknowledged yet.
     * <pre>
     * state            traffic          probe acknowledged    deadline
     * SILENT           HEARD            HEARD                 PROBING, which sends a probe
     * HEARD            HEARD            HEARD                 SILENT
     * PROBING          PROBING_HEARD    HEARD                 PROBING, and the peer is given up
     * PROBING_HEARD    PROBING_HEARD    HEARD                 PROBING
     * </pre>
     */
    private enum PeerState {
        /** Nothing was heard. */
        SILENT,
        /** The peer has sent or acknowledged something. */
        HEARD,
        /** Nothing was heard, and a probe is not acknowledged. */
        PROBING,
        /** The peer has sent or acknowledged something, but not the probe. */
        PROBING_HEARD
    }

    private final long intervalNanos;
    private final long timeoutNanos;
    private PeerState state = PeerState.SILENT;
    private long deadline;

    KeepAlive(EndpointOptions options) {
        intervalNanos = options.keepAliveNanos();
        timeoutNanos = options.keepAliveTimeoutNanos();
    }

    boolean isUsed() {
        return intervalNanos > 0;
    }

    void start(long now) {
        state = PeerState.HEARD;
        deadline = now + intervalNanos;
    }

    /** Notes that the peer has sent or acknowledged something. */
    void heard() {
        if (state == PeerState.SILENT) {
            state = PeerState.HEARD;
        } else if (state == PeerState.PROBING) {
            state = PeerState.PROBING_HEARD;
        }
    }

    /** Notes that the peer has acknowledged a probe. */
    void acknowledged() {
        state = PeerState.HEARD;
    }

    long deadline() {
        return deadline;
    }

    /** Returns what to do, and sets the next deadline. */
    Action at(long now) {
        if (now - deadline < 0) {
            return Action.NOTHING;
        }
        if (state == PeerState.PROBING) {
            return Action.GIVE_UP;
        }
        if (state == PeerState.SILENT) {
            state = PeerState.PROBING;
            deadline = now + timeoutNanos;
            return Action.PROBE;
        }
        state = state == PeerState.HEARD ? PeerState.SILENT : PeerState.PROBING;
        deadline = now + intervalNanos;
        return Action.NOTHING;
    }

    /**
     * What is due at a time in a connection: the end of a state that lasts too long, and the checks whether the
     * peer responds. The lock of the connection guards it.
     */
    static final class ConnectionTimers {
        private final Connection connection;
        private final ReentrantLock lock;
        private final KeepAlive keepAlive;
        /** When the present state must have ended; valid if it is limited. */
        private long stateDeadline;
        private boolean stateLimited;

        ConnectionTimers(Connection connection) {
            this.connection = connection;
            this.lock = connection.lock();
            this.keepAlive = new KeepAlive(connection.options());
        }

        /** Limits the time of the present state. The lock is held. */
        void limit(long deadline) {
            assert lock.isHeldByCurrentThread();
            stateDeadline = deadline;
            stateLimited = true;
            connection.device().completions().schedule(deadline);
        }

        /** Limits the time of the end, which begins now or has begun with CLOSING. The lock is held. */
        void limitEnd() {
            assert lock.isHeldByCurrentThread();
            limit(connection.state() == ConnectionState.CLOSING
                    ? stateDeadline
                    : System.nanoTime() + connection.options().closeNanos());
        }

        /** Ends the limit of the time of the present state. The lock is held. */
        void unlimited() {
            assert lock.isHeldByCurrentThread();
            stateLimited = false;
        }

        /** Begins to check whether the peer responds, if the options say so. The lock is held. */
        void startKeepAlive() {
            assert lock.isHeldByCurrentThread();
            if (keepAlive.isUsed()) {
                keepAlive.start(System.nanoTime());
                connection.device().completions().schedule(keepAlive.deadline());
            }
        }

        /** Notes that the peer has sent or acknowledged something. The lock is held. */
        void heard() {
            assert lock.isHeldByCurrentThread();
            keepAlive.heard();
        }

        /** Notes that the peer has acknowledged a probe. The lock is held. */
        void probeAcknowledged() {
            assert lock.isHeldByCurrentThread();
            keepAlive.acknowledged();
        }

        /** Runs expired timers; returns the nanoseconds until the next one. */
        long at(long now) {
            lock.lock();
            try {
                if (stateLimited && now - stateDeadline >= 0) {
                    stateLimited = false;
                    connection.end().timedOut();
                }
                long left = stateLimited ? stateDeadline - now : Long.MAX_VALUE;
                if (connection.state() == ConnectionState.ESTABLISHED && keepAlive.isUsed()) {
                    checkPeer(now);
                    left = Math.min(left, keepAlive.deadline() - now);
                }
                return Math.max(0, left);
            } catch (RuntimeException e) {
                connection.end().begin(connection.end().failureOf("a keep-alive", e));
                return 0;
            } finally {
                lock.unlock();
            }
        }

        private void checkPeer(long now) {
            switch (keepAlive.at(now)) {
                case PROBE -> connection.sends().probe();
                case GIVE_UP -> connection.end().begin(new EndpointException(Reason.PEER_SILENT,
                        connection.toString(), "the peer has not acknowledged a keep-alive within "
                                + connection.options().keepAliveTimeout()
                                + ": check that its host and its process run"));
                default -> {
                    // nothing is due
                }
            }
        }
    }
}
