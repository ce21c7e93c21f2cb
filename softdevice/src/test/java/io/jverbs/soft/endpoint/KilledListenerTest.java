package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.soft.LoopbackAddress;
import io.jverbs.soft.TemporaryProperties;
import io.jverbs.spi.SystemProperties;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The process of a listener is killed with SIGKILL. */
@Timeout(120)
final class KilledListenerTest {
    private static final int CONNECTORS = 20;
    private static final int DIVISOR = 64;
    /** K55: 16 REQs, each 2 * 1024 + 4096 ms after the one before, divided. */
    private static final Duration COMPUTED = Duration.ofMillis(16 * (2 * 1024 + 4096)).dividedBy(DIVISOR);
    /** Two seconds more because the machine may be busy. */
    private static final Duration MOST = COMPUTED.plusSeconds(2);
    private static final Duration STEP = Duration.ofSeconds(20);

    private static CmId next(CmEventChannel channel, CmEventType type, int status) throws InterruptedException {
        try (CmEvent event = channel.awaitEvent(STEP)) {
            assertNotNull(event, () -> "no " + type);
            assertEquals(type, event.type());
            assertEquals(status, event.status());
            return event.id();
        }
    }

    /** Creates IDs whose routes to a peer are resolved, with queue pairs. */
    private static List<CmId> resolve(CmEventChannel channel, InetSocketAddress peer) throws InterruptedException {
        RdmaContext context = channel.context();
        ProtectionDomain pd = context.allocatePd();
        QpInitAttributes attributes = QpInitAttributes.builder(QpType.RC).cq(context.createCompletionQueue(16)).build();
        List<CmId> ids = new ArrayList<>();
        for (int i = 0; i < CONNECTORS; i++) {
            CmId id = channel.createId(PortSpace.TCP);
            id.resolveAddress(peer, STEP);
            next(channel, CmEventType.ADDR_RESOLVED, 0);
            id.resolveRoute(STEP);
            next(channel, CmEventType.ROUTE_RESOLVED, 0);
            id.createQueuePair(pd, attributes);
            ids.add(id);
        }
        return ids;
    }

    private static void assertConnects(RdmaContext context, InetSocketAddress peer) throws InterruptedException {
        try (Endpoint endpoint = Endpoint.connect(context, peer)) {
            assertTrue(endpoint.isOpen());
        }
    }

    /** K25, K55. */
    @Test
    void eachConnectorIsToldOnceThatThePeerIsUnreachableAfterTheComputedTime() throws Exception {
        try (EchoProcess victim = EchoProcess.start(LoopbackAddress.next());
                EchoProcess survivor = EchoProcess.start(LoopbackAddress.next());
                RdmaContext context = TemporaryProperties.with(
                        Map.of(SystemProperties.SOFT_CM_DIVISOR, Integer.toString(DIVISOR)),
                        () -> Verbs.open("soft:" + LoopbackAddress.next()))) {
            CmEventChannel channel = CmEventChannel.create(context);
            assertConnects(context, victim.address());
            List<CmId> ids = resolve(channel, victim.address());
            victim.kill();

            long start = System.nanoTime();
            for (CmId id : ids) {
                id.connect(ConnectionParameters.DEFAULT);
            }
            assertConnects(context, survivor.address());
            Set<CmId> told = new HashSet<>();
            while (told.size() < CONNECTORS) {
                CmId id = next(channel, CmEventType.UNREACHABLE, -Errno.ETIMEDOUT.code());
                Duration took = Duration.ofNanos(System.nanoTime() - start);
                assertTrue(took.compareTo(COMPUTED) >= 0 && took.compareTo(MOST) < 0,
                        () -> "took " + took + ", expected " + COMPUTED);
                assertTrue(told.add(id), () -> id + " was told twice");
                // as with librdmacm
                assertEquals(QpState.INIT, id.queuePair().state());
            }
            assertEquals(null, channel.awaitEvent(Duration.ofMillis(50)));
            assertConnects(context, survivor.address());
        }
    }
}
