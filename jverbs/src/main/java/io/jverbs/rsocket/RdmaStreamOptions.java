package io.jverbs.rsocket;

import io.jverbs.DeviceAttributes;
import io.jverbs.rsocket.protocol.ConnectData;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a stream, or of a listener and the streams that it accepts; see rsocket(7). Both sides of a connection
 * may have different ones. Immutable.
 *
 * {@snippet :
 * RdmaStreamOptions options = RdmaStreamOptions.DEFAULT.withReceiveBufferSize(1 << 20)
 *         .withKeepAlive(Duration.ofSeconds(5));
 * }
 *
 * @param sendQueueSize the number of send requests, 16 to 65534; a stream has fewer if the device allows only fewer
 *        (RDMA_SQSIZE)
 * @param receiveQueueSize the number of messages that this side can hold, 16 to 65534; a stream has fewer if the device
 *        allows only fewer (RDMA_RQSIZE)
 * @param inlineSize up to how many bytes are sent inline, 0 to 1024 (RDMA_INLINE)
 * @param sendBufferSize the size of the send buffer in bytes, 4096 to 2^30 (SO_SNDBUF)
 * @param receiveBufferSize the size of the receive buffer in bytes, 4096 to 2^30, rounded up to a multiple of 128
 *        (SO_RCVBUF)
 * @param iomapSize how many buffers the peer can map at a time, 0 to 32512, rounded down to a multiple of 256 if
 *        above 128 (RDMA_IOMAPSIZE)
 * @param backlog how many streams of a listener wait to be accepted, 1 to 4096
 * @param connectTimeout the maximum time to connect, above 0 and at most one day
 * @param closeTimeout the maximum time until the peer must have acknowledged everything when this side closes, above
 *        0 and at most one day
 * @param keepAlive after which time without messages of the peer this side checks whether the peer responds; zero for
 *        never, at most one day (SO_KEEPALIVE, TCP_KEEPIDLE)
 * @param keepAliveTimeout the time within which the device of the peer must acknowledge a check, above 0 and at most
 *        one day
 * @param spin how long a thread that waits polls before it blocks, zero to one day
 */
public record RdmaStreamOptions(int sendQueueSize, int receiveQueueSize, int inlineSize, int sendBufferSize,
        int receiveBufferSize, int iomapSize, int backlog, Duration connectTimeout, Duration closeTimeout,
        Duration keepAlive, Duration keepAliveTimeout, Duration spin) {

    private static final int MIN_QUEUE = 16;
    private static final int MAX_QUEUE = 0xFFFE;
    private static final int MAX_INLINE = 1024;
    private static final int MIN_BUFFER = 4096;
    private static final int MAX_BUFFER = 1 << 30;
    private static final int BUFFER_UNIT = 128;
    private static final int MAX_BACKLOG = 4096;
    private static final Duration MAX_TIME = Duration.ofDays(1);
    private static final Duration DEFAULT_SPIN = Duration.ofNanos(
            Runtime.getRuntime().availableProcessors() == 1 ? 0 : 100_000);

    /**
     * The options without a choice of the program: queues of 384, inline up to 64 bytes, buffers of 256 KiB, no iomaps,
     * a backlog of 128, 10 seconds to connect, 5 seconds to close, no keep-alive but a timeout of 5 seconds for it, and
     * 100 microseconds to spin, or 0 if the JVM has one processor.
     */
    public static final RdmaStreamOptions DEFAULT = new RdmaStreamOptions(384, 384, 64, 256 << 10, 256 << 10, 0, 128,
            Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ZERO, Duration.ofSeconds(5), DEFAULT_SPIN);

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if a value is outside its range; the message says which
     */
    public RdmaStreamOptions {
        Objects.requireNonNull(connectTimeout, "connectTimeout");
        Objects.requireNonNull(closeTimeout, "closeTimeout");
        Objects.requireNonNull(keepAlive, "keepAlive");
        Objects.requireNonNull(keepAliveTimeout, "keepAliveTimeout");
        Objects.requireNonNull(spin, "spin");
        requireInRange("sendQueueSize", sendQueueSize, MIN_QUEUE, MAX_QUEUE);
        requireInRange("receiveQueueSize", receiveQueueSize, MIN_QUEUE, MAX_QUEUE);
        requireInRange("inlineSize", inlineSize, 0, MAX_INLINE);
        requireInRange("sendBufferSize", sendBufferSize, MIN_BUFFER, MAX_BUFFER);
        requireInRange("receiveBufferSize", receiveBufferSize, MIN_BUFFER, MAX_BUFFER);
        requireInRange("iomapSize", iomapSize, 0, ConnectData.MAX_IOMAP_SIZE);
        requireInRange("backlog", backlog, 1, MAX_BACKLOG);
        requireTime("connectTimeout", connectTimeout, false);
        requireTime("closeTimeout", closeTimeout, false);
        requireTime("keepAlive", keepAlive, true);
        requireTime("keepAliveTimeout", keepAliveTimeout, false);
        requireTime("spin", spin, true);
        receiveBufferSize = (receiveBufferSize + BUFFER_UNIT - 1) / BUFFER_UNIT * BUFFER_UNIT;
        iomapSize = ConnectData.representableIomapSize(iomapSize);
    }

    private static void requireInRange(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " " + value + " is outside " + min + ".." + max);
        }
    }

    private static void requireTime(String name, Duration value, boolean mayBeZero) {
        if (value.isNegative() || value.isZero() && !mayBeZero || value.compareTo(MAX_TIME) > 0) {
            throw new IllegalArgumentException(
                    name + " " + value + " is outside " + (mayBeZero ? "PT0S" : "more than PT0S") + ".." + MAX_TIME);
        }
    }

    /** Returns these options with queues that a device can have. */
    RdmaStreamOptions within(DeviceAttributes device) {
        int extra = StreamQueuePair.EXTRA_RECEIVES;
        int send = Math.max(MIN_QUEUE, Math.min(sendQueueSize, device.maxQpWr()));
        int receive = Math.max(MIN_QUEUE, Math.min(receiveQueueSize, device.maxQpWr() - extra));
        int entries = device.maxCqe() - extra;
        if (send + receive > entries) {
            receive = Math.max(MIN_QUEUE, Math.min(receive, Math.max(entries / 2, entries - send)));
            send = Math.max(MIN_QUEUE, Math.min(send, entries - receive));
        }
        return withSendQueueSize(send).withReceiveQueueSize(receive);
    }

    /**
     * Returns these options with another {@link #sendQueueSize}.
     *
     * @param sendQueueSize the number of send requests, 16 to 65534
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withSendQueueSize(int sendQueueSize) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize,
                backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #receiveQueueSize}.
     *
     * @param receiveQueueSize the number of messages, 16 to 65534
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withReceiveQueueSize(int receiveQueueSize) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize,
                backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #inlineSize}.
     *
     * @param inlineSize the number of bytes, 0 to 1024
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withInlineSize(int inlineSize) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #sendBufferSize}.
     *
     * @param sendBufferSize the number of bytes, 4096 to 2^30
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withSendBufferSize(int sendBufferSize) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize,
                backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #receiveBufferSize}.
     *
     * @param receiveBufferSize the number of bytes, 4096 to 2^30
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withReceiveBufferSize(int receiveBufferSize) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize,
                backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #iomapSize}.
     *
     * @param iomapSize the number of buffers, 0 to 32512
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withIomapSize(int iomapSize) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #backlog}.
     *
     * @param backlog the number of streams, 1 to 4096
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withBacklog(int backlog) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #connectTimeout}.
     *
     * @param connectTimeout above 0 and at most one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withConnectTimeout(Duration connectTimeout) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #closeTimeout}.
     *
     * @param closeTimeout above 0 and at most one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withCloseTimeout(Duration closeTimeout) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #keepAlive}.
     *
     * @param keepAlive zero for never, at most one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withKeepAlive(Duration keepAlive) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #keepAliveTimeout}.
     *
     * @param keepAliveTimeout above 0 and at most one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withKeepAliveTimeout(Duration keepAliveTimeout) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #spin}.
     *
     * @param spin zero to one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaStreamOptions withSpin(Duration spin) {
        return new RdmaStreamOptions(sendQueueSize, receiveQueueSize, inlineSize, sendBufferSize, receiveBufferSize,
                iomapSize, backlog, connectTimeout, closeTimeout, keepAlive, keepAliveTimeout, spin);
    }
}
