package io.jverbs.soft.management.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.Gid;
import java.io.IOException;
import java.net.InetAddress;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The codec of the messages, on those of {@link KernelMessages}.
 */
final class CmMessageTest {
    private static <T extends CmMessage> T first(Class<T> type) throws IOException {
        return KernelMessages.of(type).getFirst();
    }

    /** K40 to K44. */
    @ParameterizedTest
    @MethodSource("io.jverbs.soft.management.message.KernelMessages#vectors")
    void aMessageOfLinuxIsDecodedAndEncodedToTheSameBytes(KernelMessages.Vector vector) {
        ManagementDatagram mad = ManagementDatagram.of(vector.datagram());
        assertNull(mad.refusal());
        CmMessage message = CmMessage.decode(mad);
        assertEquals(vector.name(), message.attribute().name());
        assertArrayEquals(vector.datagram(), message.encode(mad.transactionId()).toBytes());
    }

    @Test
    void theConversationHasSixConnectionsAndARejectedRequest() throws IOException {
        assertEquals(Map.of("REQ", 7L, "REP", 6L, "RTU", 6L, "REJ", 1L, "DREQ", 6L, "DREP", 6L),
                KernelMessages.vectors().stream().filter(each -> !each.name().startsWith("SIDR"))
                        .collect(Collectors.groupingBy(KernelMessages.Vector::name, Collectors.counting())));
    }

    /** K41, K45, K46, K82, K100 to K102: the first REQ is that of an rping to a port without a listener. */
    @Test
    void theFieldsOfAReqAreThoseThatLinuxHasSet() throws IOException {
        ConnectRequest request = first(ConnectRequest.class);
        assertEquals(0x0000_0000_0106_15B3L, request.serviceId());
        assertEquals(17, request.qpn());
        assertEquals(1, request.responderResources());
        assertEquals(1, request.initiatorDepth());
        assertEquals(20, request.remoteCmResponseTimeout());
        assertEquals(20, request.localCmResponseTimeout());
        assertEquals(15, request.maxCmRetries());
        assertEquals(7, request.retryCount());
        assertEquals(7, request.rnrRetryCount());
        assertEquals(0xFFFF, request.pkey());
        assertEquals(3, request.pathMtu());
        PathFields path = request.primaryPath();
        assertEquals(Gid.parse("::ffff:10.9.0.2"), path.localGid());
        assertEquals(Gid.parse("::ffff:10.9.0.1"), path.remoteGid());
        assertEquals(0xFFFF, path.localLid());
        assertEquals(64, path.hopLimit());
        assertEquals(19, path.localAckTimeout());
        assertEquals(PathFields.NONE, request.alternatePath());
        IpCmHeader addresses = IpCmHeader.decode(request.privateData());
        assertEquals(InetAddress.getByName("10.9.0.2"), addresses.source());
        assertEquals(InetAddress.getByName("10.9.0.1"), addresses.destination());
        assertEquals(0x84C7, addresses.sourcePort());
        // K82: the flow label is derived from both ports
        assertEquals(0x84C7 * 31 + 0x15B3 & 0xFFFFF, path.flowLabel());
    }

    /** K23, K113: there is no listener. */
    @Test
    void theRejectNamesTheReasonAndHasNoCommunicationId() throws IOException {
        ConnectReject reject = first(ConnectReject.class);
        assertEquals(RejectReason.INVALID_SERVICE_ID, reject.reason());
        assertEquals(0, reject.localCommId());
        assertEquals(first(ConnectRequest.class).localCommId(), reject.remoteCommId());
        assertEquals(CmMessageType.REQ, reject.rejected());
    }

    /** K33, K35, K44. */
    @Test
    void aSidrReplyNamesTheQueuePairAndTheQkey() throws IOException {
        SidrReply reply = first(SidrReply.class);
        assertEquals(0x0123_4567, reply.qkey());
        assertEquals(SidrReply.VALID, reply.status());
        assertEquals(first(SidrRequest.class).requestId(), reply.requestId());
    }

    /** K52: what the program gave is followed by zeros. */
    @Test
    void shortPrivateDataIsFollowedByZeros() {
        ReadyToUse sent = new ReadyToUse(1, 2, PrivateData.of(new byte[] {7}));
        ReadyToUse decoded = assertInstanceOf(ReadyToUse.class, CmMessage.decode(sent.encode(3)));
        byte[] expected = new byte[224];
        expected[0] = 7;
        assertArrayEquals(expected, decoded.privateData().toBytes());
    }

    /** K41, K44: Linux 6.1 sends none. */
    @Test
    void theOptionsOfEceAreDecodedAsTheyWereEncoded() {
        Ece ece = new Ece(0x12_3456, 0x789A_BCDE);
        ConnectReply reply = new ConnectReply(1, 2, 0, 3, 4, 5, 6, 7, 0, false, 7, false, 8, ece, PrivateData.NONE);
        assertEquals(ece, ((ConnectReply) CmMessage.decode(reply.encode(9))).ece());
        SidrReply lookup = new SidrReply(1, 0, 2, 3, 4, ece, PrivateData.NONE, PrivateData.NONE);
        assertEquals(ece, ((SidrReply) CmMessage.decode(lookup.encode(9))).ece());
    }

    @Test
    void longPrivateDataIsRefused() {
        DisconnectReply reply = new DisconnectReply(1, 2, PrivateData.of(new byte[225]));
        assertThrows(IllegalArgumentException.class, () -> reply.encode(3));
    }

    /** K149: the columns are the offset of a byte, its value, and the refusal; 0x19 is LAP and 0x1A is APR. */
    @ParameterizedTest
    @CsvSource({"0, 2, BASE_VERSION", "1, 3, MANAGEMENT_CLASS", "2, 1, CLASS_VERSION", "3, 1, METHOD",
        "16, 1, ATTRIBUTE", "17, 0x19, ATTRIBUTE", "17, 0x1A, ATTRIBUTE"})
    void aDatagramWithAnotherHeaderIsRefused(int offset, byte value, MadRefusal refusal) throws IOException {
        byte[] bytes = KernelMessages.vectors().getFirst().datagram().clone();
        bytes[offset] = value;
        assertEquals(refusal, ManagementDatagram.of(bytes).refusal());
    }

    @Test
    void anUnknownAttributeIsNoMessage() throws IOException {
        byte[] bytes = KernelMessages.vectors().getFirst().datagram().clone();
        bytes[17] = 0x7F;
        assertNull(CmMessage.decode(ManagementDatagram.of(bytes)));
    }

    /** K89: the columns are the first two bytes of the header. */
    @ParameterizedTest
    @CsvSource({"1, 0x40", "0, 0x50", "0, 0x00"})
    void anIpCmHeaderOfAnotherVersionIsRefused(byte version, int ipVersion) throws IOException {
        byte[] data = first(ConnectRequest.class).privateData().toBytes();
        data[0] = version;
        data[1] = (byte) ipVersion;
        assertThrows(IllegalArgumentException.class, () -> IpCmHeader.decode(PrivateData.of(data)));
    }

    /** K46. */
    @ParameterizedTest
    @CsvSource({"192.0.2.7, 198.51.100.9", "2001:db8::7, 2001:db8::9"})
    void anIpCmHeaderIsDecodedAsItWasEncoded(String source, String destination) throws IOException {
        IpCmHeader header = new IpCmHeader(InetAddress.getByName(source), 50_000, InetAddress.getByName(destination));
        PrivateData data = header.before(new byte[] {1, 2});
        assertEquals(header, IpCmHeader.decode(data));
        assertEquals(IpCmHeader.BYTES + 2, data.length());
        assertEquals(2, data.toBytes()[IpCmHeader.BYTES + 1]);
    }
}
