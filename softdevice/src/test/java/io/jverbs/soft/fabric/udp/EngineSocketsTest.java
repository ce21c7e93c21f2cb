package io.jverbs.soft.fabric.udp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.soft.fabric.SoftPort;
import io.jverbs.soft.fabric.udp.socket.Datagrams;
import io.jverbs.soft.fabric.udp.socket.ReceivedPackets;
import io.jverbs.soft.fabric.udp.socket.SocketPoller;
import io.jverbs.soft.fabric.udp.socket.Sockets;
import io.jverbs.soft.queue.DeferredWork;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Roce;
import io.jverbs.soft.wire.SendBuffer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The engine closes the sockets that it gets and whatever it opens, even if the system runs out of resources or the
 * engine is closed meanwhile.
 */
final class EngineSocketsTest {
    private static final long SECONDS = 30;
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");

    private final Socket own = new Socket();
    private final TestPoller poller = new TestPoller();
    private final ReceiveEngine engine = new ReceiveEngine(GID, "test", own, poller, new DeferredWork.DeferredQueue());

    @AfterEach
    void close() {
        engine.close();
        poller.wakeup();
    }

    /** A socket that receives nothing or, while {@code receiving} is set, one malformed packet after another. */
    private static final class Socket implements Datagrams {
        private volatile boolean receiving;
        private volatile Error error;
        private volatile int calls;
        private IOException failure;
        private int closed;

        @Override
        public int maxBatch(int bytes) {
            return 1;
        }

        @Override
        public SendBuffer newOutgoing() {
            return new SendBuffer();
        }

        @Override
        public Object address(InetSocketAddress peer) {
            return peer;
        }

        @Override
        public void send(SendBuffer packet, Route route) {
            // the packet is discarded
        }

        @Override
        public void flush(SendBuffer packets) {
            // no packets are held back
        }

        @Override
        public boolean receive(ReceivedPackets arrival, int most) {
            // only with the engine's lock
            calls++;
            if (error != null) {
                throw error;
            }
            arrival.ownBuffer();
            arrival.source(GID.high(), GID.low(), Roce.UDP_PORT);
            arrival.received(0, 0);
            return receiving;
        }

        @Override
        public void close() throws IOException {
            closed++;
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** The poller that the system provides. A thread that waits does so until the test wakes it. */
    private static final class TestPoller implements Sockets, SocketPoller {
        private final Semaphore wakeups = new Semaphore(0);
        private final Set<Datagrams> registered = ConcurrentHashMap.newKeySet();
        private volatile boolean waiting;
        private IOException failure;
        private int ended;
        private int closed;

        @Override
        public Datagrams open(InetSocketAddress address, NetworkInterface device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Datagrams listen(InetSocketAddress group, NetworkInterface device) {
            throw new UnsupportedOperationException();
        }

        @Override
        public SocketPoller poller() {
            return this;
        }

        @Override
        public void add(Datagrams socket) throws IOException {
            if (failure != null) {
                throw failure;
            }
            registered.add(socket);
        }

        @Override
        public void remove(Datagrams socket) {
            registered.remove(socket);
        }

        @Override
        public void await(int millis) throws IOException {
            waiting = true;
            try {
                wakeups.acquire();
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                waiting = false;
            }
        }

        @Override
        public void wakeup() {
            wakeups.release();
        }

        @Override
        public void end() {
            // the test wakes the thread
            ended++;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void aSocketThatCannotBeRegisteredIsClosed() throws IOException {
        engine.start();
        poller.failure = new IOException("no space left");
        Socket group = new Socket();

        assertSame(poller.failure, assertThrows(IOException.class, () -> engine.add(new Receiver(group, GID))));
        assertEquals(1, group.closed);
    }

    @Test
    void aSocketAddedToAClosedEngineIsClosedWhileTheThreadStillRuns() throws IOException {
        engine.start();
        engine.close();
        Socket group = new Socket();

        assertThrows(ClosedChannelException.class, () -> engine.add(new Receiver(group, GID)));
        assertEquals(1, group.closed);
    }

    @Test
    void aSocketThatCannotBeClosedLeavesNothingElseOpen() throws IOException {
        engine.start();
        own.failure = new IOException("input/output error");
        Socket group = new Socket();
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
        await(() -> poller.waiting);
        assertEquals(Set.of(own), poller.registered);

        // other threads poll, so the engine's thread ends the registrations
        await(() -> {
            if (poller.waiting) {
                poller.wakeup();
            }
            engine.poll();
            return poller.registered.isEmpty();
        });
        Socket group = new Socket();
        engine.add(new Receiver(group, GID));

        // the polls have stopped
        await(() -> poller.waiting && poller.wakeups.availablePermits() == 0);
        assertEquals(Set.of(own, group), poller.registered);
    }

    @Test
    void socketsAreNotRegisteredWhileTheThreadReceivesSteadily() throws IOException {
        engine.serve(new SoftPort("test", null, null), null);
        engine.start();
        await(() -> poller.waiting);
        assertEquals(Set.of(own), poller.registered);

        own.receiving = true;
        poller.wakeup();
        await(() -> poller.registered.isEmpty());
        assertFalse(poller.waiting);

        own.receiving = false;
        await(() -> poller.waiting);
        assertEquals(Set.of(own), poller.registered);
    }

    @Test
    void aRecurringErrorNeitherEndsTheThreadNorMakesItSpin() throws Exception {
        engine.serve(new SoftPort("test", null, null), null);
        engine.start();
        await(() -> poller.waiting);
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
        await(() -> poller.waiting);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "the condition was not met within " + SECONDS + " s");
            Thread.onSpinWait();
        }
    }

    @Test
    void aRemovedSocketIsClosed() throws IOException {
        engine.start();
        Socket group = new Socket();
        Receiver receiver = new Receiver(group, GID);
        engine.add(receiver);
        engine.remove(receiver);

        assertEquals(1, group.closed);
    }
}
