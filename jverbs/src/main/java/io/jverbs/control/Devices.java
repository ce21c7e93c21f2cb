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
 * The bean that shows a JVM's open devices to JMX. Nothing of it is loaded before a program calls {@link #register()}, or somebody
 * who is connected has it made: {@code MBeanServerConnection.createMBean("io.jverbs.control.Devices", name)}, as
 * {@code samples/run top} does; that finds it where jverbs is with the system's class loader. It needs the module {@code java.management}.
 */
public final class Devices implements DevicesMXBean {

    /** Makes the bean; a server that is to show it calls this. */
    public Devices() {
        // it has nothing of its own
    }

    /**
     * Shows the devices to JMX, unless they are shown already.
     *
     * @throws IllegalStateException if the platform's server refuses
     */
    public static void register() {
        try {
            server().registerMBean(new Devices(), name());
        } catch (InstanceAlreadyExistsException e) {
            // another has been faster
        } catch (JMException e) {
            throw new IllegalStateException("the devices cannot be shown to JMX as " + NAME, e);
        }
    }

    /**
     * Shows the devices to JMX no longer; no effect if they are not shown.
     *
     * @throws IllegalStateException if the platform's server refuses
     */
    public static void unregister() {
        try {
            server().unregisterMBean(name());
        } catch (InstanceNotFoundException e) {
            // it is what was asked for
        } catch (JMException e) {
            throw new IllegalStateException("the devices are still shown to JMX as " + NAME, e);
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
                    counters.map(DeviceCounters::queuePairs).orElse(List.of())));
        } catch (VerbsException | IllegalStateException e) {
            // removed, or closed meanwhile
            return Optional.empty();
        }
    }
}
