package io.jverbs.soft.fabric;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.SystemProperties;
import java.util.Comparator;

/**
 * A type of fabrics: the form of the selectors of its devices, and the creation of their fabrics.
 * {@link FabricChooser} chooses the type for a selector. Thread-safe.
 */
public interface FabricType {
    /** Where selectors are described, for messages. */
    String SEE = SystemProperties.see(SystemProperties.DEVICE);

    /** {@return the form of the selectors, and the devices that they name} For messages. */
    String grammar();

    /**
     * {@return whether a selector is for this type}
     *
     * @param target the target of the selector, empty if it has none
     */
    boolean accepts(String target);

    /**
     * Resolves a selector to a device of this type.
     *
     * @param selector a selector that {@link #accepts} returned true for
     * @return the device
     * @throws IllegalArgumentException if the selector is malformed or has an option that is not allowed
     * @throws io.jverbs.VerbsException if there is no such device, or its network exists with other options
     */
    ResolvedDevice resolve(DeviceSelector selector);

    /**
     * Identifies a device among those of a type. Devices are listed in the order of their keys.
     *
     * @param network the network or the address of the device
     * @param number the number of the device on this network
     */
    record Key(String network, int number) implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.comparing(Key::network).thenComparingInt(Key::number);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    /** A device that a selector names. It exists or can be created. */
    interface ResolvedDevice {

        /** {@return what identifies the device} */
        Key key();

        /**
         * Creates the fabric of a new device.
         *
         * @return the fabric
         * @throws io.jverbs.VerbsException if it cannot be created
         */
        Fabric open();

        /**
         * Checks that the device may be selected like this. By default it may.
         *
         * @param present the fabric of the device, which exists
         * @throws io.jverbs.VerbsException with EBUSY if it was selected with other options
         */
        default void check(Fabric present) {
            // the selector has no options that could differ
        }
    }
}
