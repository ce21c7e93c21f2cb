package io.jverbs.soft.management;

import static io.jverbs.soft.management.CmPair.LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The stages of the next event of a channel, which the program may cancel. */
@Timeout(60)
final class NextEventTest {
    private static final int ROUNDS = 300;
    /** An address that is not reached: each attempt to resolve it raises an event, and can be repeated (K79). */
    private static final InetSocketAddress NOWHERE = new InetSocketAddress("203.0.113.9", 7);

    private RdmaContext context;
    private CmEventChannel channel;
    private CmId first;
    private CmId second;

    @BeforeEach
    void open() {
        context = Verbs.open("soft:soft78");
        channel = CmEventChannel.create(context);
        first = channel.createId(PortSpace.TCP);
        second = channel.createId(PortSpace.TCP);
    }

    @AfterEach
    void close() {
        context.close();
    }

    private CompletableFuture<CmEvent> next() {
        return channel.nextEvent().toCompletableFuture();
    }

    private static void raise(CmId id) {
        id.resolveAddress(NOWHERE, LONG);
    }

    private static CmId idOf(CmEvent event) {
        try (event) {
            assertEquals(CmEventType.ADDR_ERROR, event.type());
            return event.id();
        }
    }

    @Test
    void aStageCompletesWithTheNextEvent() throws Exception {
        CompletableFuture<CmEvent> next = next();
        raise(first);
        assertSame(first, idOf(next.get(LONG.toSeconds(), TimeUnit.SECONDS)));
    }

    @Test
    void severalStagesGetTheEventsInTheOrderInWhichTheyWereAskedFor() throws Exception {
        List<CompletableFuture<CmEvent>> stages = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            stages.add(next());
        }
        for (int i = 0; i < ROUNDS; i++) {
            first.postUserEvent(0, i);
        }
        for (int i = 0; i < ROUNDS; i++) {
            try (CmEvent event = stages.get(i).get(LONG.toSeconds(), TimeUnit.SECONDS)) {
                assertEquals(i, event.userArgument());
            }
        }
    }

    /** The callback runs in a thread that has had its turn. */
    @Test
    void aCallbackOfAStageMayWaitForTheStagesAfterIt() throws Exception {
        CompletableFuture<CmEvent> next = next();
        CompletableFuture<CmEvent> later = next();
        CompletableFuture<CmEvent> both = next.thenApply(event -> {
            event.close();
            first.postUserEvent(0, 2);
            return later.join();
        });
        first.postUserEvent(0, 1);
        try (CmEvent event = both.get(LONG.toSeconds(), TimeUnit.SECONDS)) {
            assertEquals(2, event.userArgument());
        }
    }

    @Test
    void aCancelledStageTakesNoEvent() throws Exception {
        CompletableFuture<CmEvent> next = next();
        assertTrue(next.cancel(false));
        raise(first);
        assertSame(first, idOf(channel.awaitEvent(LONG)));
    }

    @Test
    void aStageWhoseTimeoutExpiredTakesNoEvent() throws Exception {
        CompletableFuture<CmEvent> next = next().orTimeout(1, TimeUnit.MILLISECONDS);
        ExecutionException failure = assertThrows(ExecutionException.class, next::get);
        assertTrue(failure.getCause() instanceof TimeoutException);
        raise(first);
        assertSame(first, idOf(channel.awaitEvent(LONG)));
    }

    /** The continuation runs in the thread that has completed the stage, before that of the channel is told. */
    @Test
    void aContinuationOfACancelledStageRetrievesTheEvent() throws Exception {
        CompletableFuture<CmEvent> next = next();
        CompletableFuture<CmId> retrieved = next.handle((event, failure) -> {
            try {
                raise(first);
                return idOf(channel.awaitEvent(LONG));
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        next.complete(null);
        assertSame(first, retrieved.get(LONG.toSeconds(), TimeUnit.SECONDS));
    }

    private static void await(CyclicBarrier barrier) throws Exception {
        barrier.await(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    /** Raises two events, while a stage is cancelled; returns a task that does the latter. */
    private FutureTask<Boolean> raiseBothAndCancel(CompletableFuture<CmEvent> next) throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        FutureTask<Boolean> cancelling = CmPair.start(() -> {
            await(together);
            return next.cancel(false);
        });
        await(together);
        raise(first);
        raise(second);
        return cancelling;
    }

    /** K133: whether the stage or others get an event, none is lost, and the order is that of the events. */
    @Test
    void anEventThatOccursWhileAStageIsCancelledIsNotLostAndKeepsItsPlace() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<CmEvent> next = next();
            boolean isCancelled = CmPair.resultOf(raiseBothAndCancel(next));
            List<CmId> order = new ArrayList<>();
            if (!isCancelled) {
                order.add(idOf(next.get()));
            }
            while (order.size() < 2) {
                order.add(idOf(channel.awaitEvent(LONG)));
            }
            assertEquals(List.of(first, second), order, "round " + round);
            assertNull(channel.awaitEvent(Duration.ZERO), "round " + round);
        }
    }

    /** K3: the close of the ID discards an event that was retrieved for nobody. */
    @Test
    void anIdIsClosedThoughAStageWasCancelledWhenItsEventOccurred() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<CmEvent> next = next();
            if (!CmPair.resultOf(raiseBothAndCancel(next))) {
                idOf(next.get());
            }
            first.close();
            second.close();
            assertNull(channel.awaitEvent(Duration.ZERO), "round " + round);
            first = channel.createId(PortSpace.TCP);
            second = channel.createId(PortSpace.TCP);
        }
    }

    /** K134: an event that was retrieved for nobody moves with its ID. */
    @Test
    void anIdMovesThoughAStageWasCancelledWhenItsEventOccurred() throws Exception {
        CmEventChannel other = CmEventChannel.create(context);
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<CmEvent> next = next();
            boolean isCancelled = CmPair.resultOf(raiseBothAndCancel(next));
            if (!isCancelled) {
                assertSame(first, idOf(next.get()));
            }
            first.migrate(other);
            if (isCancelled) {
                assertSame(first, idOf(other.awaitEvent(LONG)));
            }
            assertSame(second, idOf(channel.awaitEvent(LONG)), "round " + round);
            first.migrate(channel);
        }
    }

    /** K134: so does the new ID of a connect request. */
    @Test
    void theIdOfARequestMovesWithItsListenerThoughAStageWasCancelledWhenItArrived() throws Exception {
        CmEventChannel other = CmEventChannel.create(context);
        CmEventChannel clients = CmEventChannel.create(context);
        InetSocketAddress own = new InetSocketAddress(context.preferredGid(1).gid().toInetAddress(), 0);
        first.bind(own);
        first.listen(8);
        for (int round = 0; round < ROUNDS; round++) {
            CmId client = clients.createId(PortSpace.TCP);
            client.resolveAddress(first.localAddress(), LONG);
            clients.awaitEvent().close();
            client.resolveRoute(LONG);
            clients.awaitEvent().close();
            CompletableFuture<CmEvent> next = next();
            CyclicBarrier together = new CyclicBarrier(2);
            FutureTask<Boolean> cancelling = CmPair.start(() -> {
                await(together);
                return next.cancel(false);
            });
            await(together);
            client.connect(ConnectionParameters.builder().queuePair(7, false).build());
            boolean isCancelled = CmPair.resultOf(cancelling);
            if (isCancelled) {
                first.migrate(other);
            }
            CmEvent request = isCancelled ? other.awaitEvent(LONG) : next.get();
            CmId child = request.id();
            assertSame(isCancelled ? other : channel, child.channel(), "round " + round);
            request.close();
            if (isCancelled) {
                // it gets its events there
                child.postUserEvent(0, 1);
                try (CmEvent event = other.awaitEvent(LONG)) {
                    assertSame(child, event.id());
                }
                first.migrate(channel);
            }
            child.close();
            client.close();
            while (clients.awaitEvent(Duration.ZERO) instanceof CmEvent event) {
                event.close();
            }
        }
    }

    @Test
    void theCloseOfTheChannelCompletesAStage() {
        CompletableFuture<CmEvent> next = next();
        first.close();
        second.close();
        assertFalse(next.isDone());
        channel.close();
        ExecutionException failure = assertThrows(ExecutionException.class,
                () -> next.get(LONG.toSeconds(), TimeUnit.SECONDS));
        assertTrue(failure.getCause() instanceof IllegalStateException);
    }
}
