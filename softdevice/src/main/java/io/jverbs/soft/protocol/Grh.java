package io.jverbs.soft.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Writes the GRH area, the 40 bytes that precede a UD payload in the receive buffer (IBTA Annex A17, RoCEv2): an IPv6
 * header, or 20 zero bytes and an IPv4 header if the source GID is an IPv4 address.
 */
public final class Grh {
    /** The length of the GRH area. */
    public static final int BYTES = 40;

    private static final ValueLayout.OfInt INT = JAVA_INT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfLong LONG = JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final ValueLayout.OfShort SHORT = JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int IPV4 = 20;
    private static final byte IPV4_NO_OPTIONS = 0x45;
    private static final short DONT_FRAGMENT = 0x4000;
    private static final byte UDP = 17;
    private static final int UDP_HEADER = 8;
    private static final int BTH_DETH_ICRC = 12 + 8 + 4;

    private Grh() {}

    /** Writes the GRH area of a datagram. */
    public static void write(MemorySegment header, Message message) {
        int payload = (int) message.length + 3 & ~3;
        int immediate = message.opcode == WrOpcodeCode.SEND_WITH_IMM ? 4 : 0;
        int udp = UDP_HEADER + BTH_DETH_ICRC + immediate + payload;
        if (message.sourceGidHigh == 0 && message.sourceGidLow >>> 32 == 0xFFFF) {
            writeIpv4(header, message, udp);
        } else {
            header.set(INT, 0, 6 << 28 | (message.trafficClass & 0xFF) << 20 | message.flowLabel & 0xFFFFF);
            header.set(SHORT, 4, (short) udp);
            header.set(JAVA_BYTE, 6, UDP);
            header.set(JAVA_BYTE, 7, (byte) message.hopLimit);
            header.set(LONG, 8, message.sourceGidHigh);
            header.set(LONG, 16, message.sourceGidLow);
            header.set(LONG, 24, message.destinationGidHigh);
            header.set(LONG, 32, message.destinationGidLow);
        }
    }

    private static void writeIpv4(MemorySegment header, Message message, int udp) {
        header.set(LONG, 0, 0);
        header.set(LONG, 8, 0);
        header.set(INT, 16, 0);
        header.set(JAVA_BYTE, IPV4, IPV4_NO_OPTIONS);
        header.set(JAVA_BYTE, IPV4 + 1, (byte) message.trafficClass);
        header.set(SHORT, IPV4 + 2, (short) (IPV4 + udp));
        header.set(SHORT, IPV4 + 4, (short) 0);
        header.set(SHORT, IPV4 + 6, DONT_FRAGMENT);
        header.set(JAVA_BYTE, IPV4 + 8, (byte) message.hopLimit);
        header.set(JAVA_BYTE, IPV4 + 9, UDP);
        header.set(SHORT, IPV4 + 10, (short) 0);
        header.set(INT, IPV4 + 12, (int) message.sourceGidLow);
        header.set(INT, IPV4 + 16, (int) message.destinationGidLow);
        header.set(SHORT, IPV4 + 10, checksum(header));
    }

    private static short checksum(MemorySegment header) {
        int sum = 0;
        for (int i = 0; i < IPV4; i += 2) {
            sum += header.get(SHORT, IPV4 + i) & 0xFFFF;
        }
        sum = (sum & 0xFFFF) + (sum >>> 16);
        sum = (sum & 0xFFFF) + (sum >>> 16);
        return (short) ~sum;
    }
}
