package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectionInfoTest {
    private static final String TEXT = "qpn=0x000011,psn=0x0a0b0c,gid=fe80::1,mtu=1024";
    private static final String BYTES = "01000011030a0b0cfe800000000000000000000000000001";
    private static final ConnectionInfo INFO = new ConnectionInfo(0x11, 0x0a0b0c, Gid.parse("fe80::1"), Mtu.MTU_1024);

    @Test
    void textFormIsAsDocumented() {
        assertEquals(TEXT, INFO.toText());
        assertEquals(TEXT, INFO.toString());
        assertEquals(INFO, ConnectionInfo.parse(TEXT));
    }

    @Test
    void byteFormIsVersionQpnMtuPsnGid() {
        assertEquals(BYTES, HexFormat.of().formatHex(INFO.toBytes()));
        assertEquals(INFO, ConnectionInfo.fromBytes(HexFormat.of().parseHex(BYTES)));
        assertEquals(ConnectionInfo.BYTES, INFO.toBytes().length);
    }

    @ParameterizedTest
    @EnumSource(value = Mtu.class, mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN")
    void bothFormsPreserveExtremeValues(Mtu mtu) {
        for (int number : new int[] {0, 1, 0x80_0000, 0xff_ffff}) {
            ConnectionInfo info = new ConnectionInfo(number, 0xff_ffff - number, Gid.parse("192.0.2.7"), mtu);
            assertEquals(info, ConnectionInfo.parse(info.toText()));
            assertEquals(info, ConnectionInfo.fromBytes(info.toBytes()));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {" " + TEXT + "\n", "mtu=1024,gid=fe80::1,qpn=17,psn=658188",
        "gid=fe80:0:0::1,psn=0xA0B0C,mtu=1024,qpn=0x11"})
    void textInAnyOrderAndNotationIsParsed(String text) {
        assertEquals(INFO, ConnectionInfo.parse(text));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "'' | \"\" is not one of the parts",
        "qpn=1,psn=2,mtu=1024 | gid is missing",
        "psn=2,gid=::1,mtu=1024 | qpn is missing",
        "qpn=1,gid=::1,mtu=1024 | psn is missing",
        "qpn=1,psn=2,gid=::1 | mtu is missing",
        "qpn=1,psn=2,gid=::1,mtu=1024,qpn=1 | qpn is given twice",
        "qpn=1,psn=2,gid=::1,mtu=1024, | \"\" is not one of the parts",
        "qpn=1,psn=2,gid=::1,mtu=1024,lid=7 | \"lid=7\" is not one of the parts",
        "qpn=1;psn=2,psn=2,gid=::1,mtu=1024 | \"1;psn=2\" is not a 24-bit number",
        "qpn=1,psn=2,gid=::1,mtu=1500 | mtu \"1500\" is not one of 256",
        "qpn=1,psn=2,gid=::1,mtu=0 | mtu \"0\" is not one of 256",
        "qpn=1,psn=2,gid=::1,mtu=5 | mtu \"5\" is not one of 256",
        "qpn=1,psn=2,gid=host,mtu=1024 | \"host\" is neither",
        "qpn=-1,psn=2,gid=::1,mtu=1024 | \"-1\" is not a 24-bit number",
        "qpn=+1,psn=2,gid=::1,mtu=1024 | \"+1\" is not a 24-bit number",
        "qpn=,psn=2,gid=::1,mtu=1024 | \"\" is not a 24-bit number",
        "qpn=1,psn=0x1000000,gid=::1,mtu=1024 | \"0x1000000\" is not a 24-bit number",
        "qpn=16777216,psn=2,gid=::1,mtu=1024 | qpn 0x1000000 is outside",
        "qpn=1,psn=99999999,gid=::1,mtu=1024 | psn 0x5f5e0ff is outside",
        "qpn | \"qpn\" is not one of the parts"})
    void badTextIsRefusedWithTheBadPartTheFormAndThePage(String text, String complaint) {
        String message = assertThrows(IllegalArgumentException.class, () -> ConnectionInfo.parse(text)).getMessage();

        assertTrue(message.startsWith("connection information \"" + text + "\": "), message);
        assertTrue(message.contains(complaint), message);
        assertTrue(message.endsWith("; the form is qpn=0x000011,psn=0x0a0b0c,gid=fe80::1,mtu=1024; see"
                + " docs/getting-started.md"), message);
    }

    @ParameterizedTest
    @CsvSource({"'', has 24 bytes", "0100, has 24 bytes", BYTES + "00, has 24 bytes",
        "02000011030a0b0cfe800000000000000000000000000001, version 2",
        "ff000011030a0b0cfe800000000000000000000000000001, version 255",
        "01000011000a0b0cfe800000000000000000000000000001, MTU code 0",
        "01000011060a0b0cfe800000000000000000000000000001, MTU code 6",
        "01000011ff0a0b0cfe800000000000000000000000000001, MTU code 255"})
    void badBytesAreRefusedWithTheReason(String hex, String complaint) {
        String message = assertThrows(IllegalArgumentException.class,
                () -> ConnectionInfo.fromBytes(HexFormat.of().parseHex(hex))).getMessage();

        assertTrue(message.contains(complaint), message);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0x100_0000, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void numbersWiderThan24BitsAreRefused(int number) {
        assertThrows(IllegalArgumentException.class, () -> new ConnectionInfo(number, 0, Gid.ZERO, Mtu.MTU_256));
        assertThrows(IllegalArgumentException.class, () -> new ConnectionInfo(0, number, Gid.ZERO, Mtu.MTU_256));
    }

    @Test
    void unknownMtuAndNullAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> new ConnectionInfo(1, 2, Gid.ZERO, Mtu.UNKNOWN));
        assertEquals("gid", assertThrows(NullPointerException.class,
                () -> new ConnectionInfo(1, 2, null, Mtu.MTU_256)).getMessage());
        assertEquals("mtu", assertThrows(NullPointerException.class,
                () -> new ConnectionInfo(1, 2, Gid.ZERO, null)).getMessage());
    }
}
