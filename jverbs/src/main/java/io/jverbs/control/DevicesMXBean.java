package io.jverbs.control;

import java.util.List;
import java.util.Map;

/**
 * What JMX shows of the devices that a JVM has open, under the object name {@value #NAME}. {@link Devices} is the bean; it is read
 * when somebody asks, and costs nothing otherwise.
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
     */
    record Device(String name, String provider, List<Port> ports, Map<String, Long> resources,
            List<QueuePairCounters> queuePairs) {}

    /**
     * A port.
     *
     * @param number its number, from 1
     * @param state its state, a name of {@link io.jverbs.PortState}
     * @param counters what it has counted, as {@link DeviceCounters#snapshot(int)}
     */
    record Port(int number, String state, Map<String, Long> counters) {}

    /** {@return the devices that are open, in the order of their selectors} What a device does not tell is empty. */
    List<Device> getDevices();
}
