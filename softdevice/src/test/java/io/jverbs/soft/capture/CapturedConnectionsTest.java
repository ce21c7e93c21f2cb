package io.jverbs.soft.capture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.CompletionQueue;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.fixture.InOtherProcesses;
import io.jverbs.control.CmMessage;
import io.jverbs.control.DeviceCounters;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.program.ChildJvm;
import io.jverbs.spi.SystemProperties;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each message of the connection manager is captured on each fabric, and tshark dissects it. */
@InOtherProcesses
final class CapturedConnectionsTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final int PORT = 7471;
    private static final int QP1 = 1;
    private static final int ATTRIBUTE_ID = 16;

    @TempDir
    private Path folder;

    /** One side: a context and a channel. */
    private static final class Side implements AutoCloseable {
        final RdmaContext context;
        final ProtectionDomain pd;
        final CompletionQueue cq;
        final CmEventChannel channel;

        Side(String selector) {
            context = Verbs.open(selector);
            pd = context.allocatePd();
            cq = context.createCompletionQueue(16);
            channel = CmEventChannel.create(context);
        }

        InetSocketAddress address() {
            return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), PORT);
        }

        void createQueuePair(CmId id) {
            id.createQueuePair(pd, QpInitAttributes.builder(id.qpType()).cq(cq).build());
        }

        CmId listen(PortSpace space) {
            CmId listener = channel.createId(space);
            listener.bind(address());
            listener.listen(4);
            return listener;
        }

        /** Waits for the next event, which must be of a type. */
        CmId await(CmEventType type) throws InterruptedException {
            try (CmEvent event = channel.awaitEvent(LIMIT)) {
                if (event == null || event.type() != type) {
                    throw new AssertionError(event + " in place of " + type);
                }
                return event.id();
            }
        }

        long duplicates() {
            return context.device().capability(DeviceCounters.class).orElseThrow().snapshot().get("cm_rx_duplicates");
        }

        @Override
        public void close() {
            context.close();
        }
    }

    /**
     * Connects within the JVM, over the wire and over a simulated network: one connection is accepted after the peer
     * has repeated its request, and ended; one is rejected; and one queue pair is looked up.
     */
    public static final class Program {
        private Program() {}

        public static void main(String[] args) throws InterruptedException {
            // a REQ is repeated after 192 ms
            System.setProperty(SystemProperties.SOFT_CM_DIVISOR, "32");
            for (int i = 0; i < args.length; i += 2) {
                try (Side client = new Side(args[i]); Side server = new Side(args[i + 1])) {
                    connect(client, server);
                }
            }
        }

        private static CmId connect(Side client, Side server, PortSpace space) throws InterruptedException {
            CmId active = client.channel.createId(space);
            active.resolveAddress(server.address(), LIMIT);
            client.await(CmEventType.ADDR_RESOLVED);
            active.resolveRoute(LIMIT);
            client.await(CmEventType.ROUTE_RESOLVED);
            client.createQueuePair(active);
            active.connect(ConnectionParameters.DEFAULT);
            return active;
        }

        private static void connect(Side client, Side server) throws InterruptedException {
            server.listen(PortSpace.TCP);
            server.listen(PortSpace.UDP);
            CmId active = connect(client, server, PortSpace.TCP);
            CmId passive = server.await(CmEventType.CONNECT_REQUEST);
            server.createQueuePair(passive);
            long end = System.nanoTime() + LIMIT.toNanos();
            while (server.duplicates() == 0) {
                if (System.nanoTime() > end || client.channel.awaitEvent(Duration.ofMillis(1)) != null) {
                    throw new AssertionError("the REQ was not repeated");
                }
            }
            passive.accept(ConnectionParameters.DEFAULT);
            client.await(CmEventType.ESTABLISHED);
            server.await(CmEventType.ESTABLISHED);
            active.disconnect();
            server.await(CmEventType.DISCONNECTED);
            passive.disconnect();
            client.await(CmEventType.DISCONNECTED);
            client.await(CmEventType.TIMEWAIT_EXIT);
            server.await(CmEventType.TIMEWAIT_EXIT);

            connect(client, server, PortSpace.TCP);
            server.await(CmEventType.CONNECT_REQUEST).reject(ByteBuffer.allocate(3));
            client.await(CmEventType.REJECTED);

            connect(client, server, PortSpace.UDP);
            CmId found = server.await(CmEventType.CONNECT_REQUEST);
            server.createQueuePair(found);
            found.accept(ConnectionParameters.DEFAULT);
            client.await(CmEventType.ESTABLISHED);
        }
    }

    private static CmMessage message(RocePacket packet) {
        int attribute = ByteBuffer.wrap(packet.payload()).getShort(ATTRIBUTE_ID);
        return Arrays.stream(CmMessage.values()).filter(each -> each.code() == attribute).findFirst().orElseThrow();
    }

    private static List<CmMessage> messages(List<RocePacket> packets, String device, boolean leaving) {
        return packets.stream().filter(packet -> packet.device().equals(device) && packet.leaving() == leaving)
                .map(CapturedConnectionsTest::message).distinct().toList();
    }

    @Test
    void eachMessageIsCapturedOnEachFabricAndDissectedByTshark() throws Exception {
        Path file = folder.resolve("connections.pcapng");
        String simulated = "?seed=1&network=captured";
        List<String> clients = List.of("soft0", LoopbackAddress.next(), "sim0" + simulated);
        List<String> servers = List.of("soft1", LoopbackAddress.next(), "sim1" + simulated);
        String[] selectors = IntStream.range(0, 3).boxed()
                .flatMap(i -> List.of(clients.get(i), servers.get(i)).stream())
                .map(name -> "soft:" + name + (name.startsWith("127.") ? "?fabric=wire" : "")).toArray(String[]::new);
        ChildJvm.Result result = CapturedProgramTest.run(folder, file.toString(), Program.class, selectors);

        assertEquals("", result.err());
        assertEquals(0, result.exit());
        List<RocePacket> packets = Pcapng.read(file).packets();
        for (RocePacket packet : packets) {
            assertTrue(packet.hasGoodIcrc(), packet::toString);
            assertEquals("UD_SEND_ONLY 256", packet.toString());
            assertEquals(QP1, packet.destinationQpn());
            assertEquals(QP1, packet.lastExtension(), "the source QP");
        }
        for (int i = 0; i < clients.size(); i++) {
            assertEquals(List.of(CmMessage.REQ, CmMessage.RTU, CmMessage.DREQ, CmMessage.SIDR_REQ),
                    messages(packets, clients.get(i), true));
            assertEquals(List.of(CmMessage.MRA, CmMessage.REP, CmMessage.DREP, CmMessage.REJ, CmMessage.SIDR_REP),
                    messages(packets, servers.get(i), true));
        }
        Tshark tshark = new Tshark(file);
        tshark.check(packets);
        assertEquals(packets.stream().map(packet -> "0x07\t0x%04x".formatted(message(packet).code())).toList(),
                tshark.fields("", List.of("infiniband.mad.mgmtclass", "infiniband.mad.attributeid")));
        assertEquals(List.of("0x%04x".formatted(PORT)),
                tshark.fields("infiniband.cm.req", List.of("infiniband.cm.req.serviceid.dport")).stream().distinct()
                        .toList());
    }
}
