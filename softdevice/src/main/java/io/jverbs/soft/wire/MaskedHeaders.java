package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The bytes that the ICRC covers before a packet's extension headers: 8 bytes of one bits, the IP header, the UDP
 * header and the BTH, with one bits in place of the fields that routers change. They are written once; for each packet
 * only the addresses, the lengths and the BTH are set. Not thread-safe.
 */
final class MaskedHeaders {
    /** The offset of an IPv4 header's ID, as the number of bytes before the BTH. */
    static final int IPV4_ID_BEFORE_BTH = 16 + 8;

    private static final int ONES = 8;
    private static final int UDP = 8;
    private static final byte UDP_PROTOCOL = 17;
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final short DONT_FRAGMENT = 0x4000;
    private static final int MASKED_CHECKSUM = 0xFFFF;

    private final ByteBuffer bytes;
    private final MemorySegment segment;
    private final int udpAt;
    private final int lengthAt;
    /** What the length field of the IP header counts in addition to the UDP datagram, in bytes. */
    private final int ipLength;
    private int ports;

    private MaskedHeaders(int ip, int lengthAt, int ipLength) {
        udpAt = ONES + ip;
        this.lengthAt = ONES + lengthAt;
        this.ipLength = ipLength;
        bytes = ByteBuffer.allocateDirect(udpAt + UDP + Bth.BYTES);
        segment = MemorySegment.ofBuffer(bytes);
        segment.fill((byte) 0xFF);
    }

    /** Creates IPv4 headers without options, with ID 0 and the don't-fragment flag. */
    static MaskedHeaders ipv4() {
        MaskedHeaders headers = new MaskedHeaders(IPV4, 2, IPV4);
        headers.segment.set(JAVA_BYTE, ONES, (byte) 0x45);
        headers.segment.set(BigEndian.SHORT, ONES + 4, (short) 0);
        headers.segment.set(BigEndian.SHORT, ONES + 6, DONT_FRAGMENT);
        headers.segment.set(JAVA_BYTE, ONES + 9, UDP_PROTOCOL);
        return headers;
    }

    /** Creates IPv6 headers without extension headers. */
    static MaskedHeaders ipv6() {
        MaskedHeaders headers = new MaskedHeaders(IPV6, 4, 0);
        headers.segment.set(JAVA_BYTE, ONES, (byte) 0x6F);
        headers.segment.set(JAVA_BYTE, ONES + 6, UDP_PROTOCOL);
        return headers;
    }

    void ipv4Addresses(int source, int destination) {
        segment.set(BigEndian.INT, ONES + 12, source);
        segment.set(BigEndian.INT, ONES + 16, destination);
    }

    void ipv4Id(int id) {
        segment.set(BigEndian.SHORT, ONES + 4, (short) id);
    }

    void ipv6Addresses(long sourceHigh, long sourceLow, long destinationHigh, long destinationLow) {
        segment.set(BigEndian.LONG, ONES + 8, sourceHigh);
        segment.set(BigEndian.LONG, ONES + 16, sourceLow);
        segment.set(BigEndian.LONG, ONES + 24, destinationHigh);
        segment.set(BigEndian.LONG, ONES + 32, destinationLow);
    }

    /** Sets both UDP ports, the source port in the upper 16 bits. */
    void ports(int both) {
        ports = both;
    }

    /**
     * Sets the fields that depend on the packet.
     *
     * @param packet the memory of the packet
     * @param start the offset of the BTH
     * @param length the length of the packet without the ICRC
     * @return the covered bytes, from position to limit
     */
    ByteBuffer of(MemorySegment packet, int start, int length) {
        int datagram = UDP + length + Icrc.BYTES;
        segment.set(BigEndian.SHORT, lengthAt, (short) (ipLength + datagram));
        segment.set(BigEndian.LONG, udpAt, (long) ports << 32 | (long) datagram << 16 | MASKED_CHECKSUM);
        segment.set(BigEndian.LONG, udpAt + UDP, Bth.leading(packet, start) | Bth.VARIANT_BITS);
        segment.set(BigEndian.INT, udpAt + UDP + 8, Bth.trailing(packet, start));
        return bytes.rewind();
    }
}
