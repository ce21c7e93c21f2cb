package io.jverbs.control;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * A packet of a {@link SimulatedNetwork}, with its path and fate. Immutable.
 *
 * @param number how many packets were sent before it
 * @param sent when it was sent, by the clock of the network
 * @param arrives when it arrives or has arrived; the same as {@code sent} if it does not arrive
 * @param from the number of the sending device
 * @param to the number of the destination device, -1 if no device has the destination address
 * @param opcode the name of its opcode
 * @param destinationQpn the number of the destination queue pair
 * @param psn its PSN
 * @param bytes its length in bytes, from the BTH to the ICRC
 * @param fate what happened to it
 * @param copy whether it is the second copy of a packet that the network duplicated
 * @param heldBack whether it was delayed so that later packets overtake it
 * @param flippedBits how many of its bits were inverted
 */
public record SimulatedPacket(long number, Duration sent, Duration arrives, int from, int to, String opcode,
        int destinationQpn, int psn, int bytes, Fate fate, boolean copy, boolean heldBack, int flippedBits) {

    /** Rejects null. */
    public SimulatedPacket {
        Objects.requireNonNull(sent, "sent");
        Objects.requireNonNull(arrives, "arrives");
        Objects.requireNonNull(opcode, "opcode");
        Objects.requireNonNull(fate, "fate");
    }

    /** What happens to a packet. */
    public enum Fate {
        /** It is in flight. */
        IN_FLIGHT,
        /** It arrived at the port of the device. */
        ARRIVED,
        /** It was lost at random. */
        LOST,
        /** It was lost in a burst of losses. */
        LOST_IN_BURST,
        /** The network was partitioned when it was sent or would have arrived. */
        PARTITIONED,
        /** It was longer than the MTU of the link. */
        TOO_LONG,
        /**
         * The port of the sender was down when it was sent, or the source address was no longer in the sender's GID
         * table; or the port of the receiver was down when it would have arrived.
         */
        PORT_DOWN,
        /** No device had the destination address when it was sent, or when it would have arrived. */
        NO_DESTINATION,
        /** The queue of the switch for the link to its destination had no room for it. */
        QUEUE_FULL
    }

    /** {@return a description of the packet in one line} */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "#%d %.3f us sim%d -> %s %s qp 0x%06x psn %d, %d bytes: ",
                        number, sent.toNanos() / 1e3, from, to < 0 ? "no device" : "sim" + to, opcode, destinationQpn,
                        psn, bytes));
        line.append(fate.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        if (fate == Fate.ARRIVED || fate == Fate.IN_FLIGHT) {
            line.append(String.format(Locale.ROOT, " at %.3f us", arrives.toNanos() / 1e3));
        }
        if (copy) {
            line.append(", a copy");
        }
        if (heldBack) {
            line.append(", held back");
        }
        if (flippedBits != 0) {
            line.append(", ").append(flippedBits).append(" bits inverted");
        }
        return line.toString();
    }
}
