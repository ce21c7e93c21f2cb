package io.jverbs.samples.connect;

import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;

/** Finds the device that the option {@code --ib-dev} names. */
public final class Devices {
    /** The option of {@link #find}. */
    private static final String IB_DEV = "--ib-dev";

    private Devices() {}

    /**
     * Finds a device. A name without a colon is the name of a listed device or, if no device of that name is listed, of
     * a device of libibverbs.
     *
     * @param wanted the name of a device or a selector; null for the device that the system property selects
     * @return the device
     * @throws io.jverbs.VerbsException if there is no such device
     * @throws IllegalArgumentException if the selector is malformed
     */
    public static RdmaDevice find(String wanted) {
        if (wanted == null) {
            return Verbs.select();
        }
        if (wanted.indexOf(':') >= 0) {
            return select(IB_DEV, wanted);
        }
        return Verbs.devices().stream().filter(device -> device.name().equals(wanted)).findFirst()
                .orElseGet(() -> select(IB_DEV, "native:" + wanted));
    }

    /**
     * Selects a device.
     *
     * @param option the name of the option, for errors
     * @param selector the selector that the option gives
     * @return the device
     * @throws io.jverbs.VerbsException if there is no such device
     * @throws IllegalArgumentException if the selector is malformed; the message begins with the name of the option
     */
    public static RdmaDevice select(String option, String selector) {
        try {
            return Verbs.select(selector);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
        }
    }
}
