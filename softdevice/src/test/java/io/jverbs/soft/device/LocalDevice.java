package io.jverbs.soft.device;

import io.jverbs.Devices;
import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.soft.fabric.LocalFabric;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.SoftPort;
import java.security.SecureRandom;

/** A device within the JVM, on a network of its own, whose port a test may use. */
public final class LocalDevice {
    private final LocalFabric fabric;
    private final SoftDevice device;

    /**
     * @param number the number in the device's name
     * @param network the network
     */
    public LocalDevice(int number, LocalNetwork network) {
        fabric = new LocalFabric(number, network, new SecureRandom());
        device = new SoftDevice(fabric);
    }

    /** {@return a context} */
    public RdmaContext open() {
        return Devices.open(device);
    }

    /** {@return the address} */
    public Gid gid() {
        return fabric.gid();
    }

    /** {@return the port} */
    public SoftPort port() {
        return device.core().port();
    }
}
