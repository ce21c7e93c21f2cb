package io.jverbs.control;

/**
 * Takes a device away from under the programs that use it, as pulling an adapter out does. Safe for use by many
 * threads.
 */
public interface DeviceRemoval {

    /**
     * Removes the device for good. Every open context gets {@link io.jverbs.AsyncEventType#DEVICE_FATAL}; from then on
     * verbs fail with EIO, while closing still works. No effect the second time.
     */
    void remove();

    /** {@return whether the device was removed} */
    boolean removed();
}
