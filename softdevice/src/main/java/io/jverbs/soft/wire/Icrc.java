package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.zip.CRC32;

/**
 * The invariant CRC that ends a packet: CRC-32 over what no router changes, from the IP header to the pad (RoCEv2,
 * Annex A17). One object an engine, used again for each packet, by one thread at a time; {@link #between} says whose
 * packets the calls after it are.
 *
 * <p>It covers the IPv4 header's ID, which a program can neither set nor see. Packets are sent with 0, which is what
 * Linux puts into the packets of an unconnected socket that does not fragment; those that it makes of one piece have 0, 1, 2 and so
 * on. When one is received, the CRC is linear: the difference of what came and what the expected ID would give, run back to the ID,
 * is what the ID differs in, or is too long to be that.
 */
public final class Icrc {
    /** How long it is. */
    public static final int BYTES = 4;
    /** No ID explains it. */
    public static final int MISMATCH = -1;

    private static final ValueLayout.OfInt LEAST_FIRST = JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int MIN_LENGTH = Bth.BYTES;
    private static final int MAX_LENGTH = PacketBuffer.MAX_BYTES - BYTES;
    private static final CrcRewind REWIND = new CrcRewind((MaskedHeaders.IPV4_ID_BEFORE_BTH + MAX_LENGTH) / 4);
    /** The two bytes after the ID, of a packet that may be fragmented, less those of one that may not. */
    private static final int MAY_FRAGMENT = 0x40;
    /** Before an IPv4 address in the lower half of a GID. */
    private static final int MAPPED = 0xFFFF;

    private final CRC32 crc = new CRC32();
    private final MaskedHeaders ipv4 = MaskedHeaders.ipv4();
    private final MaskedHeaders ipv6 = MaskedHeaders.ipv6();
    private final HeaderShares shares = new HeaderShares();
    private MaskedHeaders headers = ipv4;
    private int id;

    /** Makes one that is between no addresses yet. */
    public Icrc() {}

    /**
     * {@return whether packets between two GIDs are IPv4} They are if both are IPv4 addresses, ::ffff:a.b.c.d, or the receiver is a
     * group that stands for one, ff0e::ffff:a.b.c.d or the like; otherwise they are IPv6.
     *
     * @param sourceGidHigh the sender
     * @param sourceGidLow the sender
     * @param destinationGidHigh the receiver
     * @param destinationGidLow the receiver
     */
    public static boolean isIpv4(long sourceGidHigh, long sourceGidLow, long destinationGidHigh,
            long destinationGidLow) {
        return sourceGidHigh == 0 && sourceGidLow >>> 32 == MAPPED && destinationGidLow >>> 32 == MAPPED
                && (destinationGidHigh == 0 || destinationGidHigh >>> 56 == 0xFF && destinationGidHigh << 16 == 0);
    }

    /**
     * Says whose packets come next, {@link #isIpv4} or not.
     *
     * @param sourceGidHigh the sender
     * @param sourceGidLow the sender
     * @param sourcePort the sender's UDP port, 16 bits
     * @param destinationGidHigh the receiver
     * @param destinationGidLow the receiver
     * @param destinationPort the receiver's UDP port, 16 bits
     */
    public void between(long sourceGidHigh, long sourceGidLow, int sourcePort, long destinationGidHigh,
            long destinationGidLow, int destinationPort) {
        int ports = sourcePort << 16 | destinationPort & 0xFFFF;
        if (!shares.isBetween(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow, ports)) {
            if (isIpv4(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow)) {
                ipv4.ipv4Addresses((int) sourceGidLow, (int) destinationGidLow);
                headers = ipv4;
            } else {
                ipv6.ipv6Addresses(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow);
                headers = ipv6;
            }
            headers.ports(ports);
            shares.between(sourceGidHigh, sourceGidLow, destinationGidHigh, destinationGidLow, ports);
        }
    }

    /**
     * Says which ID the next packets have, or are expected to have, if they are IPv4: 0 unless told otherwise.
     *
     * @param expected 16 bits
     */
    public void id(int expected) {
        if (id != expected) {
            id = expected;
            ipv4.ipv4Id(expected);
        }
    }

    /**
     * Ends a packet. Its buffer is then ready for a channel: position at its start, limit at its end.
     *
     * @param packet the packet
     * @param length what it has so far, pad included
     * @return the packet's whole length
     * @throws IndexOutOfBoundsException if the length is not 12 to 4128 or no multiple of 4: such a packet does not
     *            exist
     */
    public int append(PacketBuffer packet, int length) {
        if (!isPossible(length)) {
            throw new IndexOutOfBoundsException("a packet of " + length + " bytes before its ICRC");
        }
        int start = packet.start();
        packet.segment().set(LEAST_FIRST, start + length, compute(packet, length));
        packet.bytes().limit(start + length + BYTES).position(start);
        return length + BYTES;
    }

    /**
     * Checks a packet. An unknown ID leaves of the 32 bits 15, so what a stranger sent is accepted by chance once in
     * 2^15 times; ID 0 and an IPv6 packet leave all 32.
     *
     * @param packet the packet
     * @param length the packet's whole length, any number
     * @return the ID that explains the ICRC, of an IPv6 packet 0, or {@link #MISMATCH}
     */
    public int verify(PacketBuffer packet, int length) {
        int covered = length - BYTES;
        if (!isPossible(covered)) {
            return MISMATCH;
        }
        int difference = packet.segment().get(LEAST_FIRST, packet.start() + covered) ^ compute(packet, covered);
        if (headers == ipv6) {
            return difference == 0 ? 0 : MISMATCH;
        }
        return difference == 0 ? id : otherId(difference, covered);
    }

    private static boolean isPossible(int length) {
        return length >= MIN_LENGTH && length <= MAX_LENGTH && (length & 3) == 0;
    }

    private int compute(PacketBuffer packet, int length) {
        int start = packet.start();
        if (length > HeaderShares.MAX_LENGTH || (Bth.leading(packet.segment(), start) & Bth.MARKS) != 0) {
            return computeWhole(packet, length);
        }
        crc.reset();
        crc.update(packet.bytes().limit(start + length).position(start));
        int own = (int) crc.getValue();
        if (!shares.has(length, id)) {
            shares.put(length, id, own ^ computeWhole(packet, length));
        }
        return own ^ shares.get(length, id);
    }

    private int computeWhole(PacketBuffer packet, int length) {
        int start = packet.start();
        crc.reset();
        crc.update(headers.of(packet.segment(), start, length));
        crc.update(packet.bytes().limit(start + length).position(start + Bth.BYTES));
        return (int) crc.getValue();
    }

    /** Four bytes, the first the least significant: those from the ID on, less what they were taken to be. */
    private int otherId(int difference, int covered) {
        int bytes = REWIND.back(difference, (MaskedHeaders.IPV4_ID_BEFORE_BTH + covered) / 4);
        int flags = bytes >>> 16;
        return flags == 0 || flags == MAY_FRAGMENT ? id ^ ((bytes & 0xFF) << 8 | bytes >>> 8 & 0xFF) : MISMATCH;
    }
}
