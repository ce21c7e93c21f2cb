package io.jverbs.soft;

import io.jverbs.soft.device.DeviceSource;
import io.jverbs.soft.device.LocalDevices;
import io.jverbs.soft.device.SimulatedDevices;
import io.jverbs.soft.device.UdpDevices;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The provider {@code soft}: the software devices. Their kinds are the {@linkplain #SOURCES sources}; a device is
 * created when it is first selected. Thread-safe.
 */
public final class SoftProvider implements VerbsProvider {
    private static final int AUTO_RANK = 100;
    /** The network within the JVM, common to all instances of this class. */
    private static final LocalNetwork NETWORK = new LocalNetwork(new RealTimers());
    private static final LocalDevices LOCAL = new LocalDevices(NETWORK);
    private static final List<DeviceSource> SOURCES = List.of(LOCAL, new UdpDevices(NETWORK), new SimulatedDevices());

    /** For {@link java.util.ServiceLoader}; use {@link io.jverbs.Verbs}. */
    public SoftProvider() {
        // devices are created on demand
    }

    @Override
    public String name() {
        return "soft";
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
        LOCAL.device(0);
        List<ProviderDevice> all = new ArrayList<>();
        SOURCES.forEach(source -> all.addAll(source.devices()));
        return all;
    }

    @Override
    public ProviderDevice device(DeviceSelector selector) {
        for (DeviceSource source : SOURCES) {
            if (source.accepts(selector.target())) {
                return source.device(selector);
            }
        }
        throw new IllegalArgumentException(selector.refusal(
                "target \"" + selector.target() + "\" is not a software device",
                SOURCES.stream().map(DeviceSource::grammar).collect(Collectors.joining("; "))));
    }

    @Override
    public AutoChoice auto() {
        return new AutoChoice.Usable(LOCAL.device(0));
    }
}
