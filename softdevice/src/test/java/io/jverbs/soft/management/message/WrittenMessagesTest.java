package io.jverbs.soft.management.message;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/**
 * Messages whose bytes were written by hand from the tables of the specification, because Linux 6.1 sends none in the
 * conversation of {@link KernelMessages}: the MRA, and those with options of ECE.
 */
final class WrittenMessagesTest {
    private static final long TRANSACTION = 0x1112_1314_1516_1718L;
    /** The first 24 bytes, without the attribute ID and the attribute modifier. */
    private static final String HEADER = "01 07 02 03 00 00 00 00 11 12 13 14 15 16 17 18 ";

    /** Returns a datagram that starts with the bytes. */
    private static byte[] datagram(String start) {
        return Arrays.copyOf(HexFormat.of().parseHex(start.replace(" ", "")), ManagementDatagram.BYTES);
    }

    private static PrivateData padded(int length, int... bytes) {
        byte[] data = new byte[length];
        for (int i = 0; i < bytes.length; i++) {
            data[i] = (byte) bytes[i];
        }
        return PrivateData.of(data);
    }

    private static void assertBytes(byte[] bytes, CmMessage message) {
        assertArrayEquals(bytes, message.encode(TRANSACTION).toBytes());
        assertEquals(message, CmMessage.decode(ManagementDatagram.of(bytes)));
    }

    /** K40, K43: IDs at 0 and 4, the message in the high 2 bits of byte 8, the time in the high 5 of byte 9. */
    @Test
    void anMraHasTheBytesOfTheSpecification() {
        byte[] bytes = datagram(HEADER + "00 11 00 00 00 00 00 00 "
                + "01 02 03 04 05 06 07 08 40 C0 21 22 23");
        assertBytes(bytes, new MessageReceiptAck(0x0102_0304, 0x0506_0708, CmMessageType.REP, 24,
                padded(222, 0x21, 0x22, 0x23)));
        byte[] ofReq = datagram(HEADER + "00 11 00 00 00 00 00 00 "
                + "01 02 03 04 05 06 07 08 00 F8");
        assertBytes(ofReq, new MessageReceiptAck(0x0102_0304, 0x0506_0708, CmMessageType.REQ, 31, padded(222)));
    }

    /** K145: the vendor ID is in bytes 5 to 7, the options are the attribute modifier. */
    @Test
    void theVendorIdOfAReqIsInBytes5To7() throws IOException {
        ManagementDatagram plain = ManagementDatagram.of(KernelMessages.vectors().stream()
                .filter(each -> each.name().equals("REQ")).findFirst().orElseThrow().datagram());
        byte[] bytes = plain.toBytes();
        assertArrayEquals(new byte[4], plain.get(20, 4));
        assertArrayEquals(new byte[4], plain.get(28, 4));
        byte[] options = HexFormat.of().parseHex("789ABCDE");
        System.arraycopy(options, 0, bytes, 20, options.length);
        byte[] vendor = HexFormat.of().parseHex("ABCDEF");
        System.arraycopy(vendor, 0, bytes, 24 + 5, vendor.length);
        CmMessage decoded = CmMessage.decode(ManagementDatagram.of(bytes));
        assertEquals(new Ece(0xAB_CDEF, 0x789A_BCDE), ((ConnectRequest) decoded).ece());
        assertArrayEquals(bytes, decoded.encode(plain.transactionId()).toBytes());
    }

    /** K42, K145: the vendor ID is in bytes 15, 19 and 23. */
    @Test
    void aRepHasTheBytesOfTheSpecification() {
        byte[] bytes = datagram(HEADER + "00 13 00 00 78 9A BC DE "
                + "01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F AB 00 00 00 CD 10 11 12 EF "
                + "13 14 7D D0 21 22 23 24 25 26 27 28 31 32");
        assertBytes(bytes, new ConnectReply(0x0102_0304, 0x0506_0708, 0x090A_0B0C, 0x0D_0E0F, 0x10_1112, 0x13, 0x14,
                15, 2, true, 6, true, 0x2122_2324_2526_2728L, new Ece(0xAB_CDEF, 0x789A_BCDE),
                padded(196, 0x31, 0x32)));
    }

    /** K44, K145: the vendor ID is in bytes 6, 7 and 11. */
    @Test
    void aSidrRepHasTheBytesOfTheSpecification() {
        byte[] start = datagram(HEADER + "00 18 00 00 78 9A BC DE "
                + "01 02 03 04 02 03 AB CD 05 06 07 EF 11 12 13 14 15 16 17 18 21 22 23 24 31 32 33");
        start[24 + 96] = 0x41;
        assertBytes(start, new SidrReply(0x0102_0304, 2, 0x05_0607, 0x1112_1314_1516_1718L, 0x2122_2324,
                new Ece(0xAB_CDEF, 0x789A_BCDE), PrivateData.of(new byte[] {0x31, 0x32, 0x33}), padded(136, 0x41)));
    }
}
