package io.jverbs.rsocket.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The private data of rsocket: those that librdmacm sends, and those that no rsocket sends. */
class ConnectDataTest {
    /** What rstream of librdmacm 44 sent in a connect request over rxe of Linux 6.1, on x86-64. */
    private static final String REQUEST = "0102018000000000" + "0000556d83e85000" + "00000f51" + "00000002"
            + "00007fb66f94a000" + "00001059" + "00080000";
    /** The private data of the response, from the field of 196 bytes. */
    private static final String RESPONSE = "0102018000000000" + "00007f4e90003000" + "00000a0b" + "00000002"
            + "00007f4e974f1000" + "00000b34" + "00080000";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void whatLibrdmacmSendsIsDecodedAndEncodedToTheSameBytes() {
        ConnectData request = ConnectData.decode(bytes(REQUEST));
        assertEquals(new ConnectData(ConnectData.FLAG_IOMAP, 384, 0, new RemoteSge(0x556d83e85000L, 0xf51, 2),
                new RemoteSge(0x7fb66f94a000L, 0x1059, 512 << 10)), request);
        assertEquals(ByteOrder.LITTLE_ENDIAN, request.byteOrder());
        assertEquals(0x556d83e85020L, request.iomapAddress());
        assertEquals(bytes(REQUEST), request.encode());

        ConnectData response = ConnectData.decode(bytes(RESPONSE + "00".repeat(156)));
        assertEquals(new RemoteSge(0x7f4e90003000L, 0xa0b, 2), response.targetSgl());
        assertEquals(new RemoteSge(0x7f4e974f1000L, 0xb34, 512 << 10), response.dataBuffer());
        assertEquals(bytes(RESPONSE), response.encode());
    }

    @Test
    void aBigEndianPeerAndOneWithoutIomapsAreRecognized() {
        ConnectData decoded = ConnectData.decode(bytes("0101018000000010" + REQUEST.substring(16)));
        assertEquals(ByteOrder.BIG_ENDIAN, decoded.byteOrder());
        assertEquals(0, decoded.iomapSize(), "without the flag, the size has no meaning");
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 1", "128, 128", "129, 128", "255, 128", "256, 256", "300, 256", "1024, 1024",
        "32512, 32512"})
    void theSizeOfTheIomapIsCoarseAbove128(int size, int understood) {
        assertEquals(understood, ConnectData.representableIomapSize(size));
        ConnectData data = new ConnectData(ConnectData.FLAG_IOMAP, 1, size, new RemoteSge(16, 1, 2),
                new RemoteSge(4096, 2, 64));
        assertEquals(understood, ConnectData.decode(data.encode()).iomapSize());
    }

    @ParameterizedTest
    @CsvSource({"0, 02, version 2", "0, 00, version 0", "2, 0000, 0 credits, which is outside 1..65535",
        "20, 00000001, 1 entries of the target SGL, which is outside 2..1024",
        "20, 00000401, 1025 entries of the target SGL", "20, ffffffff, 4294967295 entries of the target SGL",
        "36, 00000000, 0 bytes of the data buffer, which is outside 1..2147483648",
        "36, 80000001, 2147483649 bytes of the data buffer",
        "8, ffffffffffffffe1, target SGL of 32 bytes at address 0xffffffffffffffe1",
        "24, fffffffffff80001, data buffer of 524288 bytes at address 0xfffffffffff80001"})
    void dataThatNoRsocketSendsAreRefusedWithTheValueAndTheRange(int at, String hex, String expected) {
        ByteBuffer data = bytes(REQUEST).put(at, HexFormat.of().parseHex(hex));
        String sentence = assertThrows(ProtocolViolation.class, () -> ConnectData.decode(data)).getMessage();
        assertTrue(sentence.contains(expected), sentence);
    }

    @ParameterizedTest
    @CsvSource({"8, ffffffffffffffe0", "24, fffffffffff80000", "36, 80000000", "20, 00000400", "2, ffff"})
    void theLargestValuesAreAccepted(int at, String hex) {
        ByteBuffer data = bytes(REQUEST).put(at, HexFormat.of().parseHex(hex));
        assertEquals(data, ConnectData.decode(data).encode());
    }

    @Test
    void shortDataAreRefused() {
        for (int length = 0; length < ConnectData.BYTES; length++) {
            ByteBuffer data = bytes(REQUEST).limit(length);
            String sentence = assertThrows(ProtocolViolation.class, () -> ConnectData.decode(data)).getMessage();
            assertTrue(sentence.contains("has " + length + " bytes"), sentence);
        }
    }

    @Test
    void randomDataAreDecodedToValuesInTheirRangesOrRefused() {
        SplittableRandom random = new SplittableRandom(7);
        int accepted = 0;
        for (int i = 0; i < 20_000; i++) {
            ByteBuffer data = bytes(REQUEST);
            int changes = 1 + random.nextInt(8);
            for (int k = 0; k < changes; k++) {
                data.put(random.nextInt(ConnectData.BYTES), (byte) random.nextInt());
            }
            ConnectData decoded = null;
            try {
                decoded = ConnectData.decode(data);
            } catch (ProtocolViolation e) {
                assertTrue(e.getMessage().startsWith("the peer "), e.getMessage());
            }
            if (decoded != null) {
                accepted++;
                assertTrue(decoded.credits() > 0 && decoded.targetSgl().length() >= 2, decoded::toString);
                assertTrue(decoded.iomapSize() >= 0 && decoded.iomapSize() <= ConnectData.MAX_IOMAP_SIZE);
            }
        }
        assertTrue(accepted > 1000, accepted + " accepted");
    }
}
