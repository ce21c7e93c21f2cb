package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.Gid;
import io.jverbs.soft.management.communication.CmDropReason;
import io.jverbs.soft.management.communication.CmNetwork;
import io.jverbs.soft.management.communication.CmPath;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.CmMessage;
import io.jverbs.soft.management.message.ConnectReject;
import io.jverbs.soft.management.message.IpCmHeader;
import io.jverbs.soft.management.message.ManagementDatagram;
import io.jverbs.soft.management.message.RejectReason;
import io.jverbs.soft.management.message.SidrReply;
import io.jverbs.soft.management.message.SidrRequest;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.CmParameters;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests whose addresses are not those of the packet that they arrive in. */
final class ForeignAddressesTest {
    private static final int LOCAL_GID = 80;
    private static final int REMOTE_GID = 96;
    private static final int HEADER = 164;
    private static final int SOURCE = HEADER + 16;
    private static final int DESTINATION = HEADER + 32;

    private final CmNetwork network = new CmNetwork(1, 0, 0);
    private final CmHost client = new CmHost(network, 1);
    private final CmHost server = new CmHost(network, 2);
    private final List<CmMessage> responses = new ArrayList<>();

    private long dropped(CmDropReason reason, CmAttribute attribute) {
        return server.device.agent().counters().dropped(reason, attribute);
    }

    /** Delivers the REQs of the client to the server with other bytes. */
    private void forge(int offset, byte[] value) {
        network.filter((mad, path) -> {
            if (mad.attribute() != CmAttribute.REQ) {
                responses.add(CmMessage.decode(mad));
                return true;
            }
            byte[] bytes = ByteBuffer.wrap(mad.toBytes()).put(offset, value).array();
            server.device.agent().receive(ManagementDatagram.of(bytes), new CmPath(server.gid, client.gid));
            server.device.agent().run(() -> {});
            return false;
        });
    }

    private void connect() {
        server.listen(new InetSocketAddress("0.0.0.0", CmHost.PORT), 1);
        client.connect(server, new CmParameters(new byte[0], 1, 1, false, 7, 7, false, 100, 0));
    }

    /** K90: the columns are the field of the header and its value; the packet is from 192.0.2.1 to 192.0.2.2. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            source,      224.0.0.1
            source,      0.0.0.0
            source,      255.255.255.255
            source,      127.0.0.1
            source,      192.0.2.3
            source,      192.0.2.2
            destination, 192.0.2.9
            destination, 192.0.2.1
            """)
    void aRequestWhoseHeaderNamesOtherAddressesThanItsPacketIsRejected(String field, String value)
            throws UnknownHostException {
        forge(field.equals("source") ? SOURCE : DESTINATION, InetAddress.getByName(value).getAddress());
        connect();
        assertEquals(RejectReason.CONSUMER_DEFINED, client.next(CmEventType.REJECTED).status());
        assertNull(server.poll());
        assertEquals(1, dropped(CmDropReason.FOREIGN_ADDRESS, CmAttribute.REQ));
    }

    /** K150: the REJ names the GID that the peer may use. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            80, ::ffff:192.0.2.3
            80, ::
            80, ff0e::1
            96, ::ffff:192.0.2.1
            96, 2001:db8::1
            """)
    void aRequestWhosePathHasOtherGidsThanItsPacketIsRejected(int offset, String gid) {
        forge(offset, Gid.parse(gid).toBytes());
        connect();
        assertEquals(RejectReason.INVALID_GID, client.next(CmEventType.REJECTED).status());
        assertArrayEquals(server.gid.toBytes(), ((ConnectReject) responses.getFirst()).additionalInfo().toBytes());
        assertNull(server.poll());
        assertEquals(1, dropped(CmDropReason.FOREIGN_GID, CmAttribute.REQ));
    }

    /** K92, K150: the same datagram with the addresses of its packet. */
    @Test
    void aRequestWithTheAddressesOfItsPacketReachesTheProgram() {
        forge(LOCAL_GID, client.gid.toBytes());
        connect();
        CmIdOps.Route route = server.next(CmEventType.CONNECT_REQUEST).id().route();
        assertEquals(client.gid.toInetAddress(), route.remote().getAddress());
        assertEquals(server.gid.toInetAddress(), route.local().getAddress());
        forge(REMOTE_GID, server.gid.toBytes());
        client.connect(server, new CmParameters(new byte[0], 1, 1, false, 7, 7, false, 101, 0));
        server.next(CmEventType.CONNECT_REQUEST);
    }

    /** K90: a SIDR_REQ has no GIDs, but the same header. */
    @Test
    void aLookupWhoseHeaderNamesAnotherSourceThanItsPacketIsRejected() throws UnknownHostException {
        CmIdOps listener = server.datagramId();
        listener.bind(server.address(CmHost.PORT));
        listener.listen(1);
        network.filter((mad, path) -> responses.add(CmMessage.decode(mad)));
        for (String source : List.of("192.0.2.3", "192.0.2.1")) {
            IpCmHeader header = new IpCmHeader(InetAddress.getByName(source), 1, server.gid.toInetAddress());
            SidrRequest request = new SidrRequest(7, 0xFFFF, ConnectMessages.serviceId(CmHost.UDP, CmHost.PORT),
                    header.before(new byte[0]));
            server.device.agent().receive(request.encode(1), new CmPath(server.gid, client.gid));
            server.device.agent().run(() -> {});
        }
        assertEquals(SidrReply.REJECTED, ((SidrReply) responses.getFirst()).status());
        assertEquals(1, responses.size());
        assertEquals(1, dropped(CmDropReason.FOREIGN_ADDRESS, CmAttribute.SIDR_REQ));
        server.next(CmEventType.CONNECT_REQUEST);
    }
}
