package io.jverbs.fault;

import io.jverbs.control.CmMessageFaults;
import io.jverbs.control.PacketLoss;
import io.jverbs.spi.ProviderDevice;
import java.util.function.IntPredicate;

/**
 * The faults of what arrives at the device of a context: packets for its queue pairs, and messages of the connection
 * manager. The rules are only evaluated while there are such. Thread-safe.
 */
final class ArrivalFaults {
    private final ProviderDevice device;
    private final IntPredicate packets;
    private final CmMessageFaults.Filter messages;
    private PacketLoss packetLoss;
    private CmMessageFaults messageFaults;

    /**
     * Creates the faults without evaluating anything.
     *
     * @param packets gets the number of a queue pair, and returns whether a packet for it is lost
     * @param messages decides what happens to a message of the connection manager
     */
    ArrivalFaults(ProviderDevice device, IntPredicate packets, CmMessageFaults.Filter messages) {
        this.device = device;
        this.packets = packets;
        this.messages = messages;
    }

    /** Starts to evaluate the rules of a target. Throws IllegalArgumentException if the device has no such faults. */
    synchronized void start(FaultTarget target) {
        if (target == FaultTarget.PACKET && packetLoss == null) {
            PacketLoss made = capability(PacketLoss.class, "lose", "packet loss");
            made.add(packets);
            packetLoss = made;
        } else if (target == FaultTarget.MESSAGE && messageFaults == null) {
            CmMessageFaults made = capability(CmMessageFaults.class, "lose-message or delay-message",
                    "faults of messages of the connection manager");
            made.add(messages);
            messageFaults = made;
        }
    }

    private <T> T capability(Class<T> type, String rule, String what) {
        return device.capability(type).orElseThrow(() -> new IllegalArgumentException("fault rule \"" + rule
                + "\": device " + device.name() + " does not support " + what + "; only software devices do"));
    }

    /** Ends what {@link #start} has started. */
    synchronized void stop() {
        if (packetLoss != null) {
            packetLoss.remove(packets);
            packetLoss = null;
        }
        if (messageFaults != null) {
            messageFaults.remove(messages);
            messageFaults = null;
        }
    }
}
