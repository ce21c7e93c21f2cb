package io.jverbs.samples.tour;

import io.jverbs.RdmaDevice;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.control.SimulatedPacket;
import io.jverbs.control.SimulatedPacket.Fate;

/** What a simulated network does to packets, so that what is unreliable may fail. Other devices show no faults. For one thread. */
final class NetworkFaults {
    /** Null if the device is on no simulated network. */
    private final SimulatedNetwork network;
    private long before;

    NetworkFaults(RdmaDevice device) {
        network = device.capability(SimulatedNetwork.class).orElse(null);
    }

    /** Forgets what has happened so far. */
    void begin() {
        before = network == null ? 0 : network.packetCount();
    }

    /** {@return whether a packet did not arrive since, or not as it was sent} */
    boolean happened() {
        return network != null && network.packetLog().stream().anyMatch(this::isFault);
    }

    private boolean isFault(SimulatedPacket packet) {
        boolean travels = packet.fate() == Fate.ARRIVED || packet.fate() == Fate.UNDER_WAY;
        boolean changed = packet.copy() || packet.heldBack() || packet.flippedBits() != 0;
        return packet.number() >= before && (changed || !travels);
    }
}
