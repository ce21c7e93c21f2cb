package io.jverbs.soft.transport;

/**
 * What a queue pair has sent and received. Within the JVM, packets are those that messages stand for, without acknowledgements.
 *
 * @param sentMessages requests carried out
 * @param sentPackets packets of requests and of answers, those sent again too
 * @param sentBytes their payload
 * @param receivedPackets packets of requests and of answers that were taken
 * @param receivedBytes their payload
 */
public record Traffic(long sentMessages, long sentPackets, long sentBytes, long receivedPackets, long receivedBytes) {
    /** None. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

    /**
     * {@return the sum}
     *
     * @param other what is added
     */
    public Traffic plus(Traffic other) {
        return new Traffic(sentMessages + other.sentMessages, sentPackets + other.sentPackets,
                sentBytes + other.sentBytes, receivedPackets + other.receivedPackets,
                receivedBytes + other.receivedBytes);
    }

    static Traffic sent(long messages, long packets, long bytes) {
        return new Traffic(messages, packets, bytes, 0, 0);
    }

    static Traffic received(long packets, long bytes) {
        return new Traffic(0, 0, 0, packets, bytes);
    }
}
