package io.jverbs.soft.capture;

import static io.jverbs.soft.capture.Pcapng.require;

import io.jverbs.Gid;
import io.jverbs.soft.wire.IcrcByDefinition;
import io.jverbs.soft.wire.WireOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A captured packet, of which every length and checksum is right as far as it is there.
 *
 * @param device the interface
 * @param nanos when, since 1970
 * @param leaving whether it was sent
 * @param length how long it was from its IP header on
 * @param bytes what is kept of it
 */
public record RocePacket(String device, long nanos, boolean leaving, int length, byte[] bytes) {
    private static final int UDP = 8;
    private static final int PORT = 4791;

    public RocePacket {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        boolean ipv4 = bytes[0] >>> 4 == 4;
        int udp = ipv4 ? 20 : 40;
        require(bytes[0] == (ipv4 ? 0x45 : 0x60), "version and header length");
        require((ipv4 ? in.getShort(2) & 0xFFFF : udp + (in.getShort(4) & 0xFFFF)) == length, "length of IP");
        require(bytes[ipv4 ? 9 : 6] == 17, "protocol");
        require(!ipv4 || sum(bytes, 0, 20, 0) == 0xFFFF, "checksum of IP");
        require((in.getShort(udp + 2) & 0xFFFF) == PORT, "port");
        require((in.getShort(udp + 4) & 0xFFFF) == length - udp, "length of UDP");
        if (bytes.length == length) {
            int addresses = ipv4 ? 12 : 8;
            long pseudo = sum(bytes, addresses, udp, 17 + length - udp);
            require(sum(bytes, udp, length, pseudo) == 0xFFFF, "checksum of UDP");
        }
    }

    private static int sum(byte[] bytes, int from, int to, long start) {
        long sum = start;
        for (int i = from; i < to; i++) {
            sum += (bytes[i] & 0xFFL) << ((i - from & 1) == 0 ? 8 : 0);
        }
        while (sum >>> 16 != 0) {
            sum = (sum & 0xFFFF) + (sum >>> 16);
        }
        return (int) sum;
    }

    private ByteBuffer in() {
        return ByteBuffer.wrap(bytes);
    }

    private boolean isIpv4() {
        return bytes[0] == 0x45;
    }

    private int bth() {
        return (isIpv4() ? 20 : 40) + UDP;
    }

    /** Whether the ICRC is what the standard wants. */
    public boolean hasGoodIcrc() {
        int end = bytes.length - 4;
        return bytes.length == length && IcrcByDefinition.of(Arrays.copyOf(bytes, end)) == ByteBuffer.wrap(bytes)
                .order(ByteOrder.LITTLE_ENDIAN).getInt(end);
    }

    private Gid gid(int at4, int at6) {
        return isIpv4()
                ? Gid.of(0, 0xFFFFL << 32 | in().getInt(at4) & 0xFFFF_FFFFL)
                : Gid.of(in().getLong(at6), in().getLong(at6 + 8));
    }

    public Gid source() {
        return gid(12, 8);
    }

    public Gid destination() {
        return gid(16, 24);
    }

    public int opcode() {
        return bytes[bth()] & 0xFF;
    }

    public String name() {
        return WireOpcode.name(opcode());
    }

    public int pkey() {
        return in().getShort(bth() + 2) & 0xFFFF;
    }

    public int destinationQpn() {
        return in().getInt(bth() + 4) & 0xFFFFFF;
    }

    public int psn() {
        return in().getInt(bth() + 8) & 0xFFFFFF;
    }

    public boolean asksForAcknowledgement() {
        return bytes[bth() + 8] < 0;
    }

    public boolean isSolicited() {
        return (bytes[bth() + 1] & 0x80) != 0;
    }

    /** Four bytes behind the BTH. */
    public int extension(int at) {
        return in().getInt(bth() + 12 + at);
    }

    public long longExtension(int at) {
        return in().getLong(bth() + 12 + at);
    }

    /** Four bytes of the headers, counted from their end. */
    public int lastExtension() {
        return in().getInt(bth() + WireOpcode.headerLength(opcode()) - 4);
    }

    public byte[] payload() {
        int pad = bytes[bth() + 1] >>> 4 & 3;
        return Arrays.copyOfRange(bytes, bth() + WireOpcode.headerLength(opcode()), length - 4 - pad);
    }

    /** In one line: what it is, and how long its payload is. */
    @Override
    public String toString() {
        return name() + (WireOpcode.hasPayload(opcode()) ? " " + payload().length : "");
    }
}
