package io.jverbs.soft.transport;

import io.jverbs.Gid;

/** Where a packet comes from and goes to. Used again for each; not thread-safe. */
public final class Envelope {
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;

    /** Makes one of no packet. */
    public Envelope() {
        // set comes first
    }

    /**
     * Says where a packet comes from and goes to.
     *
     * @param source the sender
     * @param destination the receiver
     */
    public void set(Gid source, Gid destination) {
        sourceHigh = source.high();
        sourceLow = source.low();
        destinationHigh = destination.high();
        destinationLow = destination.low();
    }

    long sourceHigh() {
        return sourceHigh;
    }

    long sourceLow() {
        return sourceLow;
    }

    long destinationHigh() {
        return destinationHigh;
    }

    long destinationLow() {
        return destinationLow;
    }

    /** Whether it comes from a path's destination to its source. */
    boolean isOf(SoftAh path) {
        return path != null && sourceLow == path.destination().low() && sourceHigh == path.destination().high()
                && destinationLow == path.source().low() && destinationHigh == path.source().high();
    }
}
