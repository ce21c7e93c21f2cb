package io.jverbs.soft.capture;

import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.Roce;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A buffer for one packet and its IP and UDP headers. The headers are reconstructed from the addresses, the source port
 * and the length. Reused for each packet. Not thread-safe.
 */
final class Frame {
    private static final int IPV4 = 20;
    private static final int IPV6 = 40;
    private static final int UDP = 8;
    /** The maximum length of a UDP datagram plus one byte. */
    private static final int LONGEST = 1 << 16;
    private static final int UDP_PROTOCOL = 17;
    private static final int TIME_TO_LIVE = 64;
    private static final short DONT_FRAGMENT = 0x4000;
    private static final int SHORT = 0xFFFF;

    private final PacketBuffer packet = new PacketBuffer(Arena.ofAuto().allocate(IPV6 + UDP + LONGEST, Long.BYTES));
    private final ByteBuffer bytes = packet.segment().asByteBuffer();
    private final Icrc icrc = new Icrc();
    private long sourceHigh;
    private long sourceLow;
    private long destinationHigh;
    private long destinationLow;
    private int sourcePort;
    private boolean ipv4;
    /** The offset of the UDP header. */
    private int udp;

    /** Sets the addresses and the source port of the next packet. */
    void between(long fromHigh, long fromLow, int fromPort, long toHigh, long toLow) {
        sourceHigh = fromHigh;
        sourceLow = fromLow;
        sourcePort = fromPort;
        destinationHigh = toHigh;
        destinationLow = toLow;
        ipv4 = Icrc.isIpv4(fromHigh, fromLow, toHigh, toLow);
        udp = ipv4 ? IPV4 : IPV6;
        icrc.setAddresses(fromHigh, fromLow, fromPort, toHigh, toLow, Roce.UDP_PORT);
        packet.start(udp + UDP);
    }

    /** Returns the bytes of the packet; the IP header is at 0. */
    ByteBuffer bytes() {
        return bytes;
    }

    /** Returns the length of the IP and UDP headers. */
    int headers() {
        return udp + UDP;
    }

    /** Copies a packet that lacks the pad bytes and the ICRC, and adds them; returns the length with headers. */
    int complete(MemorySegment from, int written) {
        int start = udp + UDP;
        MemorySegment.copy(from, 0, packet.segment(), start, written);
        int end = start + written;
        for (; (end & 3) != (start & 3); end++) {
            bytes.put(end, (byte) 0);
        }
        icrc.setIpId(0);
        int length = icrc.append(packet, end - start);
        return headers(length, 0);
    }

    /** Copies a packet as it was received; returns the length with headers. */
    int take(PacketBuffer from, int length, int index) {
        MemorySegment.copy(from.segment(), from.start(), packet.segment(), udp + UDP, length);
        icrc.setIpId(index);
        int id = icrc.verify(packet, length);
        return headers(length, id == Icrc.MISMATCH ? index : id);
    }

    /** Writes the IP and UDP headers; returns the length with headers. */
    private int headers(int length, int id) {
        int datagram = UDP + length;
        if (ipv4) {
            ipv4(datagram, id);
        } else {
            bytes.putInt(0, 6 << 28).putShort(4, (short) datagram).put(6, (byte) UDP_PROTOCOL)
                    .put(7, (byte) TIME_TO_LIVE).putLong(8, sourceHigh).putLong(16, sourceLow)
                    .putLong(24, destinationHigh).putLong(32, destinationLow);
        }
        bytes.putShort(udp, (short) sourcePort).putShort(udp + 2, (short) Roce.UDP_PORT)
                .putShort(udp + 4, (short) datagram).putShort(udp + 6, (short) 0);
        int checksum = ~fold(sum(udp, datagram) + addresses() + UDP_PROTOCOL + datagram) & SHORT;
        // a checksum of 0 means none (RFC 768)
        bytes.putShort(udp + 6, (short) (checksum == 0 ? SHORT : checksum));
        return udp + datagram;
    }

    private void ipv4(int datagram, int id) {
        bytes.putInt(0, 0x45 << 24 | IPV4 + datagram & SHORT).putShort(4, (short) id).putShort(6, DONT_FRAGMENT)
                .put(8, (byte) TIME_TO_LIVE).put(9, (byte) UDP_PROTOCOL).putShort(10, (short) 0)
                .putInt(12, (int) sourceLow).putInt(16, (int) destinationLow);
        bytes.putShort(10, (short) ~fold(sum(0, IPV4)));
    }

    private long addresses() {
        if (ipv4) {
            return (sourceLow & 0xFFFF_FFFFL) + (destinationLow & 0xFFFF_FFFFL);
        }
        return halves(sourceHigh) + halves(sourceLow) + halves(destinationHigh) + halves(destinationLow);
    }

    private static long halves(long word) {
        return (word >>> Integer.SIZE) + (word & 0xFFFF_FFFFL);
    }

    /** Returns the sum of the 16-bit words of a range, not folded yet, for the checksum of RFC 1071. */
    private long sum(int from, int length) {
        long sum = 0;
        int at = from;
        int end = from + length;
        for (; at + Integer.BYTES <= end; at += Integer.BYTES) {
            sum += bytes.getInt(at) & 0xFFFF_FFFFL;
        }
        for (int shift = 24; at < end; at++, shift -= 8) {
            sum += (bytes.get(at) & 0xFFL) << shift;
        }
        return sum;
    }

    private static int fold(long sum) {
        long folded = sum;
        while (folded >>> 16 != 0) {
            folded = (folded & SHORT) + (folded >>> 16);
        }
        return (int) folded;
    }
}
