package io.jverbs.soft.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.contract.fixture.CapturedLog;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.fault.FaultInjection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Listeners of endpoints that close, and requests that they cannot accept. */
@Timeout(60)
final class EndpointListenerTest {
    private static final long SECONDS = 30;

    @RegisterExtension
    final CapturedLog log = CapturedLog.named("io.jverbs.endpoint.Establishment");

    /** Connects eight clients, which nobody accepts, and then loses all packets of them and to them. */
    private static List<Endpoint> connectAndCutOff(EndpointPair pair, EndpointOptions options) throws Exception {
        List<Endpoint> clients = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            clients.add(Endpoint.connect(pair.clientContext(), pair.listener().localAddress(), options));
        }
        pair.clientContext().device().capability(SimulatedNetwork.class).orElseThrow().partition(1);
        return clients;
    }

    @Test
    void aListenerClosesAllConnectionsThatNobodyHasAcceptedWithinOneTimeout() throws Exception {
        EndpointOptions options = EndpointOptions.builder().closeTimeout(Duration.ofSeconds(1)).build();
        try (EndpointPair pair = EndpointPair.connect("simulation", options, options)) {
            List<Endpoint> clients = connectAndCutOff(pair, options);
            long start = System.nanoTime();
            pair.listener().close();
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
            assertTrue(millis >= 900, "the peers do not respond: " + millis + " ms");
            assertTrue(millis < 3000, "took " + millis + " ms");
            List<Thread> closers = clients.stream().map(each -> Thread.ofPlatform().start(each::close)).toList();
            for (Thread each : closers) {
                assertTrue(each.join(Duration.ofSeconds(SECONDS)), "a close waits");
            }
        }
    }

    /** The close waits for a peer that does not respond, so it is not over when the connection is asked for. */
    @Test
    void anAcceptWhileTheListenerClosesFailsRatherThanReturningAConnectionThatIsBeingClosed() throws Exception {
        EndpointOptions options = EndpointOptions.builder().closeTimeout(Duration.ofSeconds(1)).build();
        try (EndpointPair pair = EndpointPair.connect("simulation", options, options)) {
            List<Endpoint> clients = connectAndCutOff(pair, options);
            Thread closing = Thread.ofPlatform().start(pair.listener()::close);
            long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
            while (closing.getState() != Thread.State.TIMED_WAITING && closing.getState() != Thread.State.WAITING) {
                assertTrue(System.nanoTime() < deadline, "the close does not wait");
                Thread.onSpinWait();
            }
            IllegalStateException closed = assertThrows(IllegalStateException.class, pair.listener()::accept);
            assertTrue(closed.getMessage().endsWith(" is closed"), closed::getMessage);
            assertTrue(closing.join(Duration.ofSeconds(SECONDS)), "the close waits");
            List<Thread> closers = clients.stream().map(each -> Thread.ofPlatform().start(each::close)).toList();
            for (Thread each : closers) {
                assertTrue(each.join(Duration.ofSeconds(SECONDS)), "a close waits");
            }
        }
    }

    /** K135: its ID gets no event of the removal. */
    @Test
    void theRemovalOfTheDeviceIsReportedToThreadsThatWaitAtTheWildcardAddress() throws Exception {
        try (RdmaContext context = Verbs.open("soft:soft96");
                Listener listener = Listener.bind(context, new InetSocketAddress(0))) {
            FutureTask<Endpoint> accepting = new FutureTask<>(listener::accept);
            Thread.ofVirtual().start(accepting);
            context.device().capability(DeviceRemoval.class).orElseThrow().remove();
            ExecutionException failure = assertThrows(ExecutionException.class,
                    () -> accepting.get(SECONDS, TimeUnit.SECONDS));
            assertEquals(Reason.DEVICE_FAILED,
                    assertInstanceOf(EndpointException.class, failure.getCause()).reason());
            assertThrows(EndpointException.class, () -> listener.accept(Duration.ZERO));
        }
    }

    /** Peers can send requests at any rate. */
    @Test
    void ofTheRequestsThatCannotBeAcceptedFewAreLoggedAsWarnings() {
        try (RdmaContext clients = Verbs.open("soft:soft94");
                RdmaContext servers = Verbs.select("soft:soft95").open(FaultInjection.parse("register=ENOMEM"));
                Listener listener = Listener.bind(servers, EndpointPair.anyPort(servers))) {
            for (int i = 0; i < 12; i++) {
                EndpointException failure = assertThrows(EndpointException.class,
                        () -> Endpoint.connect(clients, listener.localAddress()));
                assertEquals(Reason.REJECTED, failure.reason(), failure::getMessage);
                assertTrue(failure.getMessage().contains("the listener has no resources"), failure::getMessage);
            }
            assertEquals(List.of(listener + " could not accept 1 connect request;",
                    listener + " could not accept 10 connect requests;"),
                    log.warnings().stream().map(each -> each.replaceFirst("; .*", ";")).toList());
        }
    }
}
