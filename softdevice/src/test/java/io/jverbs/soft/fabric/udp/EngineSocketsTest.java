package io.jverbs.soft.fabric.udp;

import static io.jverbs.soft.fabric.udp.EngineWithWaits.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.queue.DeferredWork;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The engine closes the sockets that it gets and whatever it opens, even if the system runs out of resources or the
 * engine is closed meanwhile.
 */
final class EngineSocketsTest {
    private static final Gid GID = IdleSocket.GID;

    private final IdleSocket own = new IdleSocket();
    private final TestPoller poller = new TestPoller();
    private final ReceiveEngine engine = new ReceiveEngine(GID, "test", own, poller, new DeferredWork.DeferredQueue());

    @AfterEach
    void close() {
        engine.close();
        poller.wakeup();
    }

    @Test
    void aSocketThatCannotBeRegisteredIsClosed() throws IOException {
        engine.start();
        poller.failure = new IOException("no space left");
        IdleSocket group = new IdleSocket();

        assertSame(poller.failure, assertThrows(IOException.class, () -> engine.add(new Receiver(group, GID))));
        assertEquals(1, group.closed);
    }

    @Test
    void aSocketAddedToAClosedEngineIsClosedWhileTheThreadStillRuns() throws IOException {
        engine.start();
        engine.close();
        IdleSocket group = new IdleSocket();

        assertThrows(ClosedChannelException.class, () -> engine.add(new Receiver(group, GID)));
        assertEquals(1, group.closed);
    }

    @Test
    void aSocketThatCannotBeClosedLeavesNothingElseOpen() throws IOException {
        engine.start();
        own.failure = new IOException("input/output error");
        IdleSocket group = new IdleSocket();
        engine.add(new Receiver(group, GID));

        engine.close();
        assertEquals(List.of(1, 1, 1), List.of(own.closed, group.closed, poller.ended));
    }

    @Test
    void thePollerIsClosedIfTheEngineCannotStart() {
        poller.failure = new IOException("no space left");

        assertSame(poller.failure, assertThrows(IOException.class, engine::start));
        assertEquals(1, poller.closed);
    }

    @Test
    void socketsAreRegisteredOnlyWhileTheThreadMaySleep() throws IOException {
        engine.start();
        await(poller::isWaiting);
        assertEquals(Set.of(own), poller.registered);

        // other threads poll, so the engine's thread ends the registrations
        await(() -> {
            if (poller.isWaiting()) {
                poller.wakeup();
            }
            engine.poll();
            return poller.registered.isEmpty();
        });
        IdleSocket group = new IdleSocket();
        engine.add(new Receiver(group, GID));

        // the polls have stopped
        await(poller::isWaiting);
        assertEquals(Set.of(own, group), poller.registered);
    }

    @Test
    void socketsAreNotRegisteredWhileTheThreadReceivesSteadily() throws IOException {
        engine.serve(new SoftPort("test", null, null), null);
        engine.start();
        await(poller::isWaiting);
        assertEquals(Set.of(own), poller.registered);

        own.receiving = true;
        poller.wakeup();
        await(() -> poller.registered.isEmpty());
        assertFalse(poller.isWaiting());

        own.receiving = false;
        await(poller::isWaiting);
        assertEquals(Set.of(own), poller.registered);
    }

    @Test
    void aRecurringErrorNeitherEndsTheThreadNorMakesItSpin() throws Exception {
        engine.serve(new SoftPort("test", null, null), null);
        engine.start();
        await(poller::isWaiting);
        own.error = new OutOfMemoryError("no memory for a packet");
        poller.wakeup();
        int before = own.calls;
        Thread.sleep(500);
        int calls = own.calls - before;
        assertTrue(calls > 0 && calls < 50, () -> calls + " calls in half a second");

        own.error = null;
        own.receiving = true;
        int failed = own.calls;
        await(() -> own.calls > failed + 100);
        own.receiving = false;
        await(poller::isWaiting);
    }

    @Test
    void aRemovedSocketIsClosed() throws IOException {
        engine.start();
        IdleSocket group = new IdleSocket();
        Receiver receiver = new Receiver(group, GID);
        engine.add(receiver);
        engine.remove(receiver);

        assertEquals(1, group.closed);
    }
}
