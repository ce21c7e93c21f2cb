package io.jverbs.strict;

import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.SystemProperties;
import java.util.Optional;

/** Creates the strict mode that the system property {@value StrictMode#PROPERTY} requests, one for each context. */
public final class StrictModeSource implements LayerSource {

    /** Called by {@link java.util.ServiceLoader}. */
    public StrictModeSource() {
        // no state
    }

    @Override
    public Optional<DeviceLayer> configured() {
        String value = System.getProperty(StrictMode.PROPERTY, "false");
        return switch (value) {
            case "false" -> Optional.empty();
            case "true" -> Optional.of(StrictMode.reporting());
            case "throw" -> Optional.of(StrictMode.throwing());
            default -> throw new IllegalArgumentException(
                    SystemProperties.refusal(StrictMode.PROPERTY, value, StrictMode.GRAMMAR));
        };
    }
}
