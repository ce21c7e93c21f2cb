package io.jverbs.control;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The JMX view of the open devices of a JVM, under the object name {@value #NAME}. {@link Devices} implements it. The
 * values are collected when a client reads them; there is no cost otherwise.
 */
public interface DevicesMXBean {
    /** The object name. */
    String NAME = "io.jverbs:type=Devices";

    /**
     * A device.
     *
     * @param name its name
     * @param provider the name of its provider
     * @param ports its ports
     * @param resources how many objects of each kind it has, as {@link DeviceCounters#resources()}
     * @param queuePairs its queue pairs
     * @param cmIds its CM IDs
     */
    record Device(String name, String provider, List<Port> ports, Map<String, Long> resources,
            List<QueuePairCounters> queuePairs, List<CmIdSnapshot> cmIds) {
        /** Refuses null. */
        public Device {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(provider, "provider");
            Objects.requireNonNull(ports, "ports");
            Objects.requireNonNull(resources, "resources");
            Objects.requireNonNull(queuePairs, "queuePairs");
            Objects.requireNonNull(cmIds, "cmIds");
        }
    }

    /**
     * A port.
     *
     * @param number its number, from 1
     * @param state its state, a name of {@link io.jverbs.PortState}
     * @param counters its counters, as {@link DeviceCounters#snapshot(int)}
     */
    record Port(int number, String state, Map<String, Long> counters) {
        /** Refuses null. */
        public Port {
            Objects.requireNonNull(state, "state");
            Objects.requireNonNull(counters, "counters");
        }
    }

    /** {@return the open devices, in the order of their selectors} What a device does not report is empty. */
    List<Device> getDevices();
}
