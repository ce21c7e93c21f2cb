package io.jverbs.spi;

import java.util.Optional;

/**
 * A device that a provider offers. A provider returns the same object, or an equal one, for the same device each time.
 * Any thread may call any method.
 */
public interface ProviderDevice {

    /** {@return the device's name, unique within its provider} */
    String name();

    /** {@return the node GUID in host byte order} */
    long nodeGuid();

    /**
     * Opens the device; see ibv_open_device(3).
     *
     * @return a new context, independent of all others
     * @throws io.jverbs.VerbsException if the device cannot be opened: with ENODEV if it no longer exists, EACCES or
     *             EPERM without permission, EIO if it was removed
     */
    ContextOps open();

    /**
     * {@return the time of the clock that the waits on this device use, in nanoseconds since an arbitrary origin, as
     * {@link System#nanoTime}} On a simulated network it is the time of the simulation.
     */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Makes the clock of a simulation stop at a time. Such a clock advances from one scheduled event to the next, and
     * would skip the time at which a layer has something to do. A clock that runs in real time ignores the call.
     *
     * @param nanos the delay from now in nanoseconds of {@link #nanoTime}, greater than 0
     */
    default void alarm(long nanos) {
        // a clock in real time
    }

    /**
     * Looks up a capability of the device beyond verbs; see {@code io.jverbs.control}.
     *
     * @param <T> the type of the capability
     * @param type the interface of the capability
     * @return the capability, or empty if the device does not have it
     */
    <T> Optional<T> capability(Class<T> type);
}
