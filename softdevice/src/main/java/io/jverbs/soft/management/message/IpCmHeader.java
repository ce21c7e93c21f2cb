package io.jverbs.soft.management.message;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The header before the program's private data in a REQ and a SIDR_REQ: the addresses of both ends. See annex A11, the
 * RDMA IP CM Service, of the InfiniBand Architecture Specification.
 *
 * @param source the address of the active side
 * @param sourcePort the port of the active side
 * @param destination the address of the passive side, of the same family
 */
public record IpCmHeader(InetAddress source, int sourcePort, InetAddress destination) {
    /** The length of the header in bytes. */
    public static final int BYTES = 36;

    private static final int IPV4 = 4;
    private static final int IPV6 = 6;
    private static final int ADDRESS_BYTES = 16;
    private static final int IPV4_BYTES = 4;
    private static final int SOURCE = 4;
    private static final int DESTINATION = SOURCE + ADDRESS_BYTES;

    /**
     * Decodes the header.
     *
     * @param data the private data of the message
     * @return the header
     * @throws IllegalArgumentException if the version is not 0, or the IP version neither 4 nor 6; the message says
     *     which
     */
    public static IpCmHeader decode(PrivateData data) {
        byte[] bytes = data.toBytes();
        int version = bytes[0] & 0xFF;
        int ipVersion = bytes[1] >>> 4 & 0xF;
        if (version != 0 || ipVersion != IPV4 && ipVersion != IPV6) {
            throw new IllegalArgumentException("version " + version + ", IP version " + ipVersion);
        }
        int port = ByteBuffer.wrap(bytes).getShort(2) & 0xFFFF;
        return new IpCmHeader(address(bytes, SOURCE, ipVersion), port, address(bytes, DESTINATION, ipVersion));
    }

    private static InetAddress address(byte[] bytes, int offset, int ipVersion) {
        int end = offset + ADDRESS_BYTES;
        int length = ipVersion == IPV4 ? IPV4_BYTES : ADDRESS_BYTES;
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, end - length, end));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * {@return the private data of a message: this header, and the program's data}
     *
     * @param program the program's data
     */
    public PrivateData before(byte[] program) {
        byte[] from = source.getAddress();
        ByteBuffer all = ByteBuffer.allocate(BYTES + program.length);
        all.put(1, (byte) ((from.length == IPV4_BYTES ? IPV4 : IPV6) << 4));
        all.putShort(2, (short) sourcePort);
        all.put(SOURCE + ADDRESS_BYTES - from.length, from);
        byte[] to = destination.getAddress();
        all.put(DESTINATION + ADDRESS_BYTES - to.length, to);
        all.put(BYTES, program);
        return PrivateData.of(all.array());
    }
}
