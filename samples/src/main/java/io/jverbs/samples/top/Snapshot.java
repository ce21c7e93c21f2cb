package io.jverbs.samples.top;

import io.jverbs.control.DevicesMXBean;
import io.jverbs.control.QueuePairCounters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The state and counters of all devices of a program at one time.
 *
 * @param nanos the time, as {@link System#nanoTime}
 * @param devices the devices
 */
record Snapshot(long nanos, List<DevicesMXBean.Device> devices) {
    private static final double NANOS_PER_SECOND = 1e9;

    static Snapshot of(Target target) {
        List<DevicesMXBean.Device> devices = target.devices();
        return new Snapshot(System.nanoTime(), devices);
    }

    double secondsSince(Snapshot before) {
        return (nanos - before.nanos) / NANOS_PER_SECOND;
    }

    /** {@return the counters of each port and queue pair, by a unique key} */
    Map<String, Map<String, Long>> counters() {
        Map<String, Map<String, Long>> all = new HashMap<>();
        for (DevicesMXBean.Device device : devices) {
            device.ports().forEach(port -> all.put(key(device, port), port.counters()));
            device.queuePairs().forEach(qp -> all.put(key(device, qp), qp.counters()));
        }
        return all;
    }

    static String key(DevicesMXBean.Device device, DevicesMXBean.Port port) {
        return device.provider() + ":" + device.name() + "/" + port.number();
    }

    static String key(DevicesMXBean.Device device, QueuePairCounters qp) {
        return device.provider() + ":" + device.name() + "#" + qp.number();
    }
}
