package io.jverbs.endpoint;

import io.jverbs.endpoint.polling.SpinPolicy;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of an endpoint, or of a listener and the endpoints that it accepts. Both sides of a connection may have
 * different ones. Immutable.
 *
 * {@snippet :
 * EndpointOptions options = EndpointOptions.builder().messageSize(64 << 10).keepAlive(Duration.ofSeconds(1)).build();
 * Endpoint endpoint = Endpoint.connect(context, address, options);
 * }
 */
public final class EndpointOptions {
    /** The options of an endpoint that is created without options. */
    public static final EndpointOptions DEFAULT = builder().build();

    static final int MAX_MESSAGE_SIZE = 1 << 24;
    static final int MAX_SEND_BUFFERS = 1024;
    static final int MAX_RECEIVE_BUFFERS = 4096;
    private static final int MAX_BACKLOG = 4096;
    private static final Duration MAX_TIME = Duration.ofDays(1);

    private final int messageSize;
    private final int sendBuffers;
    private final int receiveBuffers;
    private final int backlog;
    private final long connectNanos;
    private final long closeNanos;
    private final long keepAliveNanos;
    private final long keepAliveTimeoutNanos;
    private final long spinNanos;

    private EndpointOptions(Builder builder) {
        messageSize = builder.messageSize;
        sendBuffers = builder.sendBuffers;
        receiveBuffers = builder.receiveBuffers;
        backlog = builder.backlog;
        connectNanos = builder.connectTimeout.toNanos();
        closeNanos = builder.closeTimeout.toNanos();
        keepAliveNanos = builder.keepAlive.toNanos();
        keepAliveTimeoutNanos = builder.keepAliveTimeout.toNanos();
        spinNanos = builder.spin.toNanos();
    }

    /**
     * Returns a builder with messages of at most 4096 bytes, 16 send and 32 receive buffers, a backlog of 128, 10
     * seconds to connect, 5 seconds to close, a keep-alive after 5 seconds with a timeout of 5 seconds, and 50
     * microseconds to spin, or 0 if the JVM has one processor.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return the maximum length of a message that this side sends or receives, in bytes} */
    public int messageSize() {
        return messageSize;
    }

    /** {@return the number of buffers for messages to send} */
    public int sendBuffers() {
        return sendBuffers;
    }

    /** {@return the number of buffers for messages of the peer} */
    public int receiveBuffers() {
        return receiveBuffers;
    }

    /** {@return the number of connections of a listener that wait for {@link Listener#accept}} */
    public int backlog() {
        return backlog;
    }

    /** {@return the maximum time to establish a connection} */
    public Duration connectTimeout() {
        return Duration.ofNanos(connectNanos);
    }

    /** {@return the maximum time until the peer must have acknowledged all messages when this side closes} */
    public Duration closeTimeout() {
        return Duration.ofNanos(closeNanos);
    }

    /** {@return the time without traffic after which this side checks whether the peer responds; zero for never} */
    public Duration keepAlive() {
        return Duration.ofNanos(keepAliveNanos);
    }

    /** {@return the time within which the device of the peer must acknowledge a check} */
    public Duration keepAliveTimeout() {
        return Duration.ofNanos(keepAliveTimeoutNanos);
    }

    /** {@return how long a waiting thread polls before it blocks} */
    public Duration spin() {
        return Duration.ofNanos(spinNanos);
    }

    long connectNanos() {
        return connectNanos;
    }

    long closeNanos() {
        return closeNanos;
    }

    long keepAliveNanos() {
        return keepAliveNanos;
    }

    long keepAliveTimeoutNanos() {
        return keepAliveTimeoutNanos;
    }

    long spinNanos() {
        return spinNanos;
    }

    @Override
    public String toString() {
        return "EndpointOptions[messageSize=" + messageSize + ", sendBuffers=" + sendBuffers + ", receiveBuffers="
                + receiveBuffers + ", backlog=" + backlog + ", connectTimeout=" + connectTimeout() + ", closeTimeout="
                + closeTimeout() + ", keepAlive=" + keepAlive() + ", keepAliveTimeout=" + keepAliveTimeout()
                + ", spin=" + spin() + "]";
    }

    /** Collects options. Not thread-safe. */
    public static final class Builder {
        private int messageSize = 4096;
        private int sendBuffers = 16;
        private int receiveBuffers = 32;
        private int backlog = 128;
        private Duration connectTimeout = Duration.ofSeconds(10);
        private Duration closeTimeout = Duration.ofSeconds(5);
        private Duration keepAlive = Duration.ofSeconds(5);
        private Duration keepAliveTimeout = Duration.ofSeconds(5);
        private Duration spin = Duration.ofNanos(SpinPolicy.defaultNanos());

        private Builder() {}

        private static int inRange(String name, int value, int max) {
            if (value < 1 || value > max) {
                throw new IllegalArgumentException(name + " " + value + " is outside 1.." + max);
            }
            return value;
        }

        private static Duration inRange(String name, Duration value, Duration min) {
            if (Objects.requireNonNull(value, name).compareTo(min) < 0 || value.compareTo(MAX_TIME) > 0) {
                throw new IllegalArgumentException(name + " " + value + " is outside " + min + ".." + MAX_TIME);
            }
            return value;
        }

        /**
         * Sets the maximum length of a message. It is the size of each buffer, and limits what this side sends as well
         * as what the peer may send.
         *
         * @param bytes 1 to 16777216
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder messageSize(int bytes) {
            messageSize = inRange("messageSize", bytes, MAX_MESSAGE_SIZE);
            return this;
        }

        /**
         * Sets the number of buffers for messages to send. A send waits while all are in use.
         *
         * @param count 1 to 1024
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder sendBuffers(int count) {
            sendBuffers = inRange("sendBuffers", count, MAX_SEND_BUFFERS);
            return this;
        }

        /**
         * Sets the number of buffers for messages of the peer. The peer waits while all are in use. A buffer is in use
         * from the arrival of a message until it is closed.
         *
         * @param count 1 to 4096
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder receiveBuffers(int count) {
            receiveBuffers = inRange("receiveBuffers", count, MAX_RECEIVE_BUFFERS);
            return this;
        }

        /**
         * Sets how many connections of a listener can be established before {@link Listener#accept} returns them.
         * Further ones wait until there is room.
         *
         * @param count 1 to 4096
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder backlog(int count) {
            backlog = inRange("backlog", count, MAX_BACKLOG);
            return this;
        }

        /**
         * Sets the maximum time to establish a connection.
         *
         * @param timeout 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder connectTimeout(Duration timeout) {
            connectTimeout = inRange("connectTimeout", timeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets within which time the peer must have acknowledged all messages when this side closes. After it, the
         * connection ends without.
         *
         * @param timeout 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder closeTimeout(Duration timeout) {
            closeTimeout = inRange("closeTimeout", timeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets after which time without traffic this side checks whether the peer responds. The check is an RDMA WRITE
         * of no bytes, which the device of the peer acknowledges without its program. The loss of a peer is detected
         * within twice this time plus {@link #keepAliveTimeout}.
         *
         * @param interval 0 for no checks, up to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder keepAlive(Duration interval) {
            keepAlive = inRange("keepAlive", interval, Duration.ZERO);
            return this;
        }

        /**
         * Sets within which time the device of the peer must acknowledge a check.
         *
         * @param timeout 1 ms to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder keepAliveTimeout(Duration timeout) {
            keepAliveTimeout = inRange("keepAliveTimeout", timeout, Duration.ofMillis(1));
            return this;
        }

        /**
         * Sets how long a waiting thread polls before it blocks. Polling has the shortest latency, and uses a
         * processor, which the peer may need. After polls that have found nothing for this time, some of the next waits
         * block at once.
         *
         * @param time 0 to block at once, up to 1 day
         * @return this builder
         * @throws IllegalArgumentException if the value is out of range
         */
        public Builder spin(Duration time) {
            spin = inRange("spin", time, Duration.ZERO);
            return this;
        }

        /** {@return the options} */
        public EndpointOptions build() {
            return new EndpointOptions(this);
        }
    }
}
