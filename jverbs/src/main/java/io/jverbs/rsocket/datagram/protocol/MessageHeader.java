package io.jverbs.rsocket.datagram.protocol;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * The header of a message, {@code struct ds_header}: the address and port of its sender. The package description of
 * {@code io.jverbs.rsocket.datagram} has the fields. A message is read in place, from a buffer in network byte order.
 * An IPv4 address is read as the two halves of an IPv4-mapped address.
 */
public final class MessageHeader {
    /** The number of bytes if the address is IPv4. */
    public static final int IPV4_BYTES = 8;
    /** The number of bytes if the address is IPv6. */
    public static final int IPV6_BYTES = 24;

    private static final int LENGTH = 1;
    private static final int PORT = 2;
    private static final int IPV4_ADDRESS = 4;
    private static final int IPV6_ADDRESS = 8;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int IPV6_ADDRESS_BYTES = 16;

    private MessageHeader() {}

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
     * @param sender the address and port of the sender
     */
    public static byte[] encode(InetSocketAddress sender) {
        boolean isIpv4 = sender.getAddress() instanceof Inet4Address;
        int length = bytes(sender.getAddress());
        ByteBuffer header = ByteBuffer.allocate(length);
        header.put((byte) (isIpv4 ? IPV4 : IPV6)).put((byte) length).putShort((short) sender.getPort());
        header.position(isIpv4 ? IPV4_ADDRESS : IPV6_ADDRESS).put(sender.getAddress().getAddress());
        return header.array();
    }

    /**
     * {@return whether a message has a header that an rsocket sends, with a port that can be replied to}
     *
     * @param messages the buffer
     * @param at where the message begins
     * @param length the number of bytes of the message
     */
    public static boolean isValid(ByteBuffer messages, int at, int length) {
        if (length < IPV4_BYTES || port(messages, at) == 0) {
            return false;
        }
        int version = messages.get(at);
        int own = length(messages, at);
        return version == IPV4 && own == IPV4_BYTES || version == IPV6 && own == IPV6_BYTES && length >= IPV6_BYTES;
    }

    /**
     * {@return the number of bytes of the header of a message}
     *
     * @param messages the buffer
     * @param at where the message begins
     */
    public static int length(ByteBuffer messages, int at) {
        return Byte.toUnsignedInt(messages.get(at + LENGTH));
    }

    /**
     * {@return the port of the sender}
     *
     * @param messages the buffer
     * @param at where the message begins
     */
    public static int port(ByteBuffer messages, int at) {
        return Short.toUnsignedInt(messages.getShort(at + PORT));
    }

    /**
     * {@return the upper half of the address of the sender}
     *
     * @param messages the buffer
     * @param at where the message begins, which is valid
     */
    public static long addressHigh(ByteBuffer messages, int at) {
        return messages.get(at) == IPV4 ? 0 : messages.getLong(at + IPV6_ADDRESS);
    }

    /**
     * {@return the lower half of the address of the sender}
     *
     * @param messages the buffer
     * @param at where the message begins, which is valid
     */
    public static long addressLow(ByteBuffer messages, int at) {
        return messages.get(at) == IPV4
                ? ReceivedGrh.mapped(messages.getInt(at + IPV4_ADDRESS))
                : messages.getLong(at + IPV6_ADDRESS + Long.BYTES);
    }

    /**
     * {@return the address and port of the sender, as a new object}
     *
     * @param messages the buffer
     * @param at where the message begins, which is valid
     */
    public static InetSocketAddress sender(ByteBuffer messages, int at) {
        byte[] address = new byte[messages.get(at) == IPV4 ? Integer.BYTES : IPV6_ADDRESS_BYTES];
        messages.get(at + (address.length == Integer.BYTES ? IPV4_ADDRESS : IPV6_ADDRESS), address);
        try {
            return new InetSocketAddress(InetAddress.getByAddress(address), port(messages, at));
        } catch (UnknownHostException e) {
            throw new AssertionError("the address has 4 or 16 bytes", e);
        }
    }
}
