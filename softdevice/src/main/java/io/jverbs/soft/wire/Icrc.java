package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The invariant CRC (ICRC) that ends a packet: CRC-32 over all that no router changes, from the IP header to the pad
 * (RoCEv2, Annex A17). An object is reused for each packet, by one thread at a time; {@link #setAddresses} sets the
 * addresses of the packets that the calls after it process.
 *
 * <p>
 * The ICRC covers the ID of the IPv4 header, which a program can neither set nor read. Packets are sent with ID 0,
 * which is what Linux assigns to the packets of an unconnected socket that does not fragment. The packets that Linux
 * makes of one segmented message have the IDs 0, 1, 2 and so on. {@link #verify} relies on a CRC being linear: it takes
 * the difference between the received ICRC and the one computed with the expected ID, and runs it back to the position
 * of the ID. The result is the difference of the IDs; if it has more bits than that, the packet is damaged.
 */
public final class Icrc {
    /** The length of the ICRC in bytes. */
    public static final int BYTES = 4;
    /** The result of {@link #verify} if no ID explains the ICRC. */
    public static final int MISMATCH = -1;

    private static final ValueLayout.OfInt LEAST_FIRST = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int MIN_LENGTH = Bth.BYTES;
    private static final int MAX_LENGTH = PacketBuffer.MAX_BYTES - BYTES;
    private static final ReverseCrc REWIND = new ReverseCrc((MaskedHeaders.IPV4_ID_BEFORE_BTH + MAX_LENGTH) / 4);
    /** The difference of the two bytes after the ID between a packet that may be fragmented and one that may not. */
    private static final int MAY_FRAGMENT = 0x40;
    /** The upper 32 bits of the lower half of a GID that holds an IPv4 address. */
    private static final int MAPPED = 0xFFFF;

    private final CRC32 crc = new CRC32();
    private final MaskedHeaders ipv4 = MaskedHeaders.ipv4();
    private final MaskedHeaders ipv6 = MaskedHeaders.ipv6();
    private final HeaderCrcCache headerCrcs = new HeaderCrcCache();
    private MaskedHeaders headers = ipv4;
    private int id;

    /** Creates an ICRC without addresses. */
    public Icrc() {}

    /**
     * {@return whether packets between two GIDs are IPv4} They are if both GIDs are IPv4 addresses, ::ffff:a.b.c.d, or
     * if the destination is an IPv4 multicast group, ff0e::ffff:a.b.c.d or the like. Otherwise they are IPv6.
     *
     * @param sourceGidHigh the upper half of the source GID
     * @param sourceGidLow the lower half of the source GID
     * @param destinationGidHigh the upper half of the destination GID
     * @param destinationGidLow the lower half of the destination GID
     */
    public static boolean isIpv4(long sourceGidHigh, long sourceGidLow, long destinationGidHigh,
            long destinationGidLow) {
        return sourceGidHigh == 0 && sourceGidLow >>> 32 == MAPPED && destinationGidLow >>> 32 == MAPPED
                && (destinationGidHigh == 0 || destinationGidHigh >>> 56 == 0xFF && destinationGidHigh << 16 == 0);
    }

    /**
     * Sets the addresses and ports of the next packets. They are IPv4 if {@link #isIpv4} says so, otherwise IPv6.
     *
     * @param sourceGidHigh the upper half of the source GID
     * @param sourceGidLow the lower half of the source GID
     * @param sourcePort the source UDP port, 16 bits
     * @param destinationGidHigh the upper half of the destination GID
     * @param destinationGidLow the lower half of the destination GID
     * @param destinationPort the destination UDP port, 16 bits
     */
    public void setAddresses(long sourceGidHigh, long sourceGidLow, int sourcePort, long destinationGidHigh,
            long destinationGidLow, int destinationPort) {
        int ports = sourcePort << 16 | destinationPort & 0xFFFF;
        if (!headerCrcs.isFor(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow, ports)) {
            if (isIpv4(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow)) {
                ipv4.ipv4Addresses((int) sourceGidLow, (int) destinationGidLow);
                headers = ipv4;
            } else {
                ipv6.ipv6Addresses(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow);
                headers = ipv6;
            }
            headers.ports(ports);
            headerCrcs.reset(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow, ports);
        }
    }

    /**
     * Sets the ID that the next packets have, or are expected to have, if they are IPv4. It is 0 unless set.
     *
     * @param expected the ID, 16 bits
     */
    public void setIpId(int expected) {
        if (id != expected) {
            id = expected;
            ipv4.ipv4Id(expected);
        }
    }

    /**
     * Appends the ICRC to a packet. The packet's buffer is then ready for a channel: its position is the start of the
     * packet, its limit the end.
     *
     * @param packet the packet
     * @param length the length of the packet so far, including the pad
     * @return the length of the packet including the ICRC
     * @throws IndexOutOfBoundsException if the length is not 12 to 4128 or not a multiple of 4: no packet has such a
     *     length
     */
    public int append(PacketBuffer packet, int length) {
        if (!isValidLength(length)) {
            throw new IndexOutOfBoundsException("a packet cannot have " + length + " bytes before its ICRC: allowed are"
                    + " multiples of 4 from " + MIN_LENGTH + " to " + MAX_LENGTH);
        }
        int start = packet.start();
        packet.segment().set(LEAST_FIRST, start + length, compute(packet, length));
        packet.bytes().limit(start + length + BYTES).position(start);
        return length + BYTES;
    }

    /**
     * Verifies the ICRC of a packet. If the ID is unknown, 15 of the 32 bits remain for detecting errors, so that an
     * arbitrary packet is accepted by chance once in 2^15 times. With ID 0, and in an IPv6 packet, all 32 bits remain.
     *
     * @param packet the packet
     * @param length the length of the packet including the ICRC; any value is allowed
     * @return the ID that explains the ICRC, 0 for an IPv6 packet, or {@link #MISMATCH}
     */
    public int verify(PacketBuffer packet, int length) {
        int covered = length - BYTES;
        if (!isValidLength(covered)) {
            return MISMATCH;
        }
        int difference = packet.segment().get(LEAST_FIRST, packet.start() + covered) ^ compute(packet, covered);
        if (headers == ipv6) {
            return difference == 0 ? 0 : MISMATCH;
        }
        return difference == 0 ? id : otherId(difference, covered);
    }

    private static boolean isValidLength(int length) {
        return length >= MIN_LENGTH && length <= MAX_LENGTH && (length & 3) == 0;
    }

    private int compute(PacketBuffer packet, int length) {
        int start = packet.start();
        if (length > HeaderCrcCache.MAX_LENGTH || (Bth.leading(packet.segment(), start) & Bth.VARIANT_BITS) != 0) {
            return computeWhole(packet, length);
        }
        crc.reset();
        crc.update(packet.bytes().limit(start + length).position(start));
        int own = (int) crc.getValue();
        if (!headerCrcs.has(length, id)) {
            headerCrcs.put(length, id, own ^ computeWhole(packet, length));
        }
        return own ^ headerCrcs.get(length, id);
    }

    private int computeWhole(PacketBuffer packet, int length) {
        int start = packet.start();
        crc.reset();
        crc.update(headers.of(packet.segment(), start, length));
        crc.update(packet.bytes().limit(start + length).position(start + Bth.BYTES));
        return (int) crc.getValue();
    }

    /**
     * Returns the ID that explains a difference of the ICRCs. The four bytes from the ID on, the first the least
     * significant, are the difference to the expected ones.
     */
    private int otherId(int difference, int covered) {
        int bytes = REWIND.back(difference, (MaskedHeaders.IPV4_ID_BEFORE_BTH + covered) / 4);
        int flags = bytes >>> 16;
        return flags == 0 || flags == MAY_FRAGMENT ? id ^ ((bytes & 0xFF) << 8 | bytes >>> 8 & 0xFF) : MISMATCH;
    }
}
