package io.jverbs.fault;

import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.LayerSource;
import io.jverbs.spi.SystemProperties;
import java.util.Optional;

/**
 * Creates the fault injection that the system property {@value FaultInjection#PROPERTY} requests, one for each context.
 * Its rules count operations from the opening of the context.
 */
public final class FaultInjectionSource implements LayerSource {

    /** Called by {@link java.util.ServiceLoader}. */
    public FaultInjectionSource() {
        // no state
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
            throw SystemProperties.named(FaultInjection.PROPERTY, e);
        }
    }
}
