package io.jverbs.soft.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.Ece;
import io.jverbs.Errno;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** IDs without a queue pair: the options of enhanced connection establishment, and the number of the queue pair. */
@Timeout(60)
final class CmIdWithoutQueuePairTest {
    private static final Duration STEP = Duration.ofSeconds(10);
    private static final ByteBuffer NO_DATA = ByteBuffer.allocate(0);
    /** Of the queue pairs of the peer: one that was connected a moment ago is in TIMEWAIT. */
    private static final AtomicInteger NUMBERS = new AtomicInteger(100);

    private final ConnectionParameters parameters = ConnectionParameters.builder()
            .queuePair(NUMBERS.incrementAndGet(), false).build();

    private final RdmaContext client = Verbs.open("soft:soft76");
    private final RdmaContext server = Verbs.open("soft:soft77");
    private final CmEventChannel clientEvents = CmEventChannel.create(client);
    private final CmEventChannel serverEvents = CmEventChannel.create(server);

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private static CmId next(CmEventChannel channel, CmEventType type, int status) throws InterruptedException {
        try (CmEvent event = channel.awaitEvent(STEP)) {
            assertNotNull(event, "no event");
            assertEquals(type, event.type());
            assertEquals(status, event.status());
            return event.id();
        }
    }

    private CmId listen(PortSpace space) {
        CmId listener = serverEvents.createId(space);
        listener.bind(new InetSocketAddress(server.preferredGid(1).gid().toInetAddress(), 0));
        listener.listen(1);
        return listener;
    }

    private CmId resolve(CmId listener) throws InterruptedException {
        CmId id = clientEvents.createId(listener.portSpace());
        id.resolveAddress(listener.localAddress(), STEP);
        next(clientEvents, CmEventType.ADDR_RESOLVED, 0);
        id.resolveRoute(STEP);
        return next(clientEvents, CmEventType.ROUTE_RESOLVED, 0);
    }

    private static void refused(Executable call) {
        assertEquals(Errno.EINVAL, assertThrows(VerbsException.class, call).error());
    }

    /** K145, K147. */
    @Test
    void eachSideReadsTheEceOptionsOfTheOther() throws InterruptedException {
        CmId active = resolve(listen(PortSpace.TCP));
        active.options().localEce(new Ece(0x2C9, 3));
        active.connect(parameters);
        CmId passive = next(serverEvents, CmEventType.CONNECT_REQUEST, 0);
        assertEquals(new Ece(0x2C9, 3), passive.options().remoteEce());
        passive.options().localEce(new Ece(0x2C9, 1));
        passive.accept(parameters);
        next(clientEvents, CmEventType.CONNECT_RESPONSE, 0);
        assertEquals(new Ece(0x2C9, 1), active.options().remoteEce());
    }

    /** K114: the reason is VENDOR_OPTION_NOT_SUPPORTED. */
    @Test
    void aPeerWhoseOptionsAreNotSupportedIsRejectedWithReason35() throws InterruptedException {
        CmId active = resolve(listen(PortSpace.TCP));
        active.options().localEce(new Ece(0x2C9, 3));
        active.connect(parameters);
        next(serverEvents, CmEventType.CONNECT_REQUEST, 0).rejectEce(NO_DATA);
        next(clientEvents, CmEventType.REJECTED, 35);
    }

    /** K147. */
    @Test
    void anIdWithAQueuePairHasNoEceOptionsOfTheProgram() throws InterruptedException {
        CmId active = resolve(listen(PortSpace.TCP));
        refused(() -> active.options().localEce(Ece.NONE));
        createQueuePair(active);
        refused(() -> active.options().localEce(new Ece(0x2C9, 3)));
        refused(() -> active.options().remoteEce());
    }

    /** K162: a SIDR_REQ has no number of a queue pair, a REQ and both responses have. */
    @ParameterizedTest
    @CsvSource({"UDP, true", "TCP, false", "IB, false"})
    void onlyALookupNeedsNoQueuePair(PortSpace space, boolean isAllowed) throws InterruptedException {
        CmId active = resolve(listen(space));
        if (isAllowed) {
            active.connect(ConnectionParameters.DEFAULT);
        } else {
            refused(() -> active.connect(ConnectionParameters.DEFAULT));
            active.connect(parameters);
        }
        CmId passive = next(serverEvents, CmEventType.CONNECT_REQUEST, 0);
        refused(() -> passive.accept(ConnectionParameters.DEFAULT));
        passive.accept(parameters);
        next(clientEvents, isAllowed ? CmEventType.ESTABLISHED : CmEventType.CONNECT_RESPONSE, 0);
    }

    /** K99, K162: also a program that calls too early, without a queue pair, learns the state and those allowed. */
    @Test
    void aCallInTheWrongStateNamesTheStateBeforeTheMissingQueuePair() throws InterruptedException {
        CmId idle = clientEvents.createId(PortSpace.TCP);
        says("the ID is in state IDLE, allowed: [ROUTE_RESOLVED]", () -> idle.connect(ConnectionParameters.DEFAULT));
        says("the ID is in state IDLE, allowed: [CONNECT]", () -> idle.accept(ConnectionParameters.DEFAULT));
        CmId listener = listen(PortSpace.TCP);
        says("the ID is in state LISTEN, allowed: [ROUTE_RESOLVED]",
                () -> listener.connect(ConnectionParameters.DEFAULT));
        says("is not bound to a device: bind it", () -> createQueuePair(idle));
        says("state IDLE, allowed: [ADDR_BOUND", () -> createQueuePair(idle));
        CmId active = resolve(listener);
        says("has no queue pair: create it", () -> active.connect(ConnectionParameters.DEFAULT));
        active.connect(parameters);
        says("event QP_FATAL (1), allowed is COMM_EST", () -> active.notify(AsyncEventType.QP_FATAL));
    }

    /** A SIDR_REP has no reason, which rejectEce would need. */
    @Test
    void theVendorsOptionsOfALookupCannotBeRejected() throws InterruptedException {
        CmId active = resolve(listen(PortSpace.UDP));
        active.connect(ConnectionParameters.DEFAULT);
        CmId passive = next(serverEvents, CmEventType.CONNECT_REQUEST, 0);
        says("the vendor's options of a UD peer cannot be rejected", () -> passive.rejectEce(NO_DATA));
        passive.reject(NO_DATA);
        next(clientEvents, CmEventType.UNREACHABLE, 2);
    }

    private void createQueuePair(CmId id) {
        id.createQueuePair(client.allocatePd(),
                QpInitAttributes.builder(QpType.RC).cq(client.createCompletionQueue(2)).build());
    }

    private static void says(String expected, Executable call) {
        VerbsException refused = assertThrows(VerbsException.class, call);
        assertEquals(Errno.EINVAL, refused.error());
        assertTrue(refused.getMessage().contains(expected), refused::getMessage);
    }
}
