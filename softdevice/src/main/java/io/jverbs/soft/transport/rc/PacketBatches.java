package io.jverbs.soft.transport.rc;

/**
 * How many packets the requester of a reliable connection sends together, and which of them request an acknowledgement.
 * Guarded by the requester's lock.
 */
final class PacketBatches {
    /**
     * The number of packets from one that requests an acknowledgement to the next: the maximum if each packet is sent
     * by a system call of its own, the minimum if packets are sent in batches.
     */
    private static final int ACK_EVERY = 16;

    /** Whether one system call can send several packets. */
    private boolean isBatching;
    /** The number of packets to send together, if there are that many. */
    private int batch = 1;
    /** The number of packets from one that requests an acknowledgement to the next. */
    private int ackEvery = ACK_EVERY;

    /**
     * Sets the limits.
     *
     * @param maxBatch the number of packets that one system call can send
     * @param maxWindow the maximum number of packets in flight
     */
    void limit(int maxBatch, int maxWindow) {
        isBatching = maxBatch > 1;
        // one half of the window is acknowledged while the other is in flight
        batch = isBatching ? maxBatch : Math.clamp(maxWindow / 2, 1, ACK_EVERY);
        ackEvery = isBatching ? Math.max(ACK_EVERY, 2 * batch) : batch;
    }

    /**
     * The number of response packets that each request packet of a READ requests. It is a fraction of what the receive
     * buffer of the wire holds, so that another request is in flight while a response arrives, if max_rd_atomic
     * permits. If packets are sent in batches, it is a multiple of the batch size.
     *
     * @param max the number of packets that the receive buffer holds
     */
    int packetsPerReadRequest(int max, int maxRdAtomic) {
        int each = max / Math.clamp(maxRdAtomic, 1, isBatching ? 3 : 2);
        return isBatching ? Math.max(1, each / batch) * batch : each;
    }

    /** Whether one system call can send several packets. */
    boolean areSentTogether() {
        return isBatching;
    }

    /** Whether a packet requests an acknowledgement because of its index within its message. */
    boolean requestsAck(int index) {
        return index % ackEvery == ackEvery - 1;
    }

    /**
     * Whether a window has room for less than a batch, and an acknowledgement was requested that will make room for
     * more packets; these then need only one system call, or at least only one acknowledgement.
     *
     * @param window the size of the window in packets
     * @param inFlight the packets in flight
     * @param wanted the number of packets to send
     */
    boolean isWorthWaiting(int window, int inFlight, int wanted) {
        int room = window - inFlight;
        return room < Math.min(batch, window / 2) && room < wanted && inFlight >= ackEvery;
    }
}
