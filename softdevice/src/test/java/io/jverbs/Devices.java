package io.jverbs;

import io.jverbs.spi.ProviderDevice;

/** Opens devices that no provider lists. */
public final class Devices {
    private Devices() {}

    /**
     * Opens a device through the API.
     *
     * @param device what a provider would have made
     */
    public static RdmaContext open(ProviderDevice device) {
        return new RdmaDevice("unlisted", device).open();
    }
}
