package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Selectors over channels on RDMA and of the JDK: what wakes them, and what they report. */
@Timeout(60)
final class RdmaSelectorTest {
    /** Longer than the limit of the test: a selection that nobody wakes fails. */
    private static final long LONG_MILLIS = 300_000;

    /** A selection in another thread, and its result. */
    private record Running(Thread thread, CompletableFuture<Integer> count) {
        static Running start(Selector selector, boolean isVirtual) {
            CompletableFuture<Integer> count = new CompletableFuture<>();
            Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
            return new Running(builder.start(() -> {
                try {
                    count.complete(selector.select());
                } catch (Throwable e) {
                    count.completeExceptionally(e);
                }
            }), count);
        }

        int result() throws InterruptedException, ExecutionException {
            return count.get();
        }
    }

    @ParameterizedTest
    @CsvSource({"jvm, false", "jvm, true", "wire, false", "wire, true"})
    void bytesThatArriveWakeASelectorThatBlocks(String where, boolean isVirtual) throws Exception {
        try (ChannelPair pair = ChannelPair.connect(where); Selector selector = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            SelectionKey key = pair.server().register(selector, SelectionKey.OP_READ);
            for (int i = 0; i < 10; i++) {
                Running running = Running.start(selector, isVirtual);
                ChannelPair.awaitBlocked(running.thread);
                pair.client().write(ChannelPair.bytes("x"));
                assertEquals(1, running.result());
                assertEquals(Set.of(key), selector.selectedKeys());
                assertTrue(key.isReadable());
                selector.selectedKeys().clear();
                assertEquals(1, pair.server().read(ByteBuffer.allocate(8)));
            }
            assertEquals(0, selector.selectNow());
        }
    }

    @Test
    void aKeyIsReportedUntilTheBytesAreRead() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            SelectionKey key = pair.server().register(selector, SelectionKey.OP_READ);
            pair.client().write(ChannelPair.bytes("ab"));
            assertEquals(1, selector.select(LONG_MILLIS));
            assertEquals(0, selector.select(LONG_MILLIS), "the key is selected already");
            selector.selectedKeys().remove(key);
            pair.server().read(ByteBuffer.allocate(1));
            assertEquals(1, selector.select(LONG_MILLIS));
            selector.selectedKeys().clear();
            pair.server().read(ByteBuffer.allocate(1));
            assertEquals(0, selector.selectNow());
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            assertEquals(1, selector.select(LONG_MILLIS));
            assertEquals(SelectionKey.OP_WRITE, key.readyOps());
        }
    }

    @Test
    void oneSelectionReportsRdmaAndTcpChannels() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            Pipe pipe = pair.provider().openPipe();
            pipe.source().configureBlocking(false);
            pair.server().configureBlocking(false);
            SelectionKey fromPipe = pipe.source().register(selector, SelectionKey.OP_READ, "pipe");
            SelectionKey fromStream = pair.server().register(selector, SelectionKey.OP_READ, "stream");
            assertSame(fromPipe, pipe.source().keyFor(selector));
            assertEquals(0, selector.selectNow());

            pipe.sink().write(ChannelPair.bytes("p"));
            pair.client().write(ChannelPair.bytes("s"));
            Set<Object> seen = new HashSet<>();
            ChannelPair.await("both are ready", () -> {
                try {
                    seen.clear();
                    return selector.selectNow(key -> seen.add(key.attachment())) == 2;
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            assertEquals(Set.of("pipe", "stream"), seen);

            pipe.source().read(ByteBuffer.allocate(1));
            assertEquals(1, selector.select());
            assertEquals(Set.of(fromStream), selector.selectedKeys());
            fromPipe.cancel();
            selector.selectNow();
            assertFalse(pipe.source().isRegistered());
            pipe.source().configureBlocking(true);
            pipe.source().close();
            pipe.sink().close();
        }
    }

    @Test
    void bytesOnAStreamWakeASelectorThatAlsoHasChannelsOfTheJdk() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            Pipe pipe = pair.provider().openPipe();
            pipe.source().configureBlocking(false);
            pair.server().configureBlocking(false);
            pipe.source().register(selector, SelectionKey.OP_READ);
            SelectionKey fromStream = pair.server().register(selector, SelectionKey.OP_READ);
            CompletableFuture<Integer> count = new CompletableFuture<>();
            Thread thread = Thread.ofPlatform().start(() -> {
                try {
                    count.complete(selector.select(LONG_MILLIS));
                } catch (IOException e) {
                    count.completeExceptionally(e);
                }
            });
            // it waits in the JDK's selector, in native code
            ChannelPair.await("the selector blocks", () -> inNativeSelect(thread));
            pair.client().write(ChannelPair.bytes("s"));
            assertEquals(1, count.get());
            assertEquals(Set.of(fromStream), selector.selectedKeys());
            pipe.source().close();
            pipe.sink().close();
        }
    }

    private static boolean inNativeSelect(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().startsWith("sun.nio.ch.") && frame.isNativeMethod()) {
                return true;
            }
        }
        return false;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void wakeupCloseAndInterruptEndASelection(boolean isVirtual) throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            Selector selector = pair.provider().openSelector();
            pair.server().configureBlocking(false);
            pair.server().register(selector, SelectionKey.OP_READ);

            selector.wakeup();
            assertEquals(0, selector.select(), "a wakeup before a selection ends that");
            selector.wakeup();
            assertEquals(0, selector.selectNow());
            Running running = Running.start(selector, isVirtual);
            ChannelPair.awaitBlocked(running.thread);
            selector.wakeup();
            assertEquals(0, running.result());

            running = Running.start(selector, isVirtual);
            ChannelPair.awaitBlocked(running.thread);
            running.thread.interrupt();
            assertEquals(0, running.result());
            assertTrue(pair.server().isOpen());

            running = Running.start(selector, isVirtual);
            ChannelPair.awaitBlocked(running.thread);
            selector.close();
            assertEquals(0, running.result());
            assertThrows(ClosedSelectorException.class, selector::select);
            assertNull(pair.server().keyFor(selector));
            assertFalse(pair.server().isRegistered());
        }
    }

    @Test
    void aChannelConnectsAndIsAcceptedWithoutBlocking() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("wire");
                Selector selector = pair.provider().openSelector();
                SocketChannel client = pair.provider().openSocketChannel()) {
            client.configureBlocking(false);
            SelectionKey connecting = client.register(selector, SelectionKey.OP_CONNECT);
            pair.listener().configureBlocking(false);
            SelectionKey accepting = pair.listener().register(selector, SelectionKey.OP_ACCEPT);
            assertNull(pair.listener().accept());

            // it may be established before this returns
            boolean isConnected = client.connect(pair.listener().getLocalAddress());
            if (isConnected) {
                connecting.interestOps(SelectionKey.OP_READ);
            }
            SocketChannel accepted = null;
            while (!isConnected || accepted == null) {
                assertTrue(selector.select(LONG_MILLIS) > 0);
                if (selector.selectedKeys().remove(connecting)) {
                    assertTrue(client.isConnectionPending());
                    isConnected = client.finishConnect();
                    connecting.interestOps(SelectionKey.OP_READ);
                }
                if (selector.selectedKeys().remove(accepting)) {
                    accepted = pair.listener().accept();
                }
            }
            assertTrue(accepted.isBlocking());
            accepted.write(ChannelPair.bytes("hello"));
            assertEquals(1, selector.select(LONG_MILLIS));
            assertTrue(connecting.isReadable());
            accepted.close();
        }
    }

    @Test
    void aKeyThatIsCancelledLetsItsChannelBlockAtOnce() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            SelectionKey key = pair.server().register(selector, SelectionKey.OP_READ);
            key.cancel();
            pair.server().configureBlocking(true);
            pair.client().write(ChannelPair.bytes("x"));
            assertEquals("x", ChannelPair.read(pair.server(), 1));
            selector.selectNow();
            assertTrue(selector.keys().isEmpty());
            pair.server().configureBlocking(false);
            assertTrue(pair.server().register(selector, SelectionKey.OP_READ).isValid());
        }
    }

    @Test
    void twoSelectorsAreBothToldOfBytes() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm");
                Selector reads = pair.provider().openSelector();
                Selector both = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            pair.server().register(reads, SelectionKey.OP_READ);
            pair.server().register(both, SelectionKey.OP_WRITE);
            assertEquals(1, both.select(LONG_MILLIS));
            Running running = Running.start(reads, false);
            ChannelPair.awaitBlocked(running.thread);
            pair.client().write(ChannelPair.bytes("x"));
            assertEquals(1, running.result());
        }
    }

    @Test
    void anActionMayCancelItsKeyAndAnotherSelectionWithinItIsRefused() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm"); Selector selector = pair.provider().openSelector()) {
            pair.server().configureBlocking(false);
            pair.server().register(selector, SelectionKey.OP_WRITE);
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            assertEquals(1, selector.select(key -> {
                refusal.set(assertThrows(IllegalStateException.class, selector::selectNow));
                key.cancel();
            }));
            assertEquals("a selection of this selector is in progress", refusal.get().getMessage());
            assertTrue(selector.keys().isEmpty());
        }
    }
}
