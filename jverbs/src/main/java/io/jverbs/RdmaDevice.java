package io.jverbs;

import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ProviderDevice;
import io.jverbs.spi.StackReserve;
import java.util.Objects;
import java.util.Optional;

/**
 * An RDMA device that can be opened, {@code struct ibv_device}; see ibv_get_device_list(3). {@link Verbs} lists and
 * selects devices. Two objects for the same device are equal. This class is immutable and thread-safe.
 *
 * {@snippet :
 * for (RdmaDevice device : Verbs.devices()) {
 *     try (RdmaContext context = device.open()) {
 *         System.out.println(device.selector() + ": port 1 is " + context.queryPort(1).state());
 *     }
 * }
 * }
 */
public final class RdmaDevice {
    private final String provider;
    private final ProviderDevice device;

    RdmaDevice(String provider, ProviderDevice device) {
        this.provider = provider;
        this.device = device;
    }

    /** {@return the name of the device, for example {@code mlx5_0} or {@code soft0}} */
    public String name() {
        return device.name();
    }

    /** {@return the name of the provider of the device, the first part of its selector} */
    public String provider() {
        return provider;
    }

    /** {@return the selector of the device, for example {@code soft:soft0}; see {@link Verbs}} */
    public String selector() {
        return selector(provider, device.name());
    }

    /** Returns the selector of a device; puts an IPv6 address in brackets. */
    static String selector(String provider, String name) {
        return provider + ":" + (name.indexOf(':') < 0 ? name : "[" + name + "]");
    }

    /** {@return the node GUID in host byte order; see ibv_get_device_guid(3)} */
    public long nodeGuid() {
        return device.nodeGuid();
    }

    /**
     * Opens the device; see ibv_open_device(3).
     *
     * @return a new context, independent of all others
     * @throws VerbsException if the device cannot be opened
     * @throws IllegalArgumentException if a system property that configures a layer is malformed, see {@link
     *         #open(DeviceLayer...)}; the message gives the grammar
     */
    public RdmaContext open() {
        return open(new DeviceLayer[0]);
    }

    /**
     * Opens the device with layers between the device and the program: {@link io.jverbs.fault.FaultInjection} and
     * {@link io.jverbs.strict.StrictMode}. The system properties {@code jverbs.fault} and {@code jverbs.strict} add a
     * layer too, unless a layer of the same class is given here. The order of the arguments is not significant: fault
     * injection is next to the device, and strict mode is next to the program.
     *
     * @param layers the layers; without layers and properties, the program uses the device directly
     * @return a new context, independent of all others; {@link RdmaContext#capability} returns its layers
     * @throws VerbsException if the device cannot be opened
     * @throws IllegalArgumentException if a property is malformed, or the device does not support a layer
     */
    public RdmaContext open(DeviceLayer... layers) {
        StackReserve.check();
        Layers all = Layers.of(Objects.requireNonNull(layers, "layers"));
        return RdmaContext.of(this, all, device);
    }

    /**
     * Returns a capability of this device beyond verbs, an interface of {@code io.jverbs.control}.
     *
     * @param <T> the type of the capability
     * @param type the interface of the capability
     * @return the capability, or empty if the device does not have it
     */
    public <T> Optional<T> capability(Class<T> type) {
        return device.capability(Objects.requireNonNull(type, "type"));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RdmaDevice that && device.equals(that.device);
    }

    @Override
    public int hashCode() {
        return device.hashCode();
    }

    @Override
    public String toString() {
        return selector();
    }
}
