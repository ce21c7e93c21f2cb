package io.jverbs.rsocket.datagram.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The header of UDP datagrams: the bytes of librdmacm, and those that no rsocket sends. */
class UdpHeaderTest {
    /** {@code struct ds_udp_header} of librdmacm: a message from queue pair 0x1234 at 192.0.2.2. */
    private static final String IPV4 = "55555555" + "04" + "00" + "10" + "00" + "00001234" + "c0000202";
    /** A control message from queue pair 0x1234 at 2001:db8::2. */
    private static final String IPV6 = "55555555" + "06" + "07" + "1c" + "00" + "00001234"
            + "20010db8000000000000000000000002";
    private static final InetAddress IPV4_SOURCE = InetAddress.ofLiteral("192.0.2.2");
    private static final InetAddress IPV6_SOURCE = InetAddress.ofLiteral("2001:db8::2");

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void theHeaderHasTheBytesOfLibrdmacm() {
        assertArrayEquals(bytes(IPV4).array(), UdpHeader.encode(UdpHeader.DATA, 0x1234, IPV4_SOURCE));
        assertArrayEquals(bytes(IPV6).array(), UdpHeader.encode(UdpHeader.CONTROL, 0x1234, IPV6_SOURCE));
    }

    @Test
    void aDatagramIsReadAtThePositionOfTheBuffer() {
        ByteBuffer datagram = bytes("ffff" + IPV4 + "6869").position(2);
        assertTrue(UdpHeader.isValid(datagram, IPV4_SOURCE));
        assertTrue(UdpHeader.isFrom(datagram, IPV4_SOURCE));
        assertEquals(UdpHeader.DATA, UdpHeader.operation(datagram));
        assertEquals(0x1234, UdpHeader.queuePair(datagram));
        assertEquals(2, datagram.position());
        assertTrue(UdpHeader.isValid(bytes(IPV6), IPV6_SOURCE));
        assertEquals(UdpHeader.CONTROL, UdpHeader.operation(bytes(IPV6)));
    }

    @ParameterizedTest
    @CsvSource({"0, 55555556", "4, 06", "4, 05", "5, 01", "5, 08", "5, ff", "6, 00", "6, 0f", "6, 1c", "6, ff",
        "8, 00000000", "8, 00000001", "8, 00ffffff"})
    void aHeaderThatNoRsocketSendsIsNotValid(int at, String hex) {
        ByteBuffer datagram = bytes(IPV4 + "00".repeat(40)).put(at, HexFormat.of().parseHex(hex));
        assertFalse(UdpHeader.isValid(datagram, IPV4_SOURCE));
    }

    @Test
    void theVersionIsThatOfTheAddressFromWhichTheDatagramHasCome() {
        assertFalse(UdpHeader.isValid(bytes(IPV4 + "00".repeat(12)), IPV6_SOURCE));
        assertFalse(UdpHeader.isValid(bytes(IPV6), IPV4_SOURCE));
    }

    @Test
    void theUpperBitsOfTheQueuePairAreReserved() {
        ByteBuffer datagram = bytes(IPV4).put(8, (byte) 0xAB);
        assertTrue(UdpHeader.isValid(datagram, IPV4_SOURCE));
        assertEquals(0x1234, UdpHeader.queuePair(datagram));
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.3", "193.0.2.2"})
    void aHeaderWithTheAddressOfAnotherHostIsNotFromTheSource(String other) {
        assertFalse(UdpHeader.isFrom(bytes(IPV4), InetAddress.ofLiteral(other)));
    }

    @Test
    void datagramsOfAnyLengthAndContentAreRead() {
        SplittableRandom random = new SplittableRandom(5);
        for (int length = 0; length <= 40; length++) {
            for (int i = 0; i < 2000; i++) {
                byte[] content = new byte[length];
                random.nextBytes(content);
                ByteBuffer header = bytes(i % 2 == 0 ? IPV4 : IPV6);
                header.get(0, content, 0, Math.min(random.nextInt(header.capacity() + 1), length));
                InetAddress source = i % 4 < 2 ? IPV4_SOURCE : IPV6_SOURCE;
                ByteBuffer datagram = ByteBuffer.wrap(content);
                if (UdpHeader.isValid(datagram, source)) {
                    assertTrue(length >= UdpHeader.bytes(source));
                    UdpHeader.isFrom(datagram, source);
                    assertTrue(UdpHeader.queuePair(datagram) > 1);
                }
            }
        }
    }
}
