package io.jverbs.soft.fabric;

import io.jverbs.spi.DeviceSelector;
import io.jverbs.spi.SystemProperties;
import java.util.Comparator;

/**
 * A type of fabrics: the form of the selectors of its devices, and the fabrics that they select. The provider asks each
 * type in turn. Thread-safe.
 */
public interface FabricType {
    /** Where selectors are described, for messages. */
    String SEE = SystemProperties.see(SystemProperties.DEVICE);

    /** {@return the form of the selectors, and what they select} For messages. */
    String grammar();

    /**
     * {@return whether a selector is for this type}
     *
     * @param target the target of the selector, empty if it has none
     */
    boolean accepts(String target);

    /**
     * Finds out what a selector selects.
     *
     * @param selector a selector that {@link #accepts} returned true for
     * @return what it selects
     * @throws IllegalArgumentException if the selector is malformed or has an option that is not allowed
     * @throws io.jverbs.VerbsException if there is no such device, or its network exists with other options
     */
    Selection select(DeviceSelector selector);

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

    /** What a selector selects: a device, which exists or can be created. */
    interface Selection {

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
