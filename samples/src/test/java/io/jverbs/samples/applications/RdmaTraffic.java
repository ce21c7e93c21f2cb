package io.jverbs.samples.applications;

import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import java.util.Map;

/**
 * What the software device of this JVM has counted: connections that its programs have established by RDMA, and bytes
 * that it has sent. A program whose channels use TCP has none.
 */
final class RdmaTraffic {
    /** The side that connects sends one of these messages when a connection is established. */
    private static final String ESTABLISHED = "cm_tx_msgs/rtu";
    private static final String BYTES = "sent_bytes";

    private final DeviceCounters counters;

    private RdmaTraffic(DeviceCounters counters) {
        this.counters = counters;
    }

    /** Returns the traffic of the device that the system property selects. */
    static RdmaTraffic ofSelectedDevice() {
        RdmaDevice device = Verbs.select();
        return new RdmaTraffic(device.capability(DeviceCounters.class).orElseThrow());
    }

    /** Returns how many connections the programs of this JVM have established. */
    long connections() {
        return counters.snapshot().get(ESTABLISHED);
    }

    /** Prints a line that {@link RdmaRun} reads. */
    void print() {
        Map<String, Long> values = counters.snapshot();
        System.out.println("rdma " + values.get(ESTABLISHED) + " " + values.get(BYTES));
    }
}
