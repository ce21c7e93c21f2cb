package io.jverbs.soft.fabric.udp;

import io.jverbs.Devices;
import io.jverbs.Gid;
import io.jverbs.RdmaContext;
import io.jverbs.soft.device.SoftDevice;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.protocol.Timers;
import java.util.random.RandomGenerator;

/**
 * A device with an address, whose network, clock and source of randomness a test provides, so that all runs are alike.
 */
public final class ScriptedDevice {
    private final ScriptedWire wire;
    private final SoftDevice device;
    private final SoftPort port;

    /**
     * @param gid its address
     * @param timers its clock
     * @param random generates keys and the first queue pair number
     * @param sink called with each packet that the device sends
     */
    public ScriptedDevice(Gid gid, Timers timers, RandomGenerator random, ScriptedWire.Sink sink) {
        LocalNetwork network = new LocalNetwork(timers);
        wire = new ScriptedWire(gid, network, random, sink);
        device = new SoftDevice(wire.wire());
        port = network.port(gid);
    }

    /** {@return a context} */
    public RdmaContext open() {
        return Devices.open(device);
    }

    /** {@return the wire through which the device sends and receives} */
    public ScriptedWire wire() {
        return wire;
    }

    /** {@return the device's port, which has the counters} */
    public SoftPort port() {
        return port;
    }
}
