package io.jverbs;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import io.jverbs.spi.VerbsProvider.AutoChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The providers found by ServiceLoader, and the choice among their devices. */
final class Providers {
    static final String AUTO = "auto";
    private static final Logger LOG = LoggerFactory.getLogger(Verbs.class);

    private final List<VerbsProvider> providers;
    /** What was said about {@code auto} already: each choice is logged once. */
    private final Set<String> announced = ConcurrentHashMap.newKeySet();

    Providers(List<VerbsProvider> providers) {
        this.providers = providers.stream().sorted(Comparator.comparingInt(VerbsProvider::autoRank)).toList();
    }

    /** Loaded at first use. */
    private static final class Installed {
        static final Providers PROVIDERS = new Providers(load());
    }

    static Providers installed() {
        return Installed.PROVIDERS;
    }

    private static List<VerbsProvider> load() {
        List<VerbsProvider> found = new ArrayList<>();
        Services.find(VerbsProvider.class, candidate -> add(candidate, found));
        return found;
    }

    /** Adds a provider, unless it is known or of another version of the SPI. */
    static void add(ServiceLoader.Provider<VerbsProvider> candidate, List<VerbsProvider> found) {
        if (found.stream().anyMatch(known -> known.getClass() == candidate.type())) {
            return;
        }
        VerbsProvider provider = candidate.get();
        if (provider.spiVersion() == VerbsProvider.SPI_VERSION) {
            found.add(provider);
        } else {
            LOG.warn(
                    "Ignoring provider {} of {}: it was built for SPI version {}, this is version {}. Use matching releases.",
                    provider.name(), candidate.type().getName(), provider.spiVersion(), VerbsProvider.SPI_VERSION);
        }
    }

    List<RdmaDevice> devices() {
        return providers.stream()
                .<RdmaDevice>mapMulti((provider, devices) -> provider.devices()
                        .forEach(device -> devices.accept(new RdmaDevice(provider.name(), device))))
                .toList();
    }

    RdmaDevice select(String text) {
        DeviceSelector selector = DeviceSelector.parse(Objects.requireNonNull(text, "selector"));
        if (selector.provider().equals(AUTO)) {
            if (!selector.target().isEmpty() || !selector.options().isEmpty()) {
                throw new IllegalArgumentException(
                        "device selector \"" + text + "\": auto takes neither a target nor options");
            }
            return auto();
        }
        for (VerbsProvider provider : providers) {
            if (provider.name().equals(selector.provider())) {
                ProviderDevice device = provider.device(selector);
                announce("Using RDMA device " + RdmaDevice.selector(provider.name(), device.name()) + ", as "
                        + Verbs.DEVICE_PROPERTY
                        + " or the program asks", false);
                return new RdmaDevice(provider.name(), device);
            }
        }
        throw new VerbsException("open_device", Errno.ENODEV,
                "no provider \"" + selector.provider() + "\"; there are: " + AUTO
                        + providers.stream().map(provider -> ", " + provider.name()).collect(Collectors.joining())
                        + ". The software device comes with io.jverbs:softdevice.");
    }

    private RdmaDevice auto() {
        StringBuilder passedOver = new StringBuilder();
        boolean unusedHardware = false;
        for (VerbsProvider provider : providers) {
            switch (provider.auto()) {
                case AutoChoice.Usable usable -> {
                    announce("Using RDMA device " + provider.name() + ":" + usable.device().name() + passedOver,
                            unusedHardware);
                    return new RdmaDevice(provider.name(), usable.device());
                }
                case AutoChoice.Unusable unusable -> {
                    passedOver.append("; ").append(provider.name()).append(" was not chosen: ")
                            .append(unusable.reason());
                    unusedHardware |= unusable.hardwarePresent();
                }
            }
        }
        throw new VerbsException("open_device", Errno.ENODEV, "no RDMA device" + passedOver
                + ". Add io.jverbs:softdevice to the class path or module path for the software device.");
    }

    private void announce(String sentence, boolean warning) {
        if (announced.add(sentence)) {
            if (warning) {
                LOG.warn(sentence);
            } else {
                LOG.info(sentence);
            }
        }
    }
}
