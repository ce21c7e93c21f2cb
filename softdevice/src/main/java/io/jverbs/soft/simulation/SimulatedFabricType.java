package io.jverbs.soft.simulation;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.fabric.Fabric;
import io.jverbs.soft.fabric.FabricType;
import io.jverbs.spi.DeviceSelector;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The fabrics of the devices of simulated networks. It keeps the networks: one exists from the first selector that
 * names it until its last context is closed.
 */
public final class SimulatedFabricType implements FabricType {
    private static final Pattern NAME = Pattern.compile("sim(0|[1-9][0-9]{0,2})?");
    private static final int MAX_INDEX = 255;
    private static final String FORM = " the form is " + SimulationOptions.GRAMMAR + "; " + SimulationOptions.SEE;

    /** The networks by identity: their seed and name. Guarded by itself. */
    private final Map<String, Simulation> networks = new TreeMap<>();

    /** Creates the type without networks. */
    public SimulatedFabricType() {
        // networks are created on demand
    }

    /**
     * A device of a network.
     *
     * @param simulation the network
     * @param index the device's number
     */
    private record Resolved(Simulation simulation, int index) implements ResolvedDevice {

        @Override
        public Key key() {
            return new Key(simulation.options().identity(), index);
        }

        @Override
        public Fabric open() {
            return simulation.createFabric(index);
        }
    }

    @Override
    public String grammar() {
        return "soft:simN[?seed=S], a device of a simulated network";
    }

    @Override
    public boolean accepts(String target) {
        return target.startsWith("sim");
    }

    /** {@inheritDoc} A network without contexts ends if the selector has other options than it. */
    @Override
    public ResolvedDevice resolve(DeviceSelector selector) {
        int index = index(selector);
        SimulationOptions options = options(selector);
        endUnused(options);
        Simulation simulation;
        synchronized (networks) {
            simulation = networks.computeIfAbsent(options.identity(),
                    identity -> new Simulation(options, this::forget));
        }
        SimulationOptions present = simulation.options();
        if (!present.admits(options)) {
            throw new VerbsException("open_device", Errno.EBUSY, "the simulated network " + options.identity()
                    + " already exists with " + present.others() + ", and the selector \"" + selector
                    + "\" has other options: give the same, or none besides seed and network, or another network="
                    + " name; " + SimulationOptions.SEE);
        }
        return new Resolved(simulation, index);
    }

    private void endUnused(SimulationOptions wanted) {
        Simulation former;
        synchronized (networks) {
            former = networks.get(wanted.identity());
        }
        if (former != null && former.endIfUnused(wanted)) {
            forget(former);
        }
    }

    /** Removes a network that has ended, and reports the end to its devices, on the first call for this network. */
    private void forget(Simulation ended) {
        boolean first;
        synchronized (networks) {
            first = networks.remove(ended.options().identity(), ended);
        }
        if (first) {
            ended.reportEnd();
        }
    }

    private static int index(DeviceSelector selector) {
        Matcher matcher = NAME.matcher(selector.target());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("device selector \"" + selector + "\": target \"" + selector.target()
                    + "\" is not a simulated device; allowed are sim0 to sim" + MAX_INDEX + ", and sim for sim0;"
                    + FORM);
        }
        int index = matcher.group(1) == null ? 0 : Integer.parseInt(matcher.group(1));
        if (index > MAX_INDEX) {
            throw new VerbsException("open_device", Errno.ENODEV, "device selector \"" + selector
                    + "\": there is no device \"" + selector.target() + "\";" + FORM);
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
