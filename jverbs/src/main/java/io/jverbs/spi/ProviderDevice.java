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

    /** {@return the time by the clock that waits on this device go by: nanoseconds since some moment, as {@link System#nanoTime}} */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Has that clock stop at a moment, if it is one that leaps from one thing that happens to the next: for layers, which do
     * something then. A clock that goes by itself need not be told.
     *
     * @param nanos how long from now, greater than 0
     */
    default void alarm(long nanos) {
        // it goes by itself
    }

    /**
     * Looks up what the device can do beyond verbs, see {@code io.jverbs.control}.
     *
     * @param <T> the capability's type
     * @param type the capability's interface
     * @return the capability, or empty where the device lacks it
     */
    <T> Optional<T> capability(Class<T> type);
}
