package io.jverbs.soft;

import io.jverbs.soft.device.SoftDevices;
import io.jverbs.soft.fabric.FabricChooser;
import io.jverbs.soft.fabric.FabricType;
import io.jverbs.soft.fabric.LocalFabricType;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.fabric.udp.UdpFabricType;
import io.jverbs.soft.simulation.SimulatedFabricType;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The provider {@code soft}: the software devices. Each has a fabric of one of the {@linkplain #FABRICS types}. A
 * device is created when it is first selected. Thread-safe.
 */
public final class SoftProvider implements VerbsProvider {
    private static final int AUTO_RANK = 100;
    /** The network within the JVM, common to all instances of this class. */
    private static final LocalNetwork NETWORK = new LocalNetwork(new RealTimers());
    private static final FabricChooser FABRICS = new FabricChooser(
            List.of(new LocalFabricType(NETWORK), new UdpFabricType(NETWORK), new SimulatedFabricType()));
    /** The devices of each type of fabric. Not modified after this class was initialized. */
    private static final Map<FabricType, SoftDevices> DEVICES = new LinkedHashMap<>();
    private static final String NAME = "soft";
    /** The device that {@code soft} without a target selects. */
    private static final DeviceSelector FIRST = new DeviceSelector(NAME, "", Map.of());

    static {
        FABRICS.types().forEach(type -> DEVICES.put(type, new SoftDevices(type)));
    }

    /** For {@link java.util.ServiceLoader}; use {@link io.jverbs.Verbs}. */
    public SoftProvider() {
        // devices are created on demand
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public int autoRank() {
        return AUTO_RANK;
    }

    @Override
    public List<? extends ProviderDevice> devices() {
        // always there, whether it was selected or not
        device(FIRST);
        List<ProviderDevice> all = new ArrayList<>();
        DEVICES.values().forEach(each -> all.addAll(each.devices()));
        return all;
    }

    @Override
    public ProviderDevice device(DeviceSelector selector) {
        return DEVICES.get(FABRICS.choose(selector)).device(selector);
    }

    @Override
    public AutoChoice auto() {
        return new AutoChoice.Usable(device(FIRST));
    }
}
