package io.jverbs.rsocket.datagram;

import io.jverbs.Gid;
import io.jverbs.rsocket.datagram.protocol.MessageHeader;
import io.jverbs.rsocket.datagram.protocol.ReceivedGrh;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * Decides which messages the program gets, and who their senders are. The object of a sender is created once, and kept
 * until another sender takes its place. The lock of the socket guards it.
 */
final class MessageFilter {
    private static final int SENDERS = 256;
    private static final int HASH_FACTOR = 31;
    private static final int HIGH_BITS = 16;

    private final InetSocketAddress[] senders = new InetSocketAddress[SENDERS];
    private final long[] highs = new long[SENDERS];
    private final long[] lows = new long[SENDERS];
    /** The only sender whose messages the program gets; null for all. */
    private InetSocketAddress only;
    private long onlyHigh;
    private long onlyLow;

    /** Sets the only sender; null for all. */
    void only(InetSocketAddress sender) {
        if (sender != null) {
            Gid gid = Gid.ofAddress(sender.getAddress());
            onlyHigh = gid.high();
            onlyLow = gid.low();
        }
        only = sender;
    }

    /**
     * Returns why a received message is dropped, or null.
     *
     * @param messages the receive slots
     * @param grh where the GRH is; the message follows it
     * @param length the number of bytes of the message
     * @param isForwarded whether this side has forwarded the message, so that its header has another address
     */
    Counter check(ByteBuffer messages, int grh, int length, boolean isForwarded) {
        int at = grh + ReceivedGrh.BYTES;
        if (!MessageHeader.isValid(messages, at, length)) {
            return Counter.DROPPED_HEADERS;
        }
        long high = MessageHeader.addressHigh(messages, at);
        long low = MessageHeader.addressLow(messages, at);
        if (!isForwarded && !ReceivedGrh.isFrom(messages, grh, high, low)) {
            return Counter.DROPPED_ADDRESSES;
        }
        boolean isStranger = only != null
                && (high != onlyHigh || low != onlyLow || MessageHeader.port(messages, at) != only.getPort());
        return isStranger ? Counter.DROPPED_STRANGERS : null;
    }

    /** Returns the sender of a message that was not dropped. */
    InetSocketAddress sender(ByteBuffer messages, int at) {
        long high = MessageHeader.addressHigh(messages, at);
        long low = MessageHeader.addressLow(messages, at);
        int port = MessageHeader.port(messages, at);
        long mixed = (high * HASH_FACTOR + low) * HASH_FACTOR + port;
        int index = (int) (mixed ^ mixed >>> HIGH_BITS) & SENDERS - 1;
        InetSocketAddress sender = senders[index];
        if (sender == null || highs[index] != high || lows[index] != low || sender.getPort() != port) {
            sender = MessageHeader.sender(messages, at);
            senders[index] = null;
            highs[index] = high;
            lows[index] = low;
            senders[index] = sender;
        }
        return sender;
    }
}
