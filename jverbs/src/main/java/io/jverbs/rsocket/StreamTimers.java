package io.jverbs.rsocket;

import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.protocol.KeepAlive;
import io.jverbs.rsocket.protocol.StreamState;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is due at a time in a stream: the end of an attempt to connect that lasts too long, and the checks whether the
 * peer responds. The lock of the completion queue guards it.
 */
final class StreamTimers {
    /** The deadline of a stream that waits for nothing is so far away. */
    private static final long NEVER_NANOS = Duration.ofDays(365).toNanos();

    private final StreamConnection stream;
    private final ReentrantLock lock;
    private final KeepAlive keepAlive;
    /** When something is due; changed under the lock. */
    private volatile long deadline;

    StreamTimers(StreamConnection stream) {
        RdmaStreamOptions options = stream.options();
        this.stream = stream;
        this.lock = stream.lock();
        this.keepAlive = new KeepAlive(options.keepAlive().toNanos(), options.keepAliveTimeout().toNanos());
        this.deadline = System.nanoTime() + options.connectTimeout().toNanos();
    }

    /** Returns when something is due, as a time of {@link System#nanoTime}. */
    long deadline() {
        return deadline;
    }

    /** Begins to check whether the peer responds. */
    void established() {
        long now = System.nanoTime();
        keepAlive.start(now);
        deadline = keepAlive.isUsed() ? keepAlive.deadline() : now + NEVER_NANOS;
    }

    /** Notes that the peer has sent or acknowledged something. */
    void heard() {
        keepAlive.heard();
    }

    /** Runs the timers if they are due; returns when they are due again. Takes no lock if they are not. */
    long run(long now) {
        if (now - deadline < 0) {
            return deadline;
        }
        boolean isTimedOut;
        lock.lock();
        try {
            StreamState state = stream.state();
            isTimedOut = state == StreamState.CONNECTING;
            if (isTimedOut) {
                stream.fail(new RdmaStreamException(Reason.TIMED_OUT, stream.toString(),
                        "the connection was not established within " + stream.options().connectTimeout()
                                + ": check that the host is up and that no firewall drops UDP port 4791"));
            }
            deadline = state.isConnected() && keepAlive.isUsed() ? checkPeer(now) : now + NEVER_NANOS;
        } finally {
            lock.unlock();
        }
        if (isTimedOut) {
            stream.establishment().ended();
        }
        return deadline;
    }

    /** Returns the next deadline. */
    private long checkPeer(long now) {
        if (now - keepAlive.deadline() >= 0) {
            stream.progress();
        }
        switch (keepAlive.at(now)) {
            case PROBE -> stream.sendKeepAlive();
            case GIVE_UP -> stream.fail(new RdmaStreamException(Reason.PEER_SILENT, stream.toString(),
                    "the device of the peer has not acknowledged a keep-alive within "
                            + stream.options().keepAliveTimeout() + ": check that its host and its process run"));
            default -> {
                // nothing is due
            }
        }
        return keepAlive.deadline();
    }
}
