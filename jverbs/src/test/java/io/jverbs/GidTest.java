package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests catalogue items A17 and A18, and the text form. */
class GidTest {
    private static final String ANY_BYTES = "0123456789abcdeffedcba9876543210";

    /** The expected values are those of inet_pton(3) and inet_ntop(3) of glibc. */
    @ParameterizedTest
    @CsvSource({
        "::, 00000000000000000000000000000000, ::",
        "::1, 00000000000000000000000000000001, ::1",
        "fe80::1, fe800000000000000000000000000001, fe80::1",
        "::ffff:1.2.3.4, 00000000000000000000ffff01020304, ::ffff:1.2.3.4",
        "::ffff:0.0.0.0, 00000000000000000000ffff00000000, ::ffff:0.0.0.0",
        "::1.2.3.4, 00000000000000000000000001020304, ::1.2.3.4",
        "::1:0, 00000000000000000000000000010000, ::0.1.0.0",
        "::ffff, 0000000000000000000000000000ffff, ::ffff",
        "1:0:0:2:0:0:0:3, 00010000000000020000000000000003, 1:0:0:2::3",
        "1:0:0:2:0:0:3:4, 00010000000000020000000000030004, 1::2:0:0:3:4",
        "1:0:2:3:4:5:6:7, 00010000000200030004000500060007, 1:0:2:3:4:5:6:7",
        "0:1:2:3:4:5:6:7, 00000001000200030004000500060007, 0:1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7::, 00010002000300040005000600070000, 1:2:3:4:5:6:7:0",
        "1:2:3:4:5:6:0:0, 00010002000300040005000600000000, 1:2:3:4:5:6::",
        "ABCD:EF01::, abcdef01000000000000000000000000, abcd:ef01::",
        "2001:0db8::0001, 20010db8000000000000000000000001, 2001:db8::1",
        "ff02::1, ff020000000000000000000000000001, ff02::1",
        "::ffff:0:102:304, 0000000000000000ffff000001020304, ::ffff:0:102:304",
        "0:0:1::, 00000000000100000000000000000000, 0:0:1::",
        "::2:3:4:5:6:7:8, 00000002000300040005000600070008, 0:2:3:4:5:6:7:8",
        "64:ff9b::192.0.2.33, 0064ff9b0000000000000000c0000221, 64:ff9b::c000:221",
        "::fffe:1.2.3.4, 00000000000000000000fffe01020304, ::fffe:102:304",
        "0:0:0:1:ffff:0:1:2, 0000000000000001ffff000000010002, ::1:ffff:0:1:2",
        "1:2:3:4:5:6:1.2.3.4, 00010002000300040005000601020304, 1:2:3:4:5:6:102:304",
        "192.0.2.7, 00000000000000000000ffffc0000207, ::ffff:192.0.2.7",
        "255.255.255.255, 00000000000000000000ffffffffffff, ::ffff:255.255.255.255"})
    void textIsParsedAndPrintedLikeInetPtonAndInetNtop(String text, String hex, String printed) {
        Gid gid = Gid.parse(text);

        assertArrayEquals(HexFormat.of().parseHex(hex), gid.toBytes());
        assertEquals(printed, gid.toString());
    }

    /** "localhost" resolves on every machine, so a name lookup would accept it. */
    @ParameterizedTest
    @ValueSource(strings = {"", ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "12345::", "g::",
        "fe80::1%1", "[::1]", "::1.2.3", "::1.2.3.4.5", "::1.2.3.256", "1.2.3.4::", "1.2.3", "1.2.3.4.5", "01.2.3.4",
        "1.2.3.-4", "1.2.3.+4", "1.2.3.", "1.2..4", "1.2.3.99999999999", "1:2:3:4:5:6:7::8", "::1:", "1:", ":1::",
        "0x7f.1", " ::1", "::1 ", "1:2:3:4:5:6:7:1.2.3.4", "::ffff:1.2.3.04", "localhost", "::\u0663",
        "\u0661.2.3.4", "1:2:3:4:5:6:7:", "-1::", "1:::2", "::1::"})
    void otherTextIsRefusedAndQuoted(String text) {
        String message = assertThrows(IllegalArgumentException.class, () -> Gid.parse(text)).getMessage();

        assertTrue(message.startsWith("\"" + text + "\" is neither an IPv6 nor an IPv4 address: "), message);
    }

    @Test
    void printedGidIsParsedBackToTheSameGid() throws Exception {
        SplittableRandom random = new SplittableRandom(20260820);
        for (int i = 0; i < 20_000; i++) {
            // About half of the words are 0 or 0xffff, so that runs of every length and dotted forms occur.
            long high = words(random);
            long low = words(random);
            Gid gid = Gid.of(high, low);

            assertEquals(gid, Gid.parse(gid.toString()));
            assertEquals(InetAddress.getByAddress(gid.toBytes()), InetAddress.getByName(gid.toString()));
        }
    }

    private static long words(SplittableRandom random) {
        long words = 0;
        for (int i = 0; i < 4; i++) {
            int word = switch (random.nextInt(5)) {
                case 0, 1 -> 0;
                case 2 -> 0xffff;
                default -> random.nextInt(0x10000);
            };
            words = words << 16 | word;
        }
        return words;
    }

    @Test
    void halvesAreBigEndian() {
        Gid gid = Gid.of(HexFormat.of().parseHex(ANY_BYTES));

        assertEquals(0x0123_4567_89ab_cdefL, gid.high());
        assertEquals(0xfedc_ba98_7654_3210L, gid.low());
        assertEquals(gid, Gid.of(gid.high(), gid.low()));
    }

    @Test
    void bytesAreCopiedInAndOut() {
        byte[] bytes = HexFormat.of().parseHex(ANY_BYTES);
        Gid gid = Gid.of(bytes);
        bytes[0] = 0x55;
        gid.toBytes()[1] = 0x55;

        assertEquals(ANY_BYTES, HexFormat.of().formatHex(gid.toBytes()));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 15, 17})
    void otherThanSixteenBytesAreRefused(int length) {
        String message = assertThrows(IllegalArgumentException.class, () -> Gid.of(new byte[length])).getMessage();

        assertEquals("a GID has 16 bytes, not " + length, message);
    }

    @ParameterizedTest
    @CsvSource({"000000000000, fe80::200:ff:fe00:0", "020011223344, fe80::11ff:fe22:3344",
        "fffefdfcfbfa, fe80::fdfe:fdff:fefc:fbfa"})
    void defaultGidOfAMacIsItsEui64(String mac, String gid) {
        assertEquals(gid, Gid.ofMac(HexFormat.of().parseHex(mac)).toString());
    }

    @Test
    void macWithOtherThanSixBytesIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Gid.ofMac(new byte[8]));
        assertThrows(IllegalArgumentException.class, () -> Gid.ofMac(new byte[5]));
    }

    @Test
    void ipv4AddressIsMapped() throws Exception {
        InetAddress address = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) 254});
        Gid gid = Gid.ofAddress(address);

        assertEquals("::ffff:192.0.2.254", gid.toString());
        assertTrue(gid.isIpv4Mapped());
        assertInstanceOf(Inet4Address.class, gid.toInetAddress());
        assertEquals(address, gid.toInetAddress());
    }

    @Test
    void ipv6AddressIsTheGidItself() throws Exception {
        byte[] bytes = HexFormat.of().parseHex("fe800000000000000123456789abcdef");
        Gid gid = Gid.ofAddress(Inet6Address.getByAddress(null, bytes, 1));

        assertArrayEquals(bytes, gid.toBytes());
        assertFalse(gid.isIpv4Mapped());
        assertInstanceOf(Inet6Address.class, gid.toInetAddress());
        assertArrayEquals(bytes, gid.toInetAddress().getAddress());
    }

    @ParameterizedTest
    @CsvSource({"::ffff:1.2.3.4, true", "::fffe:1.2.3.4, false", "::1.2.3.4, false", "1::ffff:1.2.3.4, false",
        "::1:ffff:1.2.3.4, false", "::, false"})
    void onlyTheMappedPrefixIsIpv4Mapped(String text, boolean mapped) {
        assertEquals(mapped, Gid.parse(text).isIpv4Mapped());
    }

    @ParameterizedTest
    @CsvSource({"ff02::1, true", "ff00::, true", "ffff::, true", "fe80::1, false", "224.0.0.1, true",
        "239.255.255.255, true", "223.255.255.255, false", "240.0.0.0, false", "::224.0.0.1, false",
        "::, false", "0:ff00::, false"})
    void multicastIsFf00AndMapped224(String text, boolean multicast) {
        assertEquals(multicast, Gid.parse(text).isMulticast());
    }

    @ParameterizedTest
    @CsvSource({"fe80::1, true", "fe80::, true", "febf:ffff::, true", "fec0::, false", "fe7f:ffff::1, false",
        "169.254.0.1, false", "ff02::1, false", "::, false"})
    void linkLocalIsFe80AndNeverMapped(String text, boolean linkLocal) {
        assertEquals(linkLocal, Gid.parse(text).isLinkLocal());
    }

    @Test
    void onlyTheZeroGidIsZero() {
        assertTrue(Gid.ZERO.isZero());
        assertTrue(Gid.of(new byte[16]).isZero());
        assertFalse(Gid.of(0, 1).isZero());
        assertFalse(Gid.of(1, 0).isZero());
    }

    @Test
    void gidsAreEqualByValue() {
        assertEquals(Gid.parse("fe80::1"), Gid.of(0xfe80_0000_0000_0000L, 1));
        assertEquals(Gid.parse("fe80::1").hashCode(), Gid.of(0xfe80_0000_0000_0000L, 1).hashCode());
        assertNotEquals(Gid.of(1, 2), Gid.of(2, 1));
        assertNotEquals(Gid.of(1, 2), Gid.of(1, 3));
        assertNotEquals(Gid.of(1, 2), Gid.of(3, 2));
    }

    @Test
    void nullIsNamed() {
        assertEquals("text", assertThrows(NullPointerException.class, () -> Gid.parse(null)).getMessage());
        assertEquals("bytes", assertThrows(NullPointerException.class, () -> Gid.of(null)).getMessage());
        assertEquals("address", assertThrows(NullPointerException.class, () -> Gid.ofAddress(null)).getMessage());
    }
}
