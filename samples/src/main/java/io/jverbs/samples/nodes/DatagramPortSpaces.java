package io.jverbs.samples.nodes;

import io.jverbs.cm.PortSpace;
import io.jverbs.samples.connect.Numbers;

/** Parses the port space of an option of a program that sends datagrams. */
public final class DatagramPortSpaces {
    private DatagramPortSpaces() {}

    /**
     * Parses the number of a port space.
     *
     * @param text the value of -p: 0x111 for UDP, or 0x2 for IPOIB
     * @return the port space
     * @throws IllegalArgumentException if the text is another number or none; the message names option, value and
     *         numbers
     */
    public static PortSpace ofNumber(String text) {
        int number = Numbers.read("-p", text, PortSpace.IPOIB.code(), PortSpace.UDP.code());
        if (number == PortSpace.UDP.code()) {
            return PortSpace.UDP;
        }
        if (number == PortSpace.IPOIB.code()) {
            return PortSpace.IPOIB;
        }
        throw new IllegalArgumentException("-p " + text + " is not a port space; allowed are 0x111 for UDP and 0x2 for"
                + " IPOIB");
    }
}
