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
                connection.end().begin(new EndpointException(Reason.DEVICE_FAILED, connection.toString(),
                        "a keep-alive failed: " + e, e));
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
