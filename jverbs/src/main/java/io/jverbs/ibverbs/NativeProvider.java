package io.jverbs.ibverbs;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.ffm.NativeLibrary;
import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.VerbsProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The provider {@code native}: RDMA devices of the kernel, through libibverbs. Loads the library only if the kernel has
 * a device. Any thread may call any method.
 */
public final class NativeProvider implements VerbsProvider {
    private static final String GRAMMAR = "native[:NAME], NAME as ibv_devices shows it";

    private final Machine machine;
    private final Supplier<List<NativeDevice>> list;

    /** Called by {@link java.util.ServiceLoader}; programs use {@link io.jverbs.Verbs}. */
    public NativeProvider() {
        this(Machine.here(), NativeDevice::list);
    }

    NativeProvider(Machine machine, Supplier<List<NativeDevice>> list) {
        this.machine = machine;
        this.list = list;
    }

    @Override
    public String name() {
        return "native";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public int autoRank() {
        return 0;
    }

    @Override
    public List<? extends ProviderDevice> devices() {
        return usableDevices();
    }

    private List<NativeDevice> usableDevices() {
        return machine.deviceNames().isEmpty() || !(machine.libibverbs().get() instanceof NativeLibrary.Usable)
                ? List.of()
                : list.get();
    }

    @Override
    public ProviderDevice device(DeviceSelector selector) {
        if (!selector.options().isEmpty()) {
            throw new IllegalArgumentException(selector.refusal("unknown option \""
                    + selector.options().keySet().iterator().next() + "\", as native devices take none", GRAMMAR));
        }
        obstacle().ifPresent(unusable -> {
            throw new VerbsException("open_device", Errno.ENODEV, selector.refusal(unusable.reason(), GRAMMAR));
        });
        List<NativeDevice> devices = list.get();
        return (selector.target().isEmpty()
                ? devices.stream().filter(device -> machine.hasActivePort(device.name())).findFirst()
                        .or(() -> devices.stream().findFirst())
                : devices.stream().filter(device -> device.name().equals(selector.target())).findFirst())
                .orElseThrow(() -> new VerbsException("open_device", Errno.ENODEV,
                        selector.refusal("there is no device \"" + selector.target() + "\"; there are: "
                                + names(devices), GRAMMAR)));
    }

    @Override
    public AutoChoice auto() {
        Optional<AutoChoice.Unusable> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        List<NativeDevice> devices = list.get();
        Optional<String> notPermitted = devices.stream().map(NativeDevice::name)
                .filter(name -> !isPermitted(name)).findFirst();
        Optional<NativeDevice> usable = devices.stream()
                .filter(device -> isPermitted(device.name()) && machine.hasActivePort(device.name())).findFirst();
        if (usable.isPresent()) {
            return new AutoChoice.Usable(usable.get());
        }
        return new AutoChoice.Unusable(notPermitted.map(name -> noPermission(machine, name))
                .orElseGet(() -> "no port of " + names(devices) + " is active"), true);
    }

    private static String names(List<NativeDevice> devices) {
        return devices.stream().map(NativeDevice::name).collect(Collectors.joining(", "));
    }

    private boolean isPermitted(String device) {
        return machine.deviceFile(device).map(NativeProvider::isPermitted).orElse(false);
    }

    private static boolean isPermitted(Path file) {
        return Files.isReadable(file) && Files.isWritable(file);
    }

    static String noPermission(Machine machine, String device) {
        return machine.deviceFile(device)
                .map(file -> "no permission to open " + device + ": this user must be able to read and write " + file)
                .orElse("there is no device file for " + device + ": load the kernel module ib_uverbs");
    }

    /** The reason why no device can be used, empty if there is no such reason. Loads the library only if needed. */
    private Optional<AutoChoice.Unusable> obstacle() {
        if (machine.deviceNames().isEmpty()) {
            return Optional.of(new AutoChoice.Unusable(!machine.hasLibrary()
                    ? Machine.noLibrary()
                    : !machine.hasInfiniBand()
                            ? "libibverbs is installed, but the kernel has no InfiniBand support loaded"
                            : "there is no RDMA device",
                    false));
        }
        if (machine.libibverbs().get() instanceof NativeLibrary.Unusable library) {
            return Optional.of(new AutoChoice.Unusable(
                    "there is " + String.join(", ", machine.deviceNames()) + ", but " + library.reason(), true));
        }
        if (list.get().isEmpty()) {
            return Optional.of(new AutoChoice.Unusable("libibverbs has no driver for "
                    + String.join(", ", machine.deviceNames()) + " (package ibverbs-providers)", true));
        }
        return Optional.empty();
    }
}
