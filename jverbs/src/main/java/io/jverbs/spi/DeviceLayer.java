package io.jverbs.spi;

/**
 * A layer between the API and the context of a device, for instance fault injection or checks. It passes the handles of
 * the device on unchanged. A program gives layers to {@link io.jverbs.RdmaDevice#open(DeviceLayer...)}; a {@link
 * LayerSource} adds those that system properties enable. Without layers, the API calls the context of the device
 * directly.
 *
 * <p>
 * The context that a layer makes extends {@link ForwardingContext}, so that it forwards operations that a later {@link
 * VerbsProvider#SPI_VERSION} adds.
 */
public interface DeviceLayer {
    /** The {@link #position()} of layers that act in place of the device: other layers see them as the device. */
    int DEVICE = 100;
    /** The {@link #position()} of layers that observe the program, above all layers that act as the device. */
    int PROGRAM = 200;

    /** {@return the position among the layers of a context; a layer with a lower position is nearer to the device} */
    int position();

    /**
     * Wraps a context that was just opened. Called once for each context, before the API uses it.
     *
     * @param device the device on which the context was opened, for its capabilities
     * @param inner the context of the device, or the one that the layer below returned
     * @return the context that the API, or the layer above, calls instead
     * @throws RuntimeException if the layer cannot work on this device; the message says why. The device is closed then
     */
    ContextOps wrap(ProviderDevice device, ContextOps inner);
}
