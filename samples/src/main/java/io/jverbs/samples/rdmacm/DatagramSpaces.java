package io.jverbs.samples.rdmacm;

import io.jverbs.cm.PortSpace;
import io.jverbs.samples.connect.Numbers;

/** The port spaces of datagrams, which options give as numbers. */
final class DatagramSpaces {
    private DatagramSpaces() {}

    static PortSpace ofNumber(String option, String text) {
        int number = Numbers.read(option, text, PortSpace.IPOIB.code(), PortSpace.UDP.code());
        if (number == PortSpace.UDP.code()) {
            return PortSpace.UDP;
        }
        if (number == PortSpace.IPOIB.code()) {
            return PortSpace.IPOIB;
        }
        throw new IllegalArgumentException(option + " " + text + " is not a port space; allowed are 0x111 for UDP and"
                + " 0x2 for IPOIB");
    }
}
