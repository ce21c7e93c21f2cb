package io.jverbs.samples.perftest.exchange;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Gid;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Addresses have the forms that perftest 4.5 sends, and other messages are refused with the field and its value. */
class AddressFormatTest {
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");
    private static final PeerAddress ADDRESS = new PeerAddress(0x12, 16, 0x1f, 0xb1692c, 0x105a, 0x557f44c2a000L, GID,
            0);
    private static final String WITH_GID = "0012:0010:00001f:b1692c:0000105a:0000557f44c2a000:"
            + "00:00:00:00:00:00:00:00:00:00:ff:ff:c0:00:02:01:00000000:\0";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void anAddressWithAGidHas107CharactersAndANul() {
        assertEquals(108, WITH_GID.length());
        assertArrayEquals(bytes(WITH_GID), AddressFormat.TEXT_WITH_GID.encode(ADDRESS));
    }

    @Test
    void anAddressWithoutAGidHas58CharactersAndANul() {
        byte[] expected = bytes("0012:0010:00001f:b1692c:0000105a:0000557f44c2a000:00000000\0");

        assertEquals(59, expected.length);
        assertArrayEquals(expected, AddressFormat.TEXT.encode(ADDRESS));
    }

    @Test
    void theBinaryAddressHasTheLayoutOfThe64BitStructureInNetworkByteOrder() {
        String expected = "00000012" + "00000010" + "0000001f" + "00b1692c" + "0000105a" + "00000000"
                + "0000557f44c2a000" + "00000000000000000000ffffc0000201" + "00000000" + "00000000";

        assertEquals(expected, HexFormat.of().formatHex(AddressFormat.BINARY.encode(ADDRESS)));
    }

    @ParameterizedTest
    @EnumSource(AddressFormat.class)
    void eachFormIsDecodedBack(AddressFormat format) {
        Gid gid = format == AddressFormat.TEXT ? Gid.ZERO : GID;
        PeerAddress all = new PeerAddress(0xffff, 255, 0xff_ffff, 0xff_ffff, -1, -1, gid, -1);
        PeerAddress none = new PeerAddress(0, 0, 0, 0, 0, 0, gid, 0);

        assertEquals(all, format.decode(format.encode(all)));
        assertEquals(none, format.decode(format.encode(none)));
        assertEquals(format.bytes(), format.encode(all).length);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "0012: | 10012: | the LID is 0x10012, outside 0x0..0xffff",
        ":0010: | :0100: | the number of outstanding reads is 0x100, outside 0x0..0xff",
        ":00001f: | :100001f: | the queue pair number is 0x100001f, outside 0x0..0xffffff",
        ":b1692c: | :1b1692c: | the PSN is 0x1b1692c, outside 0x0..0xffffff",
        ":0000105a: | :10000105a: | the rkey is 0x10000105a, outside 0x0..0xffffffff",
        ":c0: | :100: | byte 12 of the GID is 0x100, outside 0x0..0xff",
        ":00000000: | :100000000: | the number of the shared receive queue is 0x100000000, outside 0x0..0xffffffff"})
    void aNumberOutsideOfItsRangeIsNamed(String valid, String wrong, String sentence) {
        byte[] message = bytes(WITH_GID.replaceFirst(valid, wrong));

        assertEquals(sentence, assertThrows(IllegalArgumentException.class,
                () -> AddressFormat.TEXT_WITH_GID.decode(message)).getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"done", "0012:0010", "hello, world", "0012:0010:00001g", ":::::::"})
    void aMessageOfOtherFieldsIsQuoted(String text) {
        byte[] message = Arrays.copyOf(bytes(text), 108);

        assertEquals("\"" + text + "\" is not 23 hexadecimal numbers with colons between them",
                assertThrows(IllegalArgumentException.class, () -> AddressFormat.TEXT_WITH_GID.decode(message))
                        .getMessage());
    }

    @Test
    void aMessageThatIsNoTextIsPrintedInHexadecimal() {
        byte[] message = new byte[59];
        message[0] = (byte) 0xfe;

        assertEquals("0xfe" + "00".repeat(58) + " is not 7 hexadecimal numbers with colons between them",
                assertThrows(IllegalArgumentException.class, () -> AddressFormat.TEXT.decode(message)).getMessage());
    }

    @Test
    void aBinaryNumberOutsideOfItsRangeIsNamed() {
        byte[] message = AddressFormat.BINARY.encode(ADDRESS);
        message[8] = 1;

        assertEquals("the queue pair number is 0x100001f, outside 0x0..0xffffff",
                assertThrows(IllegalArgumentException.class, () -> AddressFormat.BINARY.decode(message)).getMessage());
    }
}
