package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.soft.LoopbackAddress;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The packet of a message of the connection manager, as a socket in place of a device receives it. */
@Timeout(60)
final class ManagementPacketTest {
    private static final int ROCE_PORT = 4791;
    private static final int UD_SEND_ONLY = 0x64;
    private static final int QPN_MASK = 0xFF_FFFF;
    private static final int BTH = 12;
    private static final int DETH = 8;
    private static final int MAD = 256;
    private static final int ICRC = 4;

    /** K39, K84, K148. */
    @Test
    void aReqIsOneSendFromQp1ToQp1() throws Exception {
        String address = LoopbackAddress.next();
        String peerAddress = LoopbackAddress.next();
        try (DatagramSocket peer = new DatagramSocket(new InetSocketAddress(peerAddress, ROCE_PORT));
                RdmaContext context = Verbs.open("soft:" + address);
                CmEventChannel channel = CmEventChannel.create(context);
                CmId id = channel.createId(PortSpace.TCP)) {
            id.resolveAddress(new InetSocketAddress(peerAddress, 7471), Duration.ofSeconds(2));
            expect(channel, CmEventType.ADDR_RESOLVED);
            id.resolveRoute(Duration.ofSeconds(2));
            expect(channel, CmEventType.ROUTE_RESOLVED);
            id.connect(ConnectionParameters.builder().queuePair(100, false).build());
            DatagramPacket packet = receive(peer);
            assertEquals(new InetSocketAddress(address, ROCE_PORT), packet.getSocketAddress());
            assertEquals(BTH + DETH + MAD + ICRC, packet.getLength());
            ByteBuffer bytes = ByteBuffer.wrap(packet.getData());
            assertEquals(UD_SEND_ONLY, bytes.get(0));
            assertEquals((short) 0xFFFF, bytes.getShort(2));
            assertEquals(1, bytes.getInt(4) & QPN_MASK);
            assertEquals(0x8001_0000, bytes.getInt(BTH));
            assertEquals(1, bytes.getInt(BTH + 4) & QPN_MASK);
            int mad = BTH + DETH;
            assertEquals(0x0107_0203, bytes.getInt(mad));
            assertEquals(0, bytes.getInt(mad + 4));
            assertEquals(0x0010_0000, bytes.getInt(mad + 16));
            assertEquals(0, bytes.getInt(mad + 20));
        }
    }

    private static DatagramPacket receive(DatagramSocket socket) throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[9000], 9000);
        socket.setSoTimeout(30_000);
        socket.receive(packet);
        return packet;
    }

    private static void expect(CmEventChannel channel, CmEventType type) throws InterruptedException {
        try (CmEvent event = channel.awaitEvent(Duration.ofSeconds(30))) {
            assertNotNull(event, "no event");
            assertEquals(type, event.type());
        }
    }
}
