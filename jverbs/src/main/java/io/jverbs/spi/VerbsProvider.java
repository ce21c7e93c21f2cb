package io.jverbs.spi;

import java.util.List;

/**
 * A source of RDMA devices, found through {@link java.util.ServiceLoader}. Declare it in {@code module-info} with
 * {@code provides} and in {@code META-INF/services} for the class path. Calls may come from any thread.
 */
public interface VerbsProvider {

    /**
     * The version of this SPI. It rises when a method is added or changes its meaning. Layers are not asked for it: one that extends
     * {@link ForwardingContext} hands on what it does not know, so another version of it works as long as what it does know has not changed.
     */
    int SPI_VERSION = 2;

    /** {@return the first part of a selector that names this provider, for instance {@code soft}} */
    String name();

    /** {@return the {@link #SPI_VERSION} that the provider was compiled against; others are refused with a warning} */
    int spiVersion();

    /** {@return the provider's place in the order in which {@code auto} asks, lowest first: hardware 0, software 100} */
    int autoRank();

    /** {@return the devices there are now} */
    List<? extends ProviderDevice> devices();

    /**
     * Finds or makes the device that a selector names.
     *
     * @param selector a selector whose provider is {@link #name()}
     * @return the device
     * @throws IllegalArgumentException if the target or an option is not one of this provider's; the message gives the grammar
     * @throws io.jverbs.VerbsException with ENODEV if there is no such device; the message lists those there are
     */
    ProviderDevice device(DeviceSelector selector);

    /** {@return what {@code auto} gets from this provider} */
    AutoChoice auto();

    /** A provider's answer to {@code auto}. */
    sealed interface AutoChoice {

        /**
         * A device that can carry traffic now.
         *
         * @param device the device
         */
        record Usable(ProviderDevice device) implements AutoChoice {}

        /**
         * There is none.
         *
         * @param reason a clause that completes "provider X was not chosen: ..."
         * @param hardwarePresent whether there is RDMA hardware that cannot be used, which the user should know
         */
        record Unusable(String reason, boolean hardwarePresent) implements AutoChoice {}
    }
}
