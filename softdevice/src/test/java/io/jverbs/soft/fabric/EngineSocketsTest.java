package io.jverbs.soft.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Gid;
import io.jverbs.soft.queue.Deferral;
import io.jverbs.soft.transport.Route;
import io.jverbs.soft.wire.Outgoing;
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

/** What an engine is given, and what it opens, it closes: also where the system has no more to give, or it is closed meanwhile. */
final class EngineSocketsTest {
    private static final long SECONDS = 30;
    private static final Gid GID = Gid.parse("::ffff:192.0.2.1");

    private final Socket own = new Socket();
    private final Given given = new Given();
    private final Engine engine = new Engine(GID, "test", own, given, new Deferral.Agenda());

    @AfterEach
    void close() {
        engine.close();
        given.wakeup();
    }

    /** A socket to which nothing comes, or, while it flows, one broken packet after the other. */
    private static final class Socket implements Datagrams {
        private volatile boolean flows;
        private IOException refusal;
        private int closed;

        @Override
        public int together(int bytes) {
            return 1;
        }

        @Override
        public Outgoing room() {
            return new Outgoing();
        }

        @Override
        public Object address(InetSocketAddress peer) {
            return peer;
        }

        @Override
        public void send(Outgoing packet, Route route) {
            // nobody is there
        }

        @Override
        public void flush(Outgoing packets) {
            // nothing is kept back
        }

        @Override
        public boolean receive(Arrival arrival, int most) {
            arrival.room();
            arrival.from(GID.high(), GID.low(), UdpWire.UDP_PORT);
            arrival.came(0, 0);
            return flows;
        }

        @Override
        public void close() throws IOException {
            closed++;
            if (refusal != null) {
                throw refusal;
            }
        }
    }

    /** What the system gives to wait with; who waits does so until the test wakes it. */
    private static final class Given implements Sockets, Watch {
        private final Semaphore awake = new Semaphore(0);
        private final Set<Datagrams> watched = ConcurrentHashMap.newKeySet();
        private volatile boolean asleep;
        private IOException refusal;
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
        public Watch watch() {
            return this;
        }

        @Override
        public void add(Datagrams socket) throws IOException {
            if (refusal != null) {
                throw refusal;
            }
            watched.add(socket);
        }

        @Override
        public void remove(Datagrams socket) {
            watched.remove(socket);
        }

        @Override
        public void await() throws IOException {
            asleep = true;
            try {
                awake.acquire();
            } catch (InterruptedException e) {
                throw new IOException(e);
            } finally {
                asleep = false;
            }
        }

        @Override
        public void wakeup() {
            awake.release();
        }

        @Override
        public void end() {
            // the test ends the waiting
            ended++;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    @Test
    void aSocketThatCannotBeWaitedForIsClosed() throws IOException {
        engine.start();
        given.refusal = new IOException("no space left");
        Socket group = new Socket();

        assertSame(given.refusal, assertThrows(IOException.class, () -> engine.add(new Receiver(group, GID))));
        assertEquals(1, group.closed);
    }

    @Test
    void aSocketThatComesWhenTheEngineIsClosedIsClosedThoughItsThreadHasNotLeft() throws IOException {
        engine.start();
        engine.close();
        Socket group = new Socket();

        assertThrows(ClosedChannelException.class, () -> engine.add(new Receiver(group, GID)));
        assertEquals(1, group.closed);
    }

    @Test
    void aSocketThatCannotBeClosedKeepsNothingElseOpen() throws IOException {
        engine.start();
        own.refusal = new IOException("input/output error");
        Socket group = new Socket();
        engine.add(new Receiver(group, GID));

        engine.close();
        assertEquals(List.of(1, 1, 1), List.of(own.closed, group.closed, given.ended));
    }

    @Test
    void whatItOpenedToWaitWithIsClosedIfItCannotStart() {
        given.refusal = new IOException("no space left");

        assertSame(given.refusal, assertThrows(IOException.class, engine::start));
        assertEquals(1, given.closed);
    }

    @Test
    void socketsAreWatchedOnlyWhileTheThreadMaySleep() throws IOException {
        engine.start();
        await(() -> given.asleep);
        assertEquals(Set.of(own), given.watched);

        // packets come, and pollers are at it
        await(() -> {
            if (given.asleep) {
                given.wakeup();
            }
            engine.help();
            return given.watched.isEmpty();
        });
        Socket group = new Socket();
        engine.add(new Receiver(group, GID));

        // they have gone
        await(() -> given.asleep && given.awake.availablePermits() == 0);
        assertEquals(Set.of(own, group), given.watched);
    }

    @Test
    void whoReceivesSteadilyIsNotWokenForEachPacketUntilItMaySleepAgain() throws IOException {
        engine.serve(new SoftPort("test", null, null), null);
        engine.start();
        await(() -> given.asleep);
        assertEquals(Set.of(own), given.watched);

        own.flows = true;
        given.wakeup();
        await(() -> given.watched.isEmpty());
        assertFalse(given.asleep);

        own.flows = false;
        await(() -> given.asleep);
        assertEquals(Set.of(own), given.watched);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadline < 0, "within " + SECONDS + " s");
            Thread.onSpinWait();
        }
    }

    @Test
    void aSocketThatIsRemovedIsClosed() throws IOException {
        engine.start();
        Socket group = new Socket();
        Receiver receiver = new Receiver(group, GID);
        engine.add(receiver);
        engine.remove(receiver);

        assertEquals(1, group.closed);
    }
}
