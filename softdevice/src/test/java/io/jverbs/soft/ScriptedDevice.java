package io.jverbs.soft;

import io.jverbs.Devices;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.RdmaContext;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.ScriptedWire;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.transport.Timers;
import java.util.random.RandomGenerator;

/** A device with an address of which a test is network, clock and source of randomness: each run is as the one before. */
public final class ScriptedDevice {
    private final ScriptedWire wire;
    private final SoftDevice device;

    /**
     * @param gid its address
     * @param timers its clock
     * @param random draws keys and the first queue pair number
     * @param sink told of each packet that it sends
     */
    public ScriptedDevice(Gid gid, Timers timers, RandomGenerator random, ScriptedWire.Sink sink) {
        LocalNetwork network = new LocalNetwork(timers);
        wire = new ScriptedWire(gid, network, sink);
        device = new SoftDevice(wire.wire(), Mtu.MTU_4096, network, random);
    }

    /** {@return a context} */
    public RdmaContext open() {
        return Devices.open(device);
    }

    /** {@return what packets come and go through} */
    public ScriptedWire wire() {
        return wire;
    }

    /** {@return its port, which counts} */
    public SoftPort port() {
        return device.port();
    }
}
