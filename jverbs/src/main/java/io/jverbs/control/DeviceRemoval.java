package io.jverbs.control;

/**
 * Removes a device while programs use it, as hot-unplugging an adapter does. Thread-safe.
 *
 * {@snippet :
 * device.capability(DeviceRemoval.class).orElseThrow().remove();
 * try (AsyncEvent event = context.awaitAsyncEvent(Duration.ofSeconds(1))) {
 *     assertEquals(AsyncEventType.DEVICE_FATAL, event.type());
 * }
 * }
 */
public interface DeviceRemoval {

    /**
     * Removes the device permanently. Every open context gets {@link io.jverbs.AsyncEventType#DEVICE_FATAL}. From then
     * on verbs fail with EIO, but objects can still be closed. Further calls have no effect.
     */
    void remove();

    /** {@return whether the device was removed} */
    boolean removed();
}
