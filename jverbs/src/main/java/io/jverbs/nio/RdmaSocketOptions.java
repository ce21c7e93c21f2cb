package io.jverbs.nio;

import io.jverbs.rsocket.RdmaStreamCounters;
import java.net.SocketOption;

/** The socket options that only a connection over RDMA has, beside those of the JDK. */
public final class RdmaSocketOptions {
    /**
     * What the stream of a connection has sent and received until now. It can only be read, of a {@code SocketChannel}
     * or {@code Socket} that is connected by RDMA; setting it throws {@link UnsupportedOperationException}. One that is
     * connected by TCP, or not connected, does not support it.
     */
    public static final SocketOption<RdmaStreamCounters> STREAM_COUNTERS = new ReadOnly<>("STREAM_COUNTERS",
            RdmaStreamCounters.class);

    private RdmaSocketOptions() {}

    /** An option that has no other value than that of the connection. */
    private record ReadOnly<T>(String name, Class<T> type) implements SocketOption<T> {
        @Override
        public String toString() {
            return name;
        }
    }
}
