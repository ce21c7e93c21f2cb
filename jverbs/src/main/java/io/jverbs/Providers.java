package io.jverbs;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import io.jverbs.spi.VerbsProvider.AutoChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The providers that {@link ServiceLoader} finds, and the choice of one of their devices. Thread-safe. */
final class Providers {
    static final String AUTO = "auto";
    private static final int MAX_ANNOUNCED = 256;
    private static final Logger LOG = LoggerFactory.getLogger(Verbs.class);

    private final List<VerbsProvider> providers;
    /**
     * The messages about the choice of a device that were logged last; guarded by itself. A message is logged again
     * only after many others, so that a program that opens devices often does not fill the log.
     */
    private final Map<String, Boolean> announced = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > MAX_ANNOUNCED;
        }
    };

    Providers(List<VerbsProvider> providers) {
        this.providers = providers.stream().sorted(Comparator.comparingInt(VerbsProvider::autoRank)).toList();
    }

    /** Holds the installed providers; loaded at first use. */
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

    /** Adds a provider, unless its class is in the list already or it has another version of the SPI. */
    static void add(ServiceLoader.Provider<VerbsProvider> candidate, List<VerbsProvider> found) {
        if (found.stream().anyMatch(known -> known.getClass() == candidate.type())) {
            return;
        }
        VerbsProvider provider = candidate.get();
        if (provider.spiVersion() == VerbsProvider.SPI_VERSION) {
            found.add(provider);
        } else {
            LOG.warn(
                    "Ignoring provider {} ({}): it was built for SPI version {}, but this release has version {}."
                            + " Use matching releases.",
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
                        selector.refusal("auto takes neither a target nor options", AUTO));
            }
            return auto();
        }
        for (VerbsProvider provider : providers) {
            if (provider.name().equals(selector.provider())) {
                ProviderDevice device = provider.device(selector);
                announce("Using RDMA device " + RdmaDevice.selector(provider.name(), device.name())
                        + ", selected by the property " + Verbs.DEVICE_PROPERTY + " or by the program", false);
                return new RdmaDevice(provider.name(), device);
            }
        }
        throw new VerbsException("open_device", Errno.ENODEV,
                selector.refusal("no provider \"" + selector.provider() + "\"; available: " + AUTO
                        + providers.stream().map(provider -> ", " + provider.name()).collect(Collectors.joining())
                        + " (the software device is in the artifact io.jverbs:jverbs-softdevice)",
                        DeviceSelector.GRAMMAR));
    }

    private RdmaDevice auto() {
        StringBuilder rejections = new StringBuilder();
        boolean unusedHardware = false;
        for (VerbsProvider provider : providers) {
            switch (provider.auto()) {
                case AutoChoice.Usable usable -> {
                    announce("Using RDMA device " + provider.name() + ":" + usable.device().name() + rejections,
                            unusedHardware);
                    return new RdmaDevice(provider.name(), usable.device());
                }
                case AutoChoice.Unusable unusable -> {
                    rejections.append("; ").append(provider.name()).append(" was not chosen: ")
                            .append(unusable.reason());
                    unusedHardware |= unusable.hardwarePresent();
                }
            }
        }
        throw new VerbsException("open_device", Errno.ENODEV, "no RDMA device" + rejections
                + ". Add io.jverbs:jverbs-softdevice to the class path or module path for the software device.");
    }

    /** Logs the choice of a device, unless the same message was logged lately. */
    private void announce(String message, boolean warning) {
        boolean isNew;
        synchronized (announced) {
            isNew = announced.put(message, true) == null;
        }
        if (isNew) {
            if (warning) {
                LOG.warn(message);
            } else {
                LOG.info(message);
            }
        }
    }
}
