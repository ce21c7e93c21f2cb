package io.jverbs.soft.traffic;

import io.jverbs.Gid;
import java.nio.ByteBuffer;

/** The expected 40 bytes before a datagram received over IPv4: 20 zeros and the IP header (RoCEv2, Annex A17). */
final class ExpectedGrh {
    private static final int BYTES = 40;
    private static final int IP = 20;
    private static final int CHECKSUM = IP + 10;
    /** UDP, BTH, DETH, ICRC. */
    private static final int OVERHEAD = 8 + 12 + 8 + 4;
    private static final int IMMEDIATE = 4;
    private static final short DONT_FRAGMENT = 0x4000;
    private static final byte UDP = 17;
    private static final byte TTL = 64;

    private ExpectedGrh() {}

    static byte[] of(Operation datagram, Gid from, Gid to) {
        int padded = datagram.length() + 3 & ~3;
        int immediate = datagram.hasImmediate() ? IMMEDIATE : 0;
        ByteBuffer header = ByteBuffer.allocate(BYTES).position(IP);
        header.put((byte) 0x45).put((byte) 0).putShort((short) (IP + OVERHEAD + immediate + padded));
        header.putShort((short) 0).putShort(DONT_FRAGMENT);
        header.put(TTL).put(UDP).putShort((short) 0);
        header.putInt((int) from.low()).putInt((int) to.low());
        int sum = 0;
        for (int at = IP; at < BYTES; at += Short.BYTES) {
            sum += header.getShort(at) & 0xFFFF;
        }
        while (sum > 0xFFFF) {
            sum = (sum & 0xFFFF) + (sum >>> Short.SIZE);
        }
        return header.putShort(CHECKSUM, (short) ~sum).array();
    }
}
