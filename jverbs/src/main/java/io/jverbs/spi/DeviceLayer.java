package io.jverbs.spi;

/**
 * Something that stands between the API and an open device and interposes what it likes: fault injection, checks. It hands
 * the handles of the device on as they are. A program gives layers to {@link io.jverbs.RdmaDevice#open(DeviceLayer...)}; a
 * {@link LayerSource} gives those that system properties switch on. Without any, the API calls the device itself. A layer's context
 * extends {@link ForwardingContext}: what a later {@link VerbsProvider#SPI_VERSION} adds it hands on.
 */
public interface DeviceLayer {
    /** The {@link #position()} of what acts in the device's place, so that other layers take it for the device. */
    int DEVICE = 100;
    /** The {@link #position()} of what watches the program, whatever is below. */
    int PROGRAM = 200;

    /** {@return its place among the layers of a context: a lower one is nearer to the device} */
    int position();

    /**
     * Wraps a context that was just opened.
     *
     * @param device the device that it is open on, for what the device can do beyond verbs
     * @param inner the context, or what another layer made of it
     * @return what the API is to call in its place
     * @throws RuntimeException if the layer cannot work on this device; the message says why, and the device is closed again
     */
    ContextOps wrap(ProviderDevice device, ContextOps inner);
}
