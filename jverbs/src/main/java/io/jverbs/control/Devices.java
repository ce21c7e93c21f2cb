package io.jverbs.control;

import io.jverbs.RdmaContext;
import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The MBean that exposes the open devices of a JVM. It is not loaded until the program calls {@link #register()}, or a
 * JMX client creates it with {@code MBeanServerConnection.createMBean("io.jverbs.control.Devices", name)}, as {@code
 * samples/run top} does. Creation by a client requires that the system class loader loads jverbs. The MBean needs the
 * module {@code java.management}. Stateless and thread-safe.
 */
public final class Devices implements DevicesMXBean {

    /** Creates the MBean, for an MBean server. */
    public Devices() {
        // no state
    }

    /**
     * Registers the MBean with the platform MBean server, unless it is already registered.
     *
     * @throws IllegalStateException if the server rejects it
     */
    public static void register() {
        try {
            server().registerMBean(new Devices(), name());
        } catch (InstanceAlreadyExistsException e) {
            // already registered
        } catch (JMException e) {
            throw new IllegalStateException("cannot register the devices with the platform MBean server as " + NAME, e);
        }
    }

    /**
     * Unregisters the MBean. No effect if it is not registered.
     *
     * @throws IllegalStateException if the server rejects the request
     */
    public static void unregister() {
        try {
            server().unregisterMBean(name());
        } catch (InstanceNotFoundException e) {
            // not registered
        } catch (JMException e) {
            throw new IllegalStateException("cannot unregister the devices from the platform MBean server: " + NAME, e);
        }
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    private static ObjectName name() throws JMException {
        return new ObjectName(NAME);
    }

    @Override
    public List<Device> getDevices() {
        Map<String, RdmaContext> open = new LinkedHashMap<>();
        Verbs.openContexts().stream().sorted(Comparator.comparing(context -> context.device().selector()))
                .forEach(context -> open.putIfAbsent(context.device().selector(), context));
        List<Device> devices = new ArrayList<>();
        open.values().forEach(context -> device(context).ifPresent(devices::add));
        return devices;
    }

    private static Optional<Device> device(RdmaContext context) {
        RdmaDevice device = context.device();
        Optional<DeviceCounters> counters = device.capability(DeviceCounters.class);
        try {
            List<Port> ports = new ArrayList<>();
            for (int number = 1; number <= context.queryDevice().portCount(); number++) {
                int port = number;
                ports.add(new Port(port, context.queryPort(port).state().toString(),
                        counters.map(each -> each.snapshot(port)).orElse(Map.of())));
            }
            return Optional.of(new Device(device.name(), device.provider(), ports,
                    counters.map(DeviceCounters::resources).orElse(Map.of()),
                    counters.map(DeviceCounters::queuePairs).orElse(List.of()),
                    counters.map(DeviceCounters::cmIds).orElse(List.of())));
        } catch (VerbsException | IllegalStateException e) {
            // the device was removed, or the context was closed meanwhile
            return Optional.empty();
        }
    }
}
