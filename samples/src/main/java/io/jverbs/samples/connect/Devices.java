package io.jverbs.samples.connect;

import io.jverbs.RdmaDevice;
import io.jverbs.Verbs;

/** Finds the device that an option {@code --ib-dev} names. */
public final class Devices {
    private Devices() {}

    /**
     * Finds a device. A name without a colon is that of a listed device, otherwise one for libibverbs to find.
     *
     * @param wanted a device's name or a selector, null for the device that the system property names
     * @return the device
     * @throws io.jverbs.VerbsException if it is not there
     * @throws IllegalArgumentException if the selector is none
     */
    public static RdmaDevice find(String wanted) {
        if (wanted == null) {
            return Verbs.select();
        }
        if (wanted.indexOf(':') >= 0) {
            return Verbs.select(wanted);
        }
        return Verbs.devices().stream().filter(device -> device.name().equals(wanted)).findFirst()
                .orElseGet(() -> Verbs.select("native:" + wanted));
    }
}
