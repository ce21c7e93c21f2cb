package io.jverbs.soft.device;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.SystemProperties;
import java.util.List;

/**
 * The software devices of one kind of fabric: what their selectors look like, which of them exist, and how they are
 * created. The provider asks each source in turn. Thread-safe.
 */
public interface DeviceSource {
    /** Where selectors are described, for messages. */
    String SEE = SystemProperties.see(SystemProperties.DEVICE);

    /** {@return the form of the selectors, and what they select} For messages. */
    String grammar();

    /**
     * {@return whether a selector is for this source}
     *
     * @param target the target of the selector, empty if it has none
     */
    boolean accepts(String target);

    /**
     * Finds or creates the device that a selector names.
     *
     * @param selector a selector that {@link #accepts} returned true for
     * @return the device
     * @throws IllegalArgumentException if the selector is malformed or has an option that is not allowed
     * @throws io.jverbs.VerbsException if the device cannot be created
     */
    SoftDevice device(DeviceSelector selector);

    /** {@return the devices that exist and were not removed} */
    List<SoftDevice> devices();
}
