package io.jverbs.rsocket.datagram.protocol;

import java.nio.ByteBuffer;

/**
 * The 40 bytes in front of a received UD message: an IPv6 header, or 20 bytes of no meaning and an IPv4 header (IBTA
 * Annex A17). They are read in place, from a buffer in network byte order.
 */
public final class ReceivedGrh {
    /** The number of bytes. */
    public static final int BYTES = 40;

    private static final int IPV6_SOURCE = 8;
    private static final int IPV4_HEADER = 20;
    private static final int IPV4_SOURCE = IPV4_HEADER + 12;
    private static final int VERSION_SHIFT = 4;
    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final long IPV4_MAPPED = 0xFFFFL << 32;

    private ReceivedGrh() {}

    /** Returns the lower half of the IPv4-mapped address of an IPv4 address. */
    static long mapped(int address) {
        return IPV4_MAPPED | Integer.toUnsignedLong(address);
    }

    private static boolean isIpv6(ByteBuffer messages, int at) {
        return Byte.toUnsignedInt(messages.get(at)) >>> VERSION_SHIFT == IPV6;
    }

    /**
     * {@return whether the packet has come from an address} An address is the two halves of an IPv6 address, or of an
     * IPv4-mapped one.
     *
     * @param messages the buffer
     * @param at where the GRH begins
     * @param high the upper half of the address
     * @param low the lower half of the address
     */
    public static boolean isFrom(ByteBuffer messages, int at, long high, long low) {
        if (isIpv6(messages, at)) {
            return messages.getLong(at + IPV6_SOURCE) == high && messages.getLong(at + IPV6_SOURCE + Long.BYTES) == low;
        }
        return Byte.toUnsignedInt(messages.get(at + IPV4_HEADER)) >>> VERSION_SHIFT == IPV4 && high == 0
                && mapped(messages.getInt(at + IPV4_SOURCE)) == low;
    }
}
