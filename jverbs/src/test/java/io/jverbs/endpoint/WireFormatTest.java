package io.jverbs.endpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The bytes of headers and private data, as the package description states them. */
class WireFormatTest {

    @Test
    void aHeaderHasTheDocumentedBytes() {
        MemorySegment memory = Arena.ofAuto().allocate(24);
        WireFormat.write(memory, 8, WireFormat.REQUEST, 0x01020304, 0x1122334455667788L);
        WireFormat.writeCredits(memory, 8, 3, 0x0A0B);
        assertArrayEquals(new byte[] {2, 3, 0x0A, 0x0B, 1, 2, 3, 4, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77,
            (byte) 0x88}, memory.asSlice(8).toArray(ValueLayout.JAVA_BYTE));
        assertEquals(WireFormat.REQUEST, WireFormat.type(memory, 8));
        assertEquals(0x01020304, WireFormat.length(memory, 8));
        assertEquals(0x1122334455667788L, WireFormat.requestId(memory, 8));
        assertEquals(3, WireFormat.controlCredits(memory, 8));
        assertEquals(0x0A0B, WireFormat.credits(memory, 8));
    }

    @Test
    void privateDataHaveTheDocumentedBytesAndAreReadWithTheZerosAfterThem() {
        WireFormat.PrivateData data = new WireFormat.PrivateData(4096, 1 << 24);
        ByteBuffer encoded = data.encode();
        byte[] bytes = new byte[56];
        encoded.get(bytes, 0, encoded.remaining());
        assertArrayEquals(new byte[] {0x4A, 0x56, 0x45, 0x50, 0, 1, 0, 0, 0, 0, 0x10, 0, 1, 0, 0, 0},
                java.util.Arrays.copyOf(bytes, 16));
        assertEquals(data, WireFormat.PrivateData.decode(ByteBuffer.wrap(bytes)));
    }

    @ParameterizedTest
    @CsvSource({"4A564550000100000000000100, has 13 bytes", "00000000000100000000000100000001, begins with 0x0",
        "4A564550000200000000000100000001, has version 2", "4A564550000100000000000000000001, receiveBuffers 0",
        "4A564550000100000000000101000001, messageSize 16777217"})
    void otherPrivateDataAreRefusedWithASentence(String hex, String expected) {
        byte[] bytes = java.util.HexFormat.of().parseHex(hex);
        String sentence = assertThrows(IllegalArgumentException.class,
                () -> WireFormat.PrivateData.decode(ByteBuffer.wrap(bytes))).getMessage();
        assertTrue(sentence.contains(expected), sentence);
    }

    @Test
    void theSentenceOfARejectIsCutToTheLengthOfTheMessageAndPrintable() {
        ByteBuffer data = WireFormat.PrivateData.rejection("x".repeat(500));
        assertEquals(148, data.remaining());
        assertEquals("x".repeat(140), WireFormat.PrivateData.sentence(data));
        assertEquals("a?b", WireFormat.PrivateData.sentence(WireFormat.PrivateData.rejection("a\nb")));
        assertNull(WireFormat.PrivateData.sentence(ByteBuffer.allocate(148)));
        assertNull(WireFormat.PrivateData.sentence(ByteBuffer.allocate(0)));
    }
}
