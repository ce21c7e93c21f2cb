package io.jverbs.soft;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.simulation.Simulation;
import io.jverbs.soft.simulation.SimulationOptions;
import io.jverbs.spi.DeviceSelector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Makes the devices of simulated networks, and knows the networks that there are: from their first selector to their last context. */
final class SimulatedDevices {
    private static final Pattern NAME = Pattern.compile("sim(0|[1-9][0-9]{0,2})?");
    private static final int MAX_INDEX = 255;

    /** By what tells networks apart. */
    private static final Map<String, Network> NETWORKS = new TreeMap<>();

    private record Network(Simulation simulation, Map<Integer, SoftDevice> devices) {}

    private SimulatedDevices() {}

    /** Whether a target is such a device. */
    static boolean isSimulated(String target) {
        return target.startsWith("sim");
    }

    /** The devices of all networks. */
    static List<SoftDevice> devices() {
        synchronized (NETWORKS) {
            List<SoftDevice> all = new ArrayList<>();
            NETWORKS.values().forEach(network -> network.devices().values().stream()
                    .filter(device -> !device.isRemoved()).forEach(all::add));
            return all;
        }
    }

    static SoftDevice device(DeviceSelector selector) {
        int index = index(selector);
        SimulationOptions options = options(selector);
        forget(options.identity(), network -> network.isOver(options));
        synchronized (NETWORKS) {
            Network network = NETWORKS.computeIfAbsent(options.identity(),
                    identity -> new Network(new Simulation(options, () -> forget(identity, Simulation::hasEnded)),
                            new TreeMap<>()));
            SimulationOptions present = network.simulation().options();
            if (!present.admits(options)) {
                throw new VerbsException("open_device", Errno.EBUSY, "the network of " + selector
                        + " is there already, with " + present.others()
                        + ": say the same, or nothing, or name another network=");
            }
            SoftDevice device = network.devices().get(index);
            if (device == null || device.isRemoved()) {
                device = new SoftDevice(network.simulation().outlet(index));
                network.devices().put(index, device);
            }
            return device;
        }
    }

    private static void forget(String identity, Predicate<Simulation> hasEnded) {
        Network ended;
        synchronized (NETWORKS) {
            ended = NETWORKS.get(identity);
            if (ended == null || !hasEnded.test(ended.simulation())) {
                return;
            }
            NETWORKS.remove(identity);
        }
        ended.devices().values().forEach(SoftDevice::networkEnded);
    }

    private static int index(DeviceSelector selector) {
        Matcher matcher = NAME.matcher(selector.target());
        int index = !matcher.matches() ? -1 : matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1));
        if (index < 0 || index > MAX_INDEX) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": \"" + selector.target()
                    + "\" is no simulated device; the form is " + SimulationOptions.GRAMMAR);
        }
        return index;
    }

    private static SimulationOptions options(DeviceSelector selector) {
        try {
            return SimulationOptions.parse(selector.options());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": " + e.getMessage()
                    + "; the form is " + SimulationOptions.GRAMMAR, e);
        }
    }
}
