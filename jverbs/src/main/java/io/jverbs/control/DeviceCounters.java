package io.jverbs.control;

import java.util.List;
import java.util.Map;

/**
 * What a device has counted since it was made. Reading costs the reader alone, but for each queue pair's locks, which it takes for
 * a moment. Of devices of libibverbs, what the kernel's driver counts for all programs and sysfs tells. Safe for use by many
 * threads.
 *
 * <p>
 * The software device counts traffic as follows, the same within the JVM as on the wire but for acknowledgements, which are packets on
 * the wire alone:
 * <ul>
 * <li>{@code sent_msgs}: requests that were sent, and on a reliable connection succeeded; not those that concern this device alone
 * (binding and invalidating).
 * <li>{@code sent_pkts}: packets of requests, those sent again too, and of answers to READs and atomics; on the wire also
 * acknowledgements and NAKs. Within the JVM a packet is as much of a message as the path MTU allows.
 * <li>{@code rcvd_pkts}: packets of requests and of answers that were taken; on the wire also acknowledgements and NAKs. Each other
 * packet that comes is counted under one name that says why it was dropped, or {@code duplicate_request}; within the JVM, a whole
 * message once.
 * <li>{@code retransmissions}: times that a requester went back and sent again, after silence or as a packet was missing; not
 * because the peer had no receive request, which {@code rcvd_rnr_err} counts.
 * <li>{@code sent_bytes}, {@code rcvd_bytes}: the payload of these packets. Atomics have none, as their numbers are in headers.
 * </ul>
 */
public interface DeviceCounters {

    /**
     * Reads all counters of all ports. Each value is exact for its moment, but they are not all of the same moment.
     *
     * @return an unmodifiable map from the counter's name to its value. Names are those of Linux' {@code hw_counters}
     *         where it has one
     * @throws io.jverbs.VerbsException with ENODEV if a device of the kernel is gone
     */
    Map<String, Long> snapshot();

    /**
     * Reads all counters of one port, as {@link #snapshot()}.
     *
     * @param port the number of the port, from 1
     * @return an unmodifiable map from the counter's name to its value
     * @throws io.jverbs.VerbsException with EINVAL if the device has no such port, or ENODEV if a device of the kernel is gone
     */
    Map<String, Long> snapshot(int port);

    /**
     * {@return how many objects of each kind there are, an unmodifiable map with the names of {@code rdma resource}: pd, cq, qp,
     * srq, mr and others} Empty where the device does not tell.
     */
    Map<String, Long> resources();

    /** {@return the queue pairs that there are, in the order of their numbers} Empty where the device does not tell. */
    List<QueuePairCounters> queuePairs();
}
