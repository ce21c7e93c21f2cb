package io.jverbs.control;

import java.util.List;
import java.util.Map;

/**
 * What a device has counted since it was made. Reading costs the reader alone, but for each queue pair's locks, which it takes for
 * a moment. Of devices of libibverbs, what the kernel's driver counts for all programs and sysfs tells. Safe for use by many
 * threads.
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
