package io.jverbs.soft.wire;

import java.util.Arrays;

/**
 * A reference implementation of the ICRC as the specification defines it: a bitwise CRC-32 over the IP packet, with
 * ones in place of the fields that routers change.
 */
public final class IcrcByDefinition {
    private static final int POLYNOMIAL = 0xEDB8_8320;
    private static final byte ONES = (byte) 0xFF;

    private IcrcByDefinition() {}

    /** Returns the ICRC of an IP packet that ends before the ICRC. */
    public static int of(byte[] ip) {
        byte[] covered = new byte[8 + ip.length];
        Arrays.fill(covered, 0, 8, ONES);
        System.arraycopy(mask(ip.clone()), 0, covered, 8, ip.length);
        int register = -1;
        for (byte next : covered) {
            register ^= next & 0xFF;
            for (int bit = 0; bit < 8; bit++) {
                register = (register & 1) != 0 ? register >>> 1 ^ POLYNOMIAL : register >>> 1;
            }
        }
        return ~register;
    }

    private static byte[] mask(byte[] ip) {
        int udp;
        if (ip[0] >>> 4 == 4) {
            fill(ip, 1, 8, 10, 11);
            udp = 20;
        } else {
            ip[0] |= 0x0F;
            fill(ip, 1, 2, 3, 7);
            udp = 40;
        }
        fill(ip, udp + 6, udp + 7, udp + 8 + 4);
        return ip;
    }

    private static void fill(byte[] ip, int... positions) {
        for (int position : positions) {
            ip[position] = ONES;
        }
    }
}
