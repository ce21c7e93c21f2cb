package io.jverbs.control;

import java.time.Duration;
import java.util.Locale;

/**
 * A packet of a {@link SimulatedNetwork}, and what became of it.
 *
 * @param number how many were sent before it
 * @param sent when it was sent, by the network's clock
 * @param arrives when it arrives or arrived; when it was sent, if it does not
 * @param from the number of the device that sent it
 * @param to the number of the device that it is for, -1 if nobody has its address
 * @param opcode the name of its opcode
 * @param destinationQpn the queue pair that it is for
 * @param psn its PSN
 * @param bytes its length from the BTH to the ICRC
 * @param fate what became of it
 * @param copy whether it is the second of two that the network made of one
 * @param heldBack whether it was held back so that others overtake it
 * @param flippedBits how many of its bits were inverted
 */
public record SimulatedPacket(long number, Duration sent, Duration arrives, int from, int to, String opcode,
        int destinationQpn, int psn, int bytes, Fate fate, boolean copy, boolean heldBack, int flippedBits) {

    /** What becomes of a packet. */
    public enum Fate {
        /** It has not arrived yet. */
        UNDER_WAY,
        /** It came to the device's port. */
        ARRIVED,
        /** It was lost by chance. */
        LOST,
        /** It was lost in a burst. */
        LOST_IN_BURST,
        /** There was a partition when it was sent or would have arrived. */
        PARTITIONED,
        /** It was longer than the MTU of the link. */
        TOO_LONG,
        /** The sender's cable was pulled when it was sent, or the receiver's when it would have arrived. */
        NO_CABLE,
        /** Nobody has the address that it is for, or had it no more when it would have arrived. */
        NOBODY_THERE
    }

    /** {@return the packet in one line} */
    @Override
    public String toString() {
        StringBuilder line = new StringBuilder(
                String.format(Locale.ROOT, "#%d %.3f us sim%d -> %s %s qp 0x%06x psn %d, %d bytes: ",
                        number, sent.toNanos() / 1e3, from, to < 0 ? "nobody" : "sim" + to, opcode, destinationQpn, psn,
                        bytes));
        line.append(fate.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        if (fate == Fate.ARRIVED || fate == Fate.UNDER_WAY) {
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
