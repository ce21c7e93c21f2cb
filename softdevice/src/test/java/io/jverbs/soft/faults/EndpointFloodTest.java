package io.jverbs.soft.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.control.DeviceCounters;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.soft.TemporaryProperties;
import io.jverbs.soft.device.LocalDevice;
import io.jverbs.soft.fabric.LocalNetwork;
import io.jverbs.soft.fabric.RealTimers;
import io.jverbs.soft.management.CmProbe;
import io.jverbs.spi.SystemProperties;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * A listener of endpoints in a flood of REQs that look like those of endpoints, from hosts that never respond. It
 * accepts them, but holds no more queue pairs than its backlog, and has none of them left when their time has passed.
 */
@Timeout(120)
final class EndpointFloodTest {
    private static final int PORT = 7471;
    private static final int BACKLOG = 32;
    private static final int REQUESTS = 3000;
    private static final int PER_SECOND = 20_000;
    /** Entries in the tables of a device for one connection. */
    private static final int TABLES = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** K56: a REP is sent 16 times, each 4 ms after the one before. */
    private static final Map<String, String> SHORT_TIMES = Map.of(SystemProperties.SOFT_CM_DIVISOR, "1000");

    @RegisterExtension
    final CapturedLog log = CapturedLog.named("io.jverbs");

    /** Returns the private data of a REQ of an endpoint. */
    private static byte[] requestData(RdmaContext server, RdmaContext client, InetSocketAddress address)
            throws Exception {
        try (CmEventChannel channel = CmEventChannel.create(server); CmId listener = channel.createId(PortSpace.TCP)) {
            listener.bind(address);
            listener.listen(1);
            Thread connector = Thread.ofPlatform().start(() -> {
                try {
                    Endpoint.connect(client, address).close();
                } catch (EndpointException e) {
                    // it is rejected
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            CmEvent event = channel.awaitEvent(LIMIT);
            assertNotNull(event);
            assertEquals(CmEventType.CONNECT_REQUEST, event.type());
            ByteBuffer data = event.privateData();
            byte[] bytes = new byte[data.remaining()];
            data.get(bytes);
            CmId child = event.id();
            event.close();
            child.reject(ByteBuffer.allocate(0));
            child.close();
            connector.join();
            return bytes;
        }
    }

    private static long queuePairs(RdmaContext context) {
        return context.device().capability(DeviceCounters.class).orElseThrow().resources().get("qp");
    }

    private static void await(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            Thread.onSpinWait();
        }
    }

    /** K56. */
    @Test
    void aFloodMakesFewQueuePairsAndHonestPeersAreServedAfterwards() throws Exception {
        LocalNetwork network = new LocalNetwork(new RealTimers());
        LocalDevice attacked = TemporaryProperties.with(SHORT_TIMES, () -> new LocalDevice(0, network));
        InetSocketAddress address = new InetSocketAddress(attacked.gid().toInetAddress(), PORT);
        EndpointOptions options = EndpointOptions.builder().backlog(BACKLOG).build();
        try (RdmaContext server = attacked.open(); RdmaContext client = new LocalDevice(1, network).open()) {
            byte[] forged = requestData(server, client, address);
            CmProbe manager = new CmProbe(attacked.port());
            try (Listener listener = Listener.bind(server, address, options)) {
                long most = 0;
                try (RequestFlood flood = new RequestFlood(attacked.gid(),
                        RequestFlood.within(attacked, network), PORT, PER_SECOND, forged)) {
                    while (flood.sent() < REQUESTS) {
                        most = Math.max(most, queuePairs(server));
                    }
                    assertTrue(manager.size() <= TABLES * (flood.sent() + BACKLOG), manager.size() + " entries");
                }
                // the queue pair of a failed connection is destroyed after another one has taken its place
                assertTrue(most > BACKLOG / 2 && most <= 2 * BACKLOG, most + " queue pairs");
                await("entries remain", () -> manager.size() == 0);
                await("queue pairs remain", () -> queuePairs(server) == 0);
                try (Endpoint active = Endpoint.connect(client, address); Endpoint passive = listener.accept(LIMIT)) {
                    assertNotNull(passive);
                    assertTrue(active.isOpen());
                }
            }
        }
        assertEquals(List.of(), log.warnings(), () -> Arrays.toString(log.warnings().toArray()));
    }
}
