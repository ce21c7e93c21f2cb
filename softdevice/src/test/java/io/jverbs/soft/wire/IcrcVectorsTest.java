package io.jverbs.soft.wire;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Catalogue entries L45, L46 and L48 to L50: packets with an ICRC from other implementations. */
final class IcrcVectorsTest {
    private static final HexFormat HEX = HexFormat.of();
    private static final String UC_IP = "45010040047840004011b4d5c0a80007c0a80007" + "c00012b7002caca2";
    private static final String UC_PACKET = "2460ffff000000d300cf1710" + "4630818be28935d90e9a95505401be885e500000";
    private static final String UC_ICRC = "78f353f3";
    private static final Path UC_PATH = Path.ipv4(0xC0A80007, 0xC000, 0xC0A80007, 4791);
    private static final String CNP_IP = "45c2003c718c4000401191610a0011010a001201" + "000012b700280000";
    private static final String CNP_PACKET = "8100ffff4000011800000000" + "00".repeat(16);
    private static final String CNP_ICRC = "82fd002a";
    private static final Path CNP_PATH = Path.ipv4(0x0A001101, 0, 0x0A001201, 4791);
    private static final String RC_IP = "60000000001c1140" + "fd000000000000000000000000000001"
            + "fd000000000000000000000000000002" + "c00012b7001c0000";
    private static final String RC_PACKET = "0440ffff0000001180000001" + "01020304";
    private static final String RC_ICRC = "b1aeee47";

    private static int verify(Path path, String packet) {
        byte[] bytes = HEX.parseHex(packet);
        return path.icrc().verify(Packets.buffer(bytes), bytes.length);
    }

    private static void assertDefinition(String ip, String packet, String icrc) {
        int leastFirst = Integer.reverseBytes(IcrcByDefinition.of(HEX.parseHex(ip + packet)));
        assertEquals(icrc, HEX.toHexDigits(leastFirst));
    }

    @Test
    void referenceComputesIcrcOfEachPacket() {
        assertDefinition(UC_IP, UC_PACKET, UC_ICRC);
        assertDefinition(CNP_IP, CNP_PACKET, CNP_ICRC);
        assertDefinition(RC_IP, RC_PACKET, RC_ICRC);
    }

    /** L48. */
    @Test
    void icrcOfUcPacketMatchesItsId() {
        assertEquals(0x0478, verify(UC_PATH, UC_PACKET + UC_ICRC));
    }

    /** L49. */
    @Test
    void icrcOfCapturedCnpMatchesItsId() {
        assertEquals(0x718C, verify(CNP_PATH, CNP_PACKET + CNP_ICRC));
    }

    /** L50. */
    @Test
    void icrcOfIpv6PacketMatches() {
        assertEquals(0, verify(Packets.IPV6, RC_PACKET + RC_ICRC));
    }

    /** L48, except the IP ID, which is 0 here. */
    @Test
    void encoderWritesUcPacket() {
        byte[] expected = HEX.parseHex(UC_PACKET);
        PacketBuffer buffer = Packets.buffer();
        byte[] payload = Arrays.copyOfRange(expected, Bth.BYTES, Bth.BYTES + 18);
        PacketEncoder encoder = new PacketEncoder().begin(buffer, WireOpcode.UC | WireOpcode.SEND_ONLY, Bth.MIG_REQ,
                0xFFFF, 0xD3, 0xCF1710, payload.length);
        MemorySegment.copy(payload, 0, buffer.segment(), JAVA_BYTE, encoder.payloadOffset(), payload.length);
        assertEquals(expected.length + Icrc.BYTES, encoder.finish(UC_PATH.icrc()));
        assertArrayEquals(expected, Packets.bytes(buffer, expected.length));
        assertEquals(0, UC_PATH.icrc().verify(buffer, expected.length + Icrc.BYTES));
    }

    /** L49, except the IP ID. */
    @Test
    void encoderWritesCnp() {
        byte[] expected = HEX.parseHex(CNP_PACKET);
        PacketBuffer buffer = Packets.buffer();
        int length = new PacketEncoder().begin(buffer, WireOpcode.CNP, 0, 0xFFFF, 0x118, 0, 0)
                .finish(CNP_PATH.icrc());
        assertEquals(expected.length + Icrc.BYTES, length);
        assertArrayEquals(expected, Packets.bytes(buffer, expected.length));
    }

    /** L50. */
    @Test
    void encoderWritesIpv6PacketWithIcrc() {
        byte[] expected = HEX.parseHex(RC_PACKET + RC_ICRC);
        PacketBuffer buffer = Packets.buffer();
        PacketEncoder encoder = new PacketEncoder().begin(buffer, WireOpcode.SEND_ONLY, Bth.MIG_REQ | Bth.ACK_REQUEST,
                0xFFFF, 0x11, 1, 4);
        buffer.segment().set(BigEndian.INT, encoder.payloadOffset(), 0x01020304);
        int length = encoder.finish(Packets.IPV6.icrc());
        assertArrayEquals(expected, Packets.bytes(buffer, length));
        assertEquals(0, buffer.bytes().position(), "the buffer is ready for a channel");
        assertEquals(length, buffer.bytes().limit(), "the buffer is ready for a channel");
    }
}
