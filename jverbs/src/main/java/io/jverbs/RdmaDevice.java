package io.jverbs;

import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.ProviderDevice;
import java.util.Objects;
import java.util.Optional;

/**
 * An RDMA device that can be opened, as {@code struct ibv_device}; see ibv_get_device_list(3). Immutable, for any thread.
 * Two objects for the same device are equal.
 */
public final class RdmaDevice {
    private final String provider;
    private final ProviderDevice device;

    RdmaDevice(String provider, ProviderDevice device) {
        this.provider = provider;
        this.device = device;
    }

    /** {@return the device's name, for instance {@code mlx5_0} or {@code soft0}} */
    public String name() {
        return device.name();
    }

    /** {@return the name of the provider, the first part of a selector} */
    public String provider() {
        return provider;
    }

    /** {@return the selector that names this device, for instance {@code soft:soft0}} */
    public String selector() {
        return selector(provider, device.name());
    }

    /** An IPv6 address has its brackets. */
    static String selector(String provider, String name) {
        return provider + ":" + (name.indexOf(':') < 0 ? name : "[" + name + "]");
    }

    /** {@return the node GUID in host order; see ibv_get_device_guid(3)} */
    public long nodeGuid() {
        return device.nodeGuid();
    }

    /**
     * Opens the device; see ibv_open_device(3).
     *
     * @return a context independent of all others
     * @throws VerbsException if the device cannot be opened
     * @throws IllegalArgumentException if a system property that puts a layer before devices is malformed, see
     *             {@link #open(DeviceLayer...)}; the message gives the grammar
     */
    public RdmaContext open() {
        return open(new DeviceLayer[0]);
    }

    /**
     * Opens the device with layers between it and the program: {@link io.jverbs.fault.FaultInjection},
     * {@link io.jverbs.strict.StrictMode}. Those that the system properties {@code jverbs.fault} and {@code jverbs.strict} ask
     * for are there too, unless one of the same kind is given here. The order in which they are given does not matter: fault
     * injection stands before the device, strict mode before both and watches the program.
     *
     * @param layers the layers; without any, and without those properties, operations go to the device itself
     * @return a context independent of all others; {@link RdmaContext#capability} finds its layers
     * @throws VerbsException if the device cannot be opened
     * @throws IllegalArgumentException if one of the properties is malformed, or a layer asks what the device cannot do
     */
    public RdmaContext open(DeviceLayer... layers) {
        Layers all = Layers.of(layers);
        return new RdmaContext(this, all, all.open(device));
    }

    /**
     * Looks up what this device can do beyond verbs: interfaces of {@code io.jverbs.control}.
     *
     * @param <T> the capability's type
     * @param type the capability's interface
     * @return the capability, or empty where the device lacks it
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
