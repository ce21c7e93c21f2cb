package io.jverbs.rsocket.datagram.protocol;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;

/**
 * The header of a UDP datagram, {@code struct ds_udp_header}, in which a side names its queue pair. The package
 * description of {@code io.jverbs.rsocket.datagram} has the fields. A datagram is read in place, from a buffer in
 * network byte order whose position is its first byte.
 */
public final class UdpHeader {
    /** What the tag is. */
    public static final int TAG = 0x5555_5555;
    /** The operation RS_OP_DATA: a message follows, and the receiver names its queue pair. */
    public static final int DATA = 0;
    /** The operation RS_OP_CTRL: nothing else. */
    public static final int CONTROL = 7;
    /** The number of bytes if the addresses are IPv4. */
    public static final int IPV4_BYTES = 16;
    /** The number of bytes if the addresses are IPv6. */
    public static final int IPV6_BYTES = 28;

    private static final int VERSION = 4;
    private static final int OPERATION = 5;
    private static final int LENGTH = 6;
    private static final int QUEUE_PAIR = 8;
    private static final int ADDRESS = 12;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int MAX_QUEUE_PAIR = 0xFF_FFFF;
    private static final int GENERAL_SERVICES = 1;

    private UdpHeader() {}

    /**
     * {@return the number of bytes of the header for an address}
     *
     * @param address the address of either side
     */
    public static int bytes(InetAddress address) {
        return address instanceof Inet4Address ? IPV4_BYTES : IPV6_BYTES;
    }

    /**
     * {@return the header}
     *
     * @param operation {@link #DATA} or {@link #CONTROL}
     * @param queuePair the number of the queue pair of the sender
     * @param local the address of the sender
     */
    public static byte[] encode(int operation, int queuePair, InetAddress local) {
        int length = bytes(local);
        ByteBuffer header = ByteBuffer.allocate(length);
        header.putInt(TAG).put((byte) (local instanceof Inet4Address ? IPV4 : IPV6)).put((byte) operation)
                .put((byte) length).put((byte) 0).putInt(queuePair & MAX_QUEUE_PAIR).put(local.getAddress());
        return header.array();
    }

    /**
     * {@return whether a datagram has a header that an rsocket sends}
     *
     * @param datagram the datagram
     * @param source the address from which it has come: the header must have it
     */
    public static boolean isValid(ByteBuffer datagram, InetAddress source) {
        int start = datagram.position();
        int length = bytes(source);
        return datagram.remaining() >= length && datagram.getInt(start) == TAG
                && datagram.get(start + VERSION) == (source instanceof Inet4Address ? IPV4 : IPV6)
                && Byte.toUnsignedInt(datagram.get(start + LENGTH)) == length
                && (operation(datagram) == DATA || operation(datagram) == CONTROL)
                && queuePair(datagram) > GENERAL_SERVICES && queuePair(datagram) < MAX_QUEUE_PAIR;
    }

    /**
     * {@return whether the header of a valid datagram has the address from which it has come}
     *
     * @param datagram the datagram
     * @param source the address
     */
    public static boolean isFrom(ByteBuffer datagram, InetAddress source) {
        byte[] address = source.getAddress();
        return datagram.slice(datagram.position() + ADDRESS, address.length).equals(ByteBuffer.wrap(address));
    }

    /**
     * {@return the operation of a datagram}
     *
     * @param datagram the datagram
     */
    public static int operation(ByteBuffer datagram) {
        return Byte.toUnsignedInt(datagram.get(datagram.position() + OPERATION));
    }

    /**
     * {@return the number of the queue pair of the sender of a datagram}
     *
     * @param datagram the datagram
     */
    public static int queuePair(ByteBuffer datagram) {
        return datagram.getInt(datagram.position() + QUEUE_PAIR) & MAX_QUEUE_PAIR;
    }
}
