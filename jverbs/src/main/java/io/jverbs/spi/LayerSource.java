package io.jverbs.spi;

import java.util.Optional;

/**
 * A source of layers that a system property enables. It is found by {@link java.util.ServiceLoader}. The API asks each
 * source once for each context that is opened, on the thread that opens it; a program that gives a layer of the same
 * class itself gets only its own.
 */
public interface LayerSource {

    /**
     * {@return a new layer for a context that is about to be opened, empty if the property does not ask for one}
     *
     * @throws IllegalArgumentException if the property is malformed; the message names the malformed part and the
     * grammar
     */
    Optional<DeviceLayer> configured();
}
