package io.jverbs.samples.tour.operation;

import io.jverbs.RdmaDevice;

/** Both sides of the connections. The left side starts every operation. */
public record Sides(Side left, Side right) implements AutoCloseable {

    public static Sides open(RdmaDevice device) {
        NetworkFaults faults = new NetworkFaults(device);
        Side left = new Side(device.open(), faults);
        try {
            return new Sides(left, new Side(device.open(), faults));
        } catch (RuntimeException e) {
            left.close();
            throw e;
        }
    }

    /** {@return the maximum message size of the port, at most {@link Integer#MAX_VALUE}} */
    public int largestMessage() {
        return (int) Math.min(Integer.MAX_VALUE, left.port().maxMessageSize());
    }

    /** {@return the maximum size of a datagram: the active MTU} */
    public int largestDatagram() {
        return left.port().activeMtu().bytes();
    }

    @Override
    public void close() {
        try (left) {
            right.close();
        }
    }
}
