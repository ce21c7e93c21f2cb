package io.jverbs.nio;

import io.jverbs.rsocket.RdmaStreamOptions;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The socket options of a stream: those of rsocket(7), and its counters. The sizes of the buffers are fixed when the
 * connection is established; the others are kept, and a stream behaves as if SO_KEEPALIVE and TCP_NODELAY were set.
 * Thread-safe.
 */
final class StreamSocketOptions {
    /** What every connection over RDMA supports. */
    static final Set<SocketOption<?>> SUPPORTED = Set.of(StandardSocketOptions.SO_SNDBUF,
            StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_KEEPALIVE, StandardSocketOptions.SO_REUSEADDR,
            StandardSocketOptions.SO_LINGER, StandardSocketOptions.TCP_NODELAY, RdmaSocketOptions.STREAM_COUNTERS);

    private static final int MIN_BUFFER = 4096;
    private static final int MAX_BUFFER = 1 << 30;
    private static final int MAX_LINGER = 0xFFFF;
    private static final int NO_LINGER = -1;

    /** Those that the program has set. */
    private final Map<SocketOption<?>, Object> values = new ConcurrentHashMap<>();

    /**
     * Sets an option; others than the supported ones are ignored.
     *
     * @throws IllegalArgumentException if a size is negative
     * @throws UnsupportedOperationException if the option can only be read
     */
    void set(SocketOption<?> option, Object value) {
        if (!SUPPORTED.contains(option)) {
            return;
        }
        if (option == RdmaSocketOptions.STREAM_COUNTERS) {
            throw new UnsupportedOperationException("'" + option + "' can only be read");
        }
        if (option == StandardSocketOptions.SO_LINGER) {
            values.put(option, Math.clamp((Integer) value, NO_LINGER, MAX_LINGER));
            return;
        }
        if (value instanceof Integer size && size < 0) {
            throw new IllegalArgumentException("Invalid send/receive buffer size " + size + ", allowed are 0 and more");
        }
        values.put(option, value);
    }

    /** Returns the value of an option of a stream. */
    <T> T get(SocketOption<T> option, RdmaStreamOptions actual) {
        Object value;
        if (option == StandardSocketOptions.SO_SNDBUF) {
            value = actual.sendBufferSize();
        } else if (option == StandardSocketOptions.SO_RCVBUF) {
            value = actual.receiveBufferSize();
        } else if (option == StandardSocketOptions.SO_LINGER) {
            value = values.getOrDefault(option, NO_LINGER);
        } else {
            value = values.getOrDefault(option, Boolean.FALSE);
        }
        return option.type().cast(value);
    }

    /** Returns whether a close of a channel that blocks waits. */
    boolean lingers() {
        return linger() > 0;
    }

    /** Returns whether a close discards what was not sent, and resets the connection. */
    boolean resets() {
        return linger() == 0;
    }

    private int linger() {
        return (Integer) values.getOrDefault(StandardSocketOptions.SO_LINGER, NO_LINGER);
    }

    /** Returns the options of a stream, with the sizes that the program has set. */
    RdmaStreamOptions applyTo(RdmaStreamOptions defaults) {
        RdmaStreamOptions made = defaults;
        if (values.get(StandardSocketOptions.SO_SNDBUF) instanceof Integer size) {
            made = made.withSendBufferSize(Math.clamp(size, MIN_BUFFER, MAX_BUFFER));
        }
        if (values.get(StandardSocketOptions.SO_RCVBUF) instanceof Integer size) {
            made = made.withReceiveBufferSize(Math.clamp(size, MIN_BUFFER, MAX_BUFFER));
        }
        return made;
    }
}
