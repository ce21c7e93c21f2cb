package io.jverbs.rsocket.datagram;

import io.jverbs.DeviceAttributes;
import java.time.Duration;
import java.util.Objects;

/**
 * The options of a datagram socket; see rsocket(7). Both sides may have different ones. Immutable.
 *
 * {@snippet :
 * RdmaDatagramOptions options = RdmaDatagramOptions.DEFAULT.withReceiveQueueSize(1024);
 * }
 *
 * @param sendQueueSize the number of datagrams that are being sent at a time, 16 to 65534; fewer if the device allows
 *        only fewer (RDMA_SQSIZE; SO_SNDBUF has 2048 bytes for each)
 * @param receiveQueueSize the number of datagrams that have arrived and wait until the program receives them, 16 to
 *        65534; fewer if the device allows only fewer (RDMA_RQSIZE; SO_RCVBUF has 2048 bytes for each). There are as
 *        many for each local address
 * @param inlineSize up to how many bytes are sent inline, the header included, 0 to 1024 (RDMA_INLINE)
 * @param maxPeers the number of peers whose queue pairs are known at a time, 2 to 1048576; a new one takes the place of
 *        the one that was not used for the longest time
 * @param resolveTimeout the maximum time of each of the two steps in which the address of a peer is resolved, above 0
 *        and at most one day
 * @param spin how long a thread that waits polls before it blocks, zero to one day
 */
public record RdmaDatagramOptions(int sendQueueSize, int receiveQueueSize, int inlineSize, int maxPeers,
        Duration resolveTimeout, Duration spin) {

    private static final int MIN_QUEUE = 16;
    private static final int MAX_QUEUE = 0xFFFE;
    private static final int MAX_INLINE = 1024;
    private static final int MIN_PEERS = 2;
    private static final int MAX_PEERS = 1 << 20;
    private static final Duration MAX_TIME = Duration.ofDays(1);
    private static final Duration DEFAULT_SPIN = Duration.ofNanos(
            Runtime.getRuntime().availableProcessors() == 1 ? 0 : 100_000);

    /**
     * The options without a choice of the program: queues of 128, inline up to 64 bytes, 1024 peers, 2 seconds to
     * resolve, and 100 microseconds to spin, or 0 if the JVM has one processor.
     */
    public static final RdmaDatagramOptions DEFAULT = new RdmaDatagramOptions(128, 128, 64, 1024,
            Duration.ofSeconds(2), DEFAULT_SPIN);

    /**
     * Creates options.
     *
     * @throws IllegalArgumentException if a value is outside its range; the message says which
     */
    public RdmaDatagramOptions {
        Objects.requireNonNull(resolveTimeout, "resolveTimeout");
        Objects.requireNonNull(spin, "spin");
        requireInRange("sendQueueSize", sendQueueSize, MIN_QUEUE, MAX_QUEUE);
        requireInRange("receiveQueueSize", receiveQueueSize, MIN_QUEUE, MAX_QUEUE);
        requireInRange("inlineSize", inlineSize, 0, MAX_INLINE);
        requireInRange("maxPeers", maxPeers, MIN_PEERS, MAX_PEERS);
        requireTime("resolveTimeout", resolveTimeout, false);
        requireTime("spin", spin, true);
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
    RdmaDatagramOptions within(DeviceAttributes device) {
        int send = Math.min(sendQueueSize, Math.min(device.maxQpWr(), device.maxCqe() / 2));
        int receive = Math.min(receiveQueueSize, Math.min(device.maxQpWr(), device.maxCqe() / 2));
        return withSendQueueSize(Math.max(MIN_QUEUE, send)).withReceiveQueueSize(Math.max(MIN_QUEUE, receive));
    }

    /**
     * Returns these options with another {@link #sendQueueSize}.
     *
     * @param sendQueueSize the number of datagrams, 16 to 65534
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaDatagramOptions withSendQueueSize(int sendQueueSize) {
        return new RdmaDatagramOptions(sendQueueSize, receiveQueueSize, inlineSize, maxPeers, resolveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #receiveQueueSize}.
     *
     * @param receiveQueueSize the number of datagrams, 16 to 65534
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaDatagramOptions withReceiveQueueSize(int receiveQueueSize) {
        return new RdmaDatagramOptions(sendQueueSize, receiveQueueSize, inlineSize, maxPeers, resolveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #inlineSize}.
     *
     * @param inlineSize the number of bytes, 0 to 1024
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaDatagramOptions withInlineSize(int inlineSize) {
        return new RdmaDatagramOptions(sendQueueSize, receiveQueueSize, inlineSize, maxPeers, resolveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #maxPeers}.
     *
     * @param maxPeers the number of peers, 2 to 1048576
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaDatagramOptions withMaxPeers(int maxPeers) {
        return new RdmaDatagramOptions(sendQueueSize, receiveQueueSize, inlineSize, maxPeers, resolveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #resolveTimeout}.
     *
     * @param resolveTimeout above 0 and at most one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaDatagramOptions withResolveTimeout(Duration resolveTimeout) {
        return new RdmaDatagramOptions(sendQueueSize, receiveQueueSize, inlineSize, maxPeers, resolveTimeout, spin);
    }

    /**
     * Returns these options with another {@link #spin}.
     *
     * @param spin zero to one day
     * @return the options
     * @throws IllegalArgumentException if the value is outside this range
     */
    public RdmaDatagramOptions withSpin(Duration spin) {
        return new RdmaDatagramOptions(sendQueueSize, receiveQueueSize, inlineSize, maxPeers, resolveTimeout, spin);
    }
}
