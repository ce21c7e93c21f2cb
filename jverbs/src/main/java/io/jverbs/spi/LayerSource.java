package io.jverbs.spi;

import java.util.Optional;

/** Gives a layer to every context that is opened while a system property asks for it; found by {@link java.util.ServiceLoader}. */
public interface LayerSource {

    /**
     * {@return the layer for a context that is about to be opened, empty if none is asked for}
     *
     * @throws IllegalArgumentException if the property is malformed; the message names the offending part and the grammar
     */
    Optional<DeviceLayer> configured();
}
