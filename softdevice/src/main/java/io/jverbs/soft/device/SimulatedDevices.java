package io.jverbs.soft.device;

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

/**
 * Creates the devices of simulated networks and keeps the networks. A network exists from the first selector that names
 * it until its last context is closed. Guarded by {@link #networks}.
 */
public final class SimulatedDevices implements DeviceSource {
    private static final Pattern NAME = Pattern.compile("sim(0|[1-9][0-9]{0,2})?");
    private static final int MAX_INDEX = 255;
    private static final String FORM = " the form is " + SimulationOptions.GRAMMAR + "; " + SimulationOptions.SEE;

    /** The networks by identity: their seed and name. */
    private final Map<String, Network> networks = new TreeMap<>();

    private record Network(Simulation simulation, Map<Integer, SoftDevice> devices) {}

    @Override
    public String grammar() {
        return "soft:simN[?seed=S], a device of a simulated network";
    }

    @Override
    public boolean accepts(String target) {
        return target.startsWith("sim");
    }

    @Override
    public List<SoftDevice> devices() {
        synchronized (networks) {
            List<SoftDevice> all = new ArrayList<>();
            networks.values().forEach(network -> network.devices().values().stream()
                    .filter(device -> !device.removed()).forEach(all::add));
            return all;
        }
    }

    @Override
    public SoftDevice device(DeviceSelector selector) {
        int index = index(selector);
        SimulationOptions options = options(selector);
        forget(options.identity(), network -> network.endIfUnused(options));
        synchronized (networks) {
            Network network = networks.computeIfAbsent(options.identity(),
                    identity -> new Network(new Simulation(options, () -> forget(identity, Simulation::hasEnded)),
                            new TreeMap<>()));
            SimulationOptions present = network.simulation().options();
            if (!present.admits(options)) {
                throw new VerbsException("open_device", Errno.EBUSY, "the simulated network " + options.identity()
                        + " already exists with " + present.others() + ", and the selector \"" + selector
                        + "\" has other options: give the same, or none besides seed and network, or another network="
                        + " name; " + SimulationOptions.SEE);
            }
            SoftDevice device = network.devices().get(index);
            if (device == null || device.removed()) {
                device = new SoftDevice(network.simulation().createFabric(index));
                network.devices().put(index, device);
            }
            return device;
        }
    }

    private void forget(String identity, Predicate<Simulation> hasEnded) {
        Network ended;
        synchronized (networks) {
            ended = networks.get(identity);
            if (ended == null || !hasEnded.test(ended.simulation())) {
                return;
            }
            networks.remove(identity);
        }
        ended.devices().values().forEach(SoftDevice::networkEnded);
    }

    private static int index(DeviceSelector selector) {
        Matcher matcher = NAME.matcher(selector.target());
        int index = !matcher.matches() ? -1 : matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1));
        if (index < 0 || index > MAX_INDEX) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": target \"" + selector.target()
                    + "\" is not a simulated device; allowed are sim0 to sim" + MAX_INDEX + ", and sim for sim0;"
                    + FORM);
        }
        return index;
    }

    private static SimulationOptions options(DeviceSelector selector) {
        try {
            return SimulationOptions.parse(selector.options());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "device selector \"" + selector + "\": " + e.getMessage() + ";" + FORM, e);
        }
    }
}
