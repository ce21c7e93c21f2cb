package io.jverbs.soft.protocol;

import io.jverbs.Gid;

/** The source and destination GID of a packet. One object is used again for each packet; it is not thread-safe. */
public final class PacketAddresses {
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;

    /** Makes an object without addresses. */
    public PacketAddresses() {
        // set() is called before use
    }

    /**
     * Sets the addresses of a packet.
     *
     * @param source the sender's GID
     * @param destination the receiver's GID
     */
    public void set(Gid source, Gid destination) {
        sourceHigh = source.high();
        sourceLow = source.low();
        destinationHigh = destination.high();
        destinationLow = destination.low();
    }

    public long sourceHigh() {
        return sourceHigh;
    }

    public long sourceLow() {
        return sourceLow;
    }

    /** {@return the upper half of the receiver's GID} */
    public long destinationHigh() {
        return destinationHigh;
    }

    /** {@return the lower half of the receiver's GID} */
    public long destinationLow() {
        return destinationLow;
    }

    /**
     * {@return whether a packet has these addresses}
     *
     * @param source the sender's GID
     * @param destination the receiver's GID
     */
    public boolean are(Gid source, Gid destination) {
        return sourceLow == source.low() && sourceHigh == source.high() && destinationLow == destination.low()
                && destinationHigh == destination.high();
    }
}
