package io.jverbs.control;

import java.util.List;
import java.util.Map;

/**
 * The counters of a device since it was created. Reading them briefly takes the locks of each queue pair and otherwise
 * does not slow the device down. For devices of libibverbs they are the counters in sysfs, which the kernel's driver
 * keeps for all programs. Thread-safe.
 *
 * <p>
 * The software device counts traffic as follows. Traffic within the JVM is counted as on the wire, except that it has
 * no acknowledgement packets:
 * <ul>
 * <li>{@code sent_msgs}: requests that were sent and, on a reliable connection, succeeded. Local operations (bind and
 * local invalidate) do not count.
 * <li>{@code sent_pkts}: packets of requests, including retransmissions, and of responses to READs and atomics; on the
 * wire also ACKs and NAKs. Within the JVM, a packet is one path MTU of a message.
 * <li>{@code rcvd_pkts}: packets of requests and responses that were accepted; on the wire also ACKs and NAKs. Every
 * other packet that arrives is counted once, under a name that says why it was dropped or as {@code duplicate_request}.
 * Within the JVM, a whole message that is dropped counts once.
 * <li>{@code retransmissions}: how often a requester went back and sent again, after a timeout or because a packet was
 * missing. Waits for a receive request of the peer do not count; {@code rcvd_rnr_err} counts those.
 * <li>{@code sent_bytes}, {@code rcvd_bytes}: the payload of these packets. Atomics have no payload, because their
 * operands are in headers.
 * <li>{@code cm_tx_msgs}, {@code cm_tx_retries}, {@code cm_rx_msgs}, {@code cm_rx_duplicates}: messages of the
 * connection manager. Each has counters for the kinds of messages too, as {@code cm_tx_msgs/req}: the name of Linux's
 * directory and that of the file. Other names that start with {@code cm_rx_} say why a message was dropped or refused.
 * Their packets count, too.
 * </ul>
 *
 * {@snippet :
 * DeviceCounters counters = device.capability(DeviceCounters.class).orElseThrow();
 * System.out.println(counters.snapshot().get("sent_pkts") + " packets, " + counters.resources());
 * }
 */
public interface DeviceCounters {

    /**
     * Reads the counters of all ports. Each value is exact, but they are not all read at the same moment.
     *
     * @return an unmodifiable map from counter names to values. Names are those of Linux {@code hw_counters} where they
     *         exist
     * @throws io.jverbs.VerbsException with ENODEV if a device of the kernel was removed
     */
    Map<String, Long> snapshot();

    /**
     * Reads the counters of one port, as {@link #snapshot()}.
     *
     * @param port the number of the port, from 1
     * @return an unmodifiable map from counter names to values
     * @throws io.jverbs.VerbsException with EINVAL if the device has no such port, or ENODEV if a device of the kernel
     * was removed
     */
    Map<String, Long> snapshot(int port);

    /**
     * {@return how many objects of each kind exist, an unmodifiable map with the names that {@code rdma resource} uses:
     * pd, cq, qp, srq, mr and others} Empty if the device does not report it.
     */
    Map<String, Long> resources();

    /** {@return the existing queue pairs, in the order of their numbers} Empty if the device does not report them. */
    List<QueuePairCounters> queuePairs();

    /** {@return the existing CM IDs, in the order of their creation} Empty if the device does not report them. */
    List<CmIdSnapshot> cmIds();
}
