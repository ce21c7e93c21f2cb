package io.jverbs.samples.tour.operation;

import io.jverbs.RdmaDevice;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;

/**
 * Detects the packet faults of a simulated network, which explain failures of unreliable operations. Reports no faults
 * on other devices. Not thread-safe.
 */
public final class NetworkFaults {
    /** Null if the device is not on a simulated network. */
    private final SimulatedNetwork network;
    private long firstPacket;

    NetworkFaults(RdmaDevice device) {
        network = device.capability(SimulatedNetwork.class).orElse(null);
    }

    /** Ignores all faults up to now. */
    public void begin() {
        firstPacket = network == null ? 0 : network.packetCount();
    }

    /** {@return whether a packet was lost or changed since {@link #begin}} */
    public boolean occurred() {
        return network != null && network.packetLog().stream().anyMatch(this::isFault);
    }

    private boolean isFault(SimulatedPacket packet) {
        boolean delivered = packet.fate() == Fate.ARRIVED || packet.fate() == Fate.IN_FLIGHT;
        boolean changed = packet.copy() || packet.heldBack() || packet.flippedBits() != 0;
        return packet.number() >= firstPacket && (changed || !delivered);
    }
}
