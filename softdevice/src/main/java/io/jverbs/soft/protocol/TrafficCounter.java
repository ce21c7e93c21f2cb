package io.jverbs.soft.protocol;

/** Counts messages, packets and payload bytes. Guarded by the lock of the half of the queue pair that owns it. */
public final class TrafficCounter {
    private long messages;
    private long packets;
    private long bytes;

    public void message() {
        messages++;
    }

    public void packet(long payload) {
        packets++;
        bytes += payload;
    }

    public void packets(int count, long payload) {
        packets += count;
        bytes += payload;
    }

    public Traffic sent() {
        return Traffic.sent(messages, packets, bytes);
    }

    public Traffic received() {
        return Traffic.received(packets, bytes);
    }
}
