package io.jverbs.soft.capture;

import static io.jverbs.soft.capture.Pcapng.require;

import io.jverbs.Gid;
import io.jverbs.soft.wire.IcrcByDefinition;
import io.jverbs.soft.wire.WireOpcode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A captured packet. Creating one checks all lengths, and the checksums as far as the packet was captured.
 *
 * @param device the name of the interface
 * @param nanos the timestamp, in nanoseconds since 1970
 * @param leaving true if the packet is outgoing, false if it is incoming
 * @param length the original length of the packet, from its IP header on
 * @param bytes the captured bytes
 */
public record RocePacket(String device, long nanos, boolean leaving, int length, byte[] bytes) {
    private static final int UDP = 8;
    private static final int PORT = 4791;

    public RocePacket {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        boolean ipv4 = bytes[0] >>> 4 == 4;
        int udp = ipv4 ? 20 : 40;
        require(bytes[0] == (ipv4 ? 0x45 : 0x60), "wrong IP version or header length");
        require((ipv4 ? in.getShort(2) & 0xFFFF : udp + (in.getShort(4) & 0xFFFF)) == length, "wrong IP length");
        require(bytes[ipv4 ? 9 : 6] == 17, "not UDP");
        require(!ipv4 || sum(bytes, 0, 20, 0) == 0xFFFF, "wrong IP checksum");
        require((in.getShort(udp + 2) & 0xFFFF) == PORT, "wrong destination port");
        require((in.getShort(udp + 4) & 0xFFFF) == length - udp, "wrong UDP length");
        if (bytes.length == length) {
            int addresses = ipv4 ? 12 : 8;
            long pseudo = sum(bytes, addresses, udp, 17 + length - udp);
            require(sum(bytes, udp, length, pseudo) == 0xFFFF, "wrong UDP checksum");
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

    /** Returns whether the packet was captured whole and its ICRC is correct. */
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

    /** Returns the four bytes at an offset in the headers after the BTH. */
    public int extension(int at) {
        return in().getInt(bth() + 12 + at);
    }

    public long longExtension(int at) {
        return in().getLong(bth() + 12 + at);
    }

    /** Returns the last four bytes of the headers. */
    public int lastExtension() {
        return in().getInt(bth() + WireOpcode.headerLength(opcode()) - 4);
    }

    public byte[] payload() {
        int pad = bytes[bth() + 1] >>> 4 & 3;
        return Arrays.copyOfRange(bytes, bth() + WireOpcode.headerLength(opcode()), length - 4 - pad);
    }

    /** Returns the name of the opcode, and the length of the payload if the opcode has one. */
    @Override
    public String toString() {
        return name() + (WireOpcode.hasPayload(opcode()) ? " " + payload().length : "");
    }
}
