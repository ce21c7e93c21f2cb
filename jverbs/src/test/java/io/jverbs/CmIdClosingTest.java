package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.spi.CmChannelOps;
import io.jverbs.spi.CmEventData;
import io.jverbs.spi.CmIdOps;
import io.jverbs.spi.DeviceLayer;
import io.jverbs.spi.EventCounter;
import io.jverbs.strict.StrictMode;
import io.jverbs.strict.Violation;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Closing a CM ID while an event is not acknowledged: what is logged, and how it names the ID. */
@Timeout(60)
final class CmIdClosingTest {
    /** Longer than the second after which a close that waits for acknowledgements logs that it does. */
    private static final Duration WARNING = Duration.ofMillis(1_500);
    private static final String NAME = "TCP ID of counting:fake at 192.0.2.1:7471";

    @RegisterExtension
    final CapturedLog log = CapturedLog.of(EventCounter.class);

    /** An event channel whose IDs are bound to one address and have one event. */
    private static final class OneEventChannel {
        private static final CmIdOps.Route ROUTE = new CmIdOps.Route(new InetSocketAddress("192.0.2.1", 7471), null,
                null, 0, null, null);

        private Object owner;
        private final CmIdOps id = fake(CmIdOps.class, Map.of("route", ROUTE, "destroy", 1, "isLogged", false));
        private final CmChannelOps channel = fake(CmChannelOps.class, Map.of("createId", id, "await",
                new CmEventData(CmEventType.ADDR_RESOLVED.code(), id, null, 0, null, null, null)));

        private <T> T fake(Class<T> type, Map<String, Object> results) {
            return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type},
                    (proxy, method, arguments) -> switch (method.getName()) {
                        case "hashCode" -> System.identityHashCode(proxy);
                        case "equals" -> proxy == arguments[0];
                        case "owner" -> owner;
                        case "createId" -> {
                            owner = arguments[2];
                            yield id();
                        }
                        default -> results.get(method.getName());
                    }));
        }

        private CmIdOps id() {
            return id;
        }
    }

    /** Closes an ID, and acknowledges its event when the close has waited for so long that it is logged. */
    private static String closeLate(DeviceLayer... layers) throws InterruptedException {
        CountingDevice device = new CountingDevice();
        device.returns("createCmChannel", new OneEventChannel().channel);
        try (RdmaContext context = new RdmaDevice("counting", device).open(layers);
                CmEventChannel channel = CmEventChannel.create(context)) {
            CmId id = channel.createId(PortSpace.TCP);
            CmEvent event = channel.awaitEvent();
            Thread closing = Thread.ofPlatform().start(id::close);
            long waited = layers.length == 0 ? 1 : 2;
            assertFalse(closing.join(WARNING.multipliedBy(waited)));
            event.acknowledge();
            closing.join();
            return id.toString();
        }
    }

    @Test
    void aCloseThatWaitsIsLoggedOnceWithTheAddressOfTheId() throws InterruptedException {
        assertEquals(NAME, closeLate());
        List<String> lines = log.events().stream().map(ILoggingEvent::getFormattedMessage).toList();
        assertEquals(1, lines.size(), lines::toString);
        assertEquals("Closing the " + NAME + " waits until the program acknowledges 1 event",
                lines.getFirst().substring(0, lines.getFirst().indexOf(" (")));
    }

    @Test
    void aCloseThatStrictModeHasReportedIsNotLoggedAgain() throws InterruptedException {
        StrictMode strict = StrictMode.reporting();
        assertEquals(NAME, closeLate(strict));
        assertEquals(List.of(Violation.Kind.EVENTS_NOT_ACKNOWLEDGED),
                strict.violations().stream().map(Violation::kind).toList());
        assertEquals(List.of(), log.events());
    }
}
