package io.jverbs.soft.management;

import static io.jverbs.soft.management.CmPair.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.cm.SynchronousCmId;
import io.jverbs.fault.FaultInjection;
import io.jverbs.strict.StrictMode;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K136: events that the program posts to an ID, through the layers that a context may have. */
@Timeout(60)
final class UserEventTest {
    private RdmaContext context;
    private CmEventChannel channel;
    private CmId id;

    @BeforeEach
    void open() {
        context = Verbs.select("soft:soft78").open(FaultInjection.of(), StrictMode.throwing());
        channel = CmEventChannel.create(context);
        id = channel.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() {
        context.close();
    }

    private InetSocketAddress own() {
        return new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
    }

    @Test
    void aUserEventWakesTheThreadThatWaits() throws Exception {
        FutureTask<CmEvent> waiter = CmPair.start(() -> channel.awaitEvent(LONG));
        id.postUserEvent(-7, Long.MIN_VALUE);
        try (CmEvent event = CmPair.resultOf(waiter)) {
            assertEquals(CmEventType.USER, event.type());
            assertEquals(18, event.rawType());
            assertSame(id, event.id());
            assertEquals(-7, event.status());
            assertEquals(Long.MIN_VALUE, event.userArgument());
            assertNull(event.multicastContext());
        }
    }

    /** K133. */
    @Test
    void userEventsAreRetrievedInTheOrderOfAllEvents() throws Exception {
        id.postUserEvent(0, 1);
        id.resolveAddress(own(), LONG);
        id.postUserEvent(0, 2);
        assertEquals(1, next(CmEventType.USER));
        assertEquals(0, next(CmEventType.ADDR_RESOLVED));
        assertEquals(2, next(CmEventType.USER));
    }

    private long next(CmEventType type) throws InterruptedException {
        try (CmEvent event = channel.awaitEvent(LONG)) {
            assertNotNull(event);
            assertEquals(type, event.type());
            assertFalse(event.isFailure());
            return event.userArgument();
        }
    }

    /** K3, K134. */
    @Test
    void userEventsMoveWithTheirIdAndAreDiscardedWithIt() throws Exception {
        CmEventChannel other = CmEventChannel.create(context);
        id.postUserEvent(0, 1);
        id.postUserEvent(0, 2);
        id.migrate(other);
        assertNull(channel.awaitEvent(Duration.ZERO));
        try (CmEvent event = other.awaitEvent(LONG)) {
            assertEquals(1, event.userArgument());
        }
        id.close();
        assertNull(other.awaitEvent(Duration.ZERO));
        assertThrows(IllegalStateException.class, () -> id.postUserEvent(0, 3));
    }

    @Test
    void aStepOfASynchronousIdIsNotEndedByAUserEvent() throws Exception {
        try (SynchronousCmId waiting = SynchronousCmId.create(context, PortSpace.TCP)) {
            waiting.id().postUserEvent(0, 1);
            waiting.resolve(own(), LONG);
            assertEquals(CmEventType.ROUTE_RESOLVED, waiting.event().type());
        }
    }
}
