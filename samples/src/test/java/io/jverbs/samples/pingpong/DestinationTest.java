package io.jverbs.samples.pingpong;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.samples.console.SampleFailure;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text form is the one that the C programs write with {@code sprintf} and read with {@code sscanf}. */
class DestinationTest {
    private static final String TEXT = "00a1:00001f:0abcde:00000000000000000000ffffc0000201\0";
    private static final Destination DESTINATION = new Destination(0xa1, 0x1f, 0xabcde, Gid.parse("192.0.2.1"));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void theTextHasFourFieldsOfFixedLengthAndAZeroByte() {
        assertArrayEquals(bytes(TEXT), DESTINATION.toWire());
        assertEquals(Destination.WIRE_BYTES, DESTINATION.toWire().length);
    }

    @Test
    void theTextIsReadBack() {
        assertEquals(DESTINATION, Destination.ofWire(bytes(TEXT)));
        assertEquals(new Destination(0xffff, 0xffffff, 0xffffff, Gid.of(-1, -1)),
                Destination.ofWire(new Destination(0xffff, 0xffffff, 0xffffff, Gid.of(-1, -1)).toWire()));
    }

    @Test
    void digitsMayBeOfEitherCase() {
        assertEquals(DESTINATION, Destination.ofWire(bytes(TEXT.toUpperCase(Locale.ROOT))));
    }

    @Test
    void noQueuePairIsAllZeros() {
        assertArrayEquals(bytes("0000:000000:000000:" + "0".repeat(32) + "\0"), Destination.NONE.toWire());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "GET / HTTP/1.1\r\nHost: localhost\r\n\r\nxxxxxxxxxxxxxxxxx",
        "00a1:00001f:0abcde:00000000000000000000ffffc000020\0\0",
        "00a1:00001f:0abcde:00000000000000000000ffffc0000201f",
        "00a1;00001f:0abcde:00000000000000000000ffffc0000201\0",
        "00a1:00001f:-abcde:00000000000000000000ffffc0000201\0"})
    void anyOtherTextIsRefusedAndQuoted(String text) {
        SampleFailure failure = assertThrows(SampleFailure.class, () -> Destination.ofWire(bytes(text)));

        assertTrue(failure.getMessage().startsWith("the peer sent \""), failure.getMessage());
        assertTrue(failure.getMessage().contains("LID:QPN:PSN:GID"), failure.getMessage());
        assertTrue(failure.getMessage().chars().allMatch(c -> c >= ' ' && c <= '~'), failure.getMessage());
    }

    @Test
    void theNumbersArePrintedAsInC() {
        assertEquals("LID 0x00a1, QPN 0x00001f, PSN 0x0abcde", DESTINATION.numbers());
    }
}
