package io.jverbs.fault;

import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import java.util.Optional;

/** The faults that the system property {@value FaultInjection#PROPERTY} asks for: each context has its own, counted from its opening. */
public final class ConfiguredFaults implements LayerSource {

    /** For {@link java.util.ServiceLoader}. */
    public ConfiguredFaults() {
        // nothing is kept
    }

    @Override
    public Optional<DeviceLayer> configured() {
        String text = System.getProperty(FaultInjection.PROPERTY);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(FaultInjection.parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("system property " + FaultInjection.PROPERTY + ": " + e.getMessage(), e);
        }
    }
}
