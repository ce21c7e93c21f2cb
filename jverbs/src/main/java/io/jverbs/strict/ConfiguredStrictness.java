package io.jverbs.strict;

import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import java.util.Optional;

/** The strict mode that the system property {@value StrictMode#PROPERTY} asks for: each context has its own. */
public final class ConfiguredStrictness implements LayerSource {

    /** For {@link java.util.ServiceLoader}. */
    public ConfiguredStrictness() {
        // nothing is kept
    }

    @Override
    public Optional<DeviceLayer> configured() {
        String value = System.getProperty(StrictMode.PROPERTY, "false");
        return switch (value) {
            case "false" -> Optional.empty();
            case "true" -> Optional.of(StrictMode.reporting());
            case "throw" -> Optional.of(StrictMode.throwing());
            default -> throw new IllegalArgumentException(
                    "system property " + StrictMode.PROPERTY + ": \"" + value + "\" is not " + StrictMode.GRAMMAR);
        };
    }
}
