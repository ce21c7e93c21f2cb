package io.jverbs.soft.protocol;

/**
 * The number of messages, packets and bytes that a queue pair has sent and received. Within the JVM, the packets are
 * those that the messages would consist of on the wire, without acknowledgements. Immutable.
 *
 * @param sentMessages the requests that were executed
 * @param sentPackets the request and response packets that were sent, including retransmissions
 * @param sentBytes the payload bytes of those packets
 * @param receivedPackets the request and response packets that were accepted
 * @param receivedBytes the payload bytes of those packets
 */
public record Traffic(long sentMessages, long sentPackets, long sentBytes, long receivedPackets, long receivedBytes) {
    /** No traffic. */
    public static final Traffic NONE = new Traffic(0, 0, 0, 0, 0);

    /**
     * {@return the sum of this and other traffic}
     *
     * @param other the traffic to add
     */
    public Traffic plus(Traffic other) {
        return new Traffic(sentMessages + other.sentMessages, sentPackets + other.sentPackets,
                sentBytes + other.sentBytes, receivedPackets + other.receivedPackets,
                receivedBytes + other.receivedBytes);
    }

    static Traffic sent(long messages, long packets, long bytes) {
        return new Traffic(messages, packets, bytes, 0, 0);
    }

    public static Traffic received(long packets, long bytes) {
        return new Traffic(0, 0, 0, packets, bytes);
    }
}
