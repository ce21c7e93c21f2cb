package io.jverbs.samples.tour;

import io.jverbs.RdmaDevice;

/** Both ends: the left one begins every operation. */
record Sides(Side left, Side right) implements AutoCloseable {

    static Sides open(RdmaDevice device) {
        NetworkFaults faults = new NetworkFaults(device);
        Side left = new Side(device.open(), faults);
        try {
            return new Sides(left, new Side(device.open(), faults));
        } catch (RuntimeException e) {
            left.close();
            throw e;
        }
    }

    /** {@return the longest message that the port takes, as far as an int can count} */
    int largestMessage() {
        return (int) Math.min(Integer.MAX_VALUE, left.port().maxMessageSize());
    }

    /** {@return the largest datagram that the port takes} */
    int largestDatagram() {
        return left.port().activeMtu().bytes();
    }

    @Override
    public void close() {
        try (left) {
            right.close();
        }
    }
}
