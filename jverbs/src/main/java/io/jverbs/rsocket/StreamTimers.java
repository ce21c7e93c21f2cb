package io.jverbs.rsocket;

import io.jverbs.rsocket.RdmaStreamException.Reason;
import io.jverbs.rsocket.protocol.KeepAlive;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What is due at a time in a stream: the end of an attempt to connect that lasts too long, and the checks whether the
 * peer responds. The lock of the completion queue guards it.
 */
final class StreamTimers {
    private final StreamConnection stream;
    private final ReentrantLock lock;
    private final KeepAlive keepAlive;
    private final long connectDeadline;

    StreamTimers(StreamConnection stream) {
        RdmaStreamOptions options = stream.options();
        this.stream = stream;
        this.lock = stream.lock();
        this.keepAlive = new KeepAlive(options.keepAlive().toNanos(), options.keepAliveTimeout().toNanos());
        this.connectDeadline = System.nanoTime() + options.connectTimeout().toNanos();
    }

    /** Begins to check whether the peer responds. */
    void established() {
        keepAlive.start(System.nanoTime());
    }

    /** Notes that the peer has sent or acknowledged something. */
    void heard() {
        keepAlive.heard();
    }

    /** Runs the timers that are due; returns the nanoseconds until the next one. */
    long run(long now) {
        long left = Long.MAX_VALUE;
        boolean isTimedOut;
        lock.lock();
        try {
            StreamState state = stream.state();
            isTimedOut = state == StreamState.CONNECTING && now - connectDeadline >= 0;
            if (isTimedOut) {
                stream.fail(new RdmaStreamException(Reason.TIMED_OUT, stream.toString(),
                        "the connection was not established within " + stream.options().connectTimeout()
                                + ": check that the host is up and that no firewall drops UDP port 4791"));
            } else if (state == StreamState.CONNECTING) {
                left = connectDeadline - now;
            } else if (state.isConnected() && keepAlive.isUsed()) {
                left = checkPeer(now);
            }
        } finally {
            lock.unlock();
        }
        if (isTimedOut) {
            stream.establishment().ended();
        }
        return Math.max(0, left);
    }

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
        return keepAlive.deadline() - now;
    }
}
