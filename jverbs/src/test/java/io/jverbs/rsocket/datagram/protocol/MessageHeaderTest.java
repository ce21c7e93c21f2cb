package io.jverbs.rsocket.datagram.protocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The header of messages, and the source of the packet in front of it. */
class MessageHeaderTest {
    /** {@code struct ds_header} of librdmacm: port 7174 of 192.0.2.2. */
    private static final String IPV4 = "04" + "08" + "1c06" + "c0000202";
    /** Port 7174 of 2001:db8::2, flow information 0. */
    private static final String IPV6 = "06" + "18" + "1c06" + "00000000" + "20010db8000000000000000000000002";
    private static final InetSocketAddress IPV4_SENDER = new InetSocketAddress("192.0.2.2", 7174);
    private static final InetSocketAddress IPV6_SENDER = new InetSocketAddress("2001:db8::2", 7174);
    private static final long IPV6_HIGH = 0x20010db8L << 32;
    private static final String IPV4_GRH = "00".repeat(20) + "4500002c00004000401100" + "00" + "c0000202" + "c0000201";
    private static final String IPV6_GRH = "60000000" + "0018" + "11" + "40" + "20010db8000000000000000000000002"
            + "20010db8000000000000000000000001";

    private static ByteBuffer bytes(String hex) {
        return ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    }

    @Test
    void theHeaderHasTheBytesOfLibrdmacm() {
        assertArrayEquals(bytes(IPV4).array(), MessageHeader.encode(IPV4_SENDER));
        assertArrayEquals(bytes(IPV6).array(), MessageHeader.encode(IPV6_SENDER));
        assertEquals(MessageHeader.IPV4_BYTES, MessageHeader.bytes(IPV4_SENDER.getAddress()));
        assertEquals(MessageHeader.IPV6_BYTES, MessageHeader.bytes(IPV6_SENDER.getAddress()));
    }

    @Test
    void aMessageIsReadWhereItBegins() {
        ByteBuffer messages = bytes("ffffff" + IPV4 + IPV6);
        assertTrue(MessageHeader.isValid(messages, 3, 8));
        assertEquals(8, MessageHeader.length(messages, 3));
        assertEquals(7174, MessageHeader.port(messages, 3));
        assertEquals(0, MessageHeader.addressHigh(messages, 3));
        assertEquals(0xFFFF_C000_0202L, MessageHeader.addressLow(messages, 3));
        assertEquals(IPV4_SENDER, MessageHeader.sender(messages, 3));
        assertTrue(MessageHeader.isValid(messages, 11, 24));
        assertEquals(24, MessageHeader.length(messages, 11));
        assertEquals(IPV6_HIGH, MessageHeader.addressHigh(messages, 11));
        assertEquals(2, MessageHeader.addressLow(messages, 11));
        assertEquals(IPV6_SENDER, MessageHeader.sender(messages, 11));
    }

    @ParameterizedTest
    @CsvSource({"8, 0, 05", "8, 0, 00", "8, 1, 07", "8, 1, 09", "8, 1, 18", "8, 1, ff", "8, 2, 0000", "7, 0, 04",
        "0, 0, 04", "8, 0, 06", "8, 0, 0618", "23, 0, 0618", "24, 0, 0608", "24, 0, 0418"})
    void aHeaderThatNoRsocketSendsIsNotValid(int length, int at, String hex) {
        ByteBuffer messages = bytes(IPV4 + "00".repeat(40)).put(at, HexFormat.of().parseHex(hex));
        assertFalse(MessageHeader.isValid(messages, 0, length));
    }

    @Test
    void aPacketIsFromTheSourceOfItsIpHeader() {
        ByteBuffer messages = bytes(IPV4_GRH + IPV6_GRH);
        assertEquals(2 * ReceivedGrh.BYTES, messages.capacity());
        long low = 0xFFFF_C000_0202L;
        assertTrue(ReceivedGrh.isFrom(messages, 0, 0, low));
        assertFalse(ReceivedGrh.isFrom(messages, 0, 0, low - 1));
        assertFalse(ReceivedGrh.isFrom(messages, 0, 0, low & 0xFFFF_FFFFL));
        assertFalse(ReceivedGrh.isFrom(messages, 0, 1, low));
        assertTrue(ReceivedGrh.isFrom(messages, 40, IPV6_HIGH, 2));
        assertFalse(ReceivedGrh.isFrom(messages, 40, IPV6_HIGH, 1));
        assertFalse(ReceivedGrh.isFrom(messages, 40, IPV6_HIGH + 1, 2));
    }

    @Test
    void aPacketWithoutAnIpHeaderIsFromNobody() {
        assertFalse(ReceivedGrh.isFrom(ByteBuffer.allocate(40), 0, 0, 0));
        assertFalse(ReceivedGrh.isFrom(ByteBuffer.allocate(40), 0, 0, 0xFFFFL << 32));
    }
}
