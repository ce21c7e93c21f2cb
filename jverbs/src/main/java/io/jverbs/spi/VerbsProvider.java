package io.jverbs.spi;

import java.util.List;

/**
 * A provider of RDMA devices, found through {@link java.util.ServiceLoader}. Declare it with {@code provides} in {@code
 * module-info} and, for the class path, in {@code META-INF/services}. Any thread may call any method, and several
 * threads may call at the same time.
 */
public interface VerbsProvider {

    /**
     * The version of this SPI. It increases when a method is added or changes its meaning. It does not apply to layers:
     * a layer that extends {@link ForwardingContext} forwards the methods that it does not know, so it works with
     * another version as long as the methods that it overrides have not changed.
     */
    int SPI_VERSION = 3;

    /** {@return the name of the provider, the first part of a selector, for instance {@code soft}} */
    String name();

    /**
     * {@return the {@link #SPI_VERSION} that the provider was compiled against} A provider of another version is
     * ignored, and a warning is logged.
     */
    int spiVersion();

    /**
     * {@return the rank of the provider for the selector {@code auto}, which asks the provider of the lowest rank
     * first: 0 for hardware, 100 for software}
     */
    int autoRank();

    /** {@return the devices that exist now, maybe none} */
    List<? extends ProviderDevice> devices();

    /**
     * Finds or creates the device that a selector names.
     *
     * @param selector a selector whose provider is {@link #name()}
     * @return the device
     * @throws IllegalArgumentException if the provider does not know the target or an option; the message gives the
     * grammar
     * @throws io.jverbs.VerbsException with ENODEV if there is no such device; the message lists those that exist
     */
    ProviderDevice device(DeviceSelector selector);

    /** {@return a device for the selector {@code auto}, or the reason why this provider has none} */
    AutoChoice auto();

    /** The result of {@link #auto()}. */
    sealed interface AutoChoice {

        /**
         * A device that can carry traffic now.
         *
         * @param device the device
         */
        record Usable(ProviderDevice device) implements AutoChoice {}

        /**
         * The provider has no device that can be used.
         *
         * @param reason the reason, a clause that completes "provider X was not chosen: ..."
         * @param hardwarePresent whether there is RDMA hardware that cannot be used; the choice is then logged as a
         *            warning
         */
        record Unusable(String reason, boolean hardwarePresent) implements AutoChoice {}
    }
}
