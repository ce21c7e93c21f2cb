package io.jverbs.spi;

import java.util.Optional;

/** A device that a provider offers. The same device is the same object, or an equal one, in every answer. */
public interface ProviderDevice {

    /** {@return the device's name, unique within its provider} */
    String name();

    /** {@return the node GUID, host order} */
    long nodeGuid();

    /**
     * Opens the device.
     *
     * @return a context of its own, independent of all others
     * @throws io.jverbs.VerbsException if the device cannot be opened
     */
    ContextOps open();

    /**
     * Looks up what the device can do beyond verbs, see {@code io.jverbs.control}.
     *
     * @param <T> the capability's type
     * @param type the capability's interface
     * @return the capability, or empty where the device lacks it
     */
    <T> Optional<T> capability(Class<T> type);
}
