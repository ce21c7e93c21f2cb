package io.jverbs.soft.transport;

/** Counts packets and their payload under a lock that is held anyway. */
final class Tally {
    private long messages;
    private long packets;
    private long bytes;

    void message() {
        messages++;
    }

    void packet(long payload) {
        packets++;
        bytes += payload;
    }

    void packets(int count, long payload) {
        packets += count;
        bytes += payload;
    }

    Traffic sent() {
        return Traffic.sent(messages, packets, bytes);
    }

    Traffic received() {
        return Traffic.received(packets, bytes);
    }
}
