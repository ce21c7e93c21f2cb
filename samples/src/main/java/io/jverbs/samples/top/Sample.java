package io.jverbs.samples.top;

import io.jverbs.control.DevicesMXBean;
import io.jverbs.control.QueuePairCounters;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What all devices had counted at a moment.
 *
 * @param nanos the moment, as {@link System#nanoTime}
 * @param devices the devices
 */
record Sample(long nanos, List<DevicesMXBean.Device> devices) {
    private static final double NANOS_PER_SECOND = 1e9;

    static Sample of(Target target) {
        List<DevicesMXBean.Device> devices = target.devices();
        return new Sample(System.nanoTime(), devices);
    }

    double secondsSince(Sample before) {
        return (nanos - before.nanos) / NANOS_PER_SECOND;
    }

    /** The counters of each port and queue pair, under a name of its own. */
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
