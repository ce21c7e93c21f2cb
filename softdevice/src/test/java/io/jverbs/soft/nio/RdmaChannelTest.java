package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.nio.RdmaSocketOptions;
import io.jverbs.rsocket.RdmaStreamCounters;
import io.jverbs.rsocket.RdmaStreamException;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Channels on RDMA that block: bytes, their end, interrupts, closes, options and sockets. */
@Timeout(60)
final class RdmaChannelTest {

    /** A call that fails. */
    private interface Call {
        void run() throws IOException;
    }

    /** Runs a call in another thread; returns what it throws. */
    private static CompletableFuture<Throwable> failure(AtomicReference<Thread> thread, boolean isVirtual, Call call) {
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
        thread.set(builder.start(() -> {
            try {
                call.run();
                thrown.complete(null);
            } catch (Throwable e) {
                thrown.complete(e);
            }
        }));
        return thrown;
    }

    @ParameterizedTest
    @ValueSource(strings = {"jvm", "wire"})
    void bytesArriveInBothDirectionsAndTheEndAfterThem(String where) throws Exception {
        try (ChannelPair pair = ChannelPair.connect(where)) {
            for (int i = 0; i < 20; i++) {
                assertEquals(9, pair.client().write(ChannelPair.bytes("request " + i % 10)));
                assertEquals("request " + i % 10, ChannelPair.read(pair.server(), 9));
                assertEquals(8, pair.server().write(ChannelPair.bytes("response")));
                assertEquals("response", ChannelPair.read(pair.client(), 8));
            }
            pair.client().write(ChannelPair.bytes("last"));
            pair.client().shutdownOutput();
            assertEquals("last", ChannelPair.read(pair.server(), 4));
            assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
            pair.server().write(ChannelPair.bytes("half"));
            assertEquals("half", ChannelPair.read(pair.client(), 4));
            assertThrows(ClosedChannelException.class, () -> pair.client().write(ChannelPair.bytes("more")));
        }
    }

    @Test
    void gatheredBytesAreScatteredInOrder() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            ByteBuffer[] from = {ChannelPair.bytes("unused"), ChannelPair.bytes("one "), ByteBuffer.allocateDirect(0),
                ChannelPair.bytes("two").asReadOnlyBuffer()};
            assertEquals(7, pair.client().write(from, 1, 3));
            ChannelPair.await("the bytes arrive", () -> available(pair.server()) == 7);
            ByteBuffer[] into = {ByteBuffer.allocate(2), ByteBuffer.allocateDirect(2), ByteBuffer.allocate(9)};
            assertEquals(7, pair.server().read(into));
            assertEquals(0, into[1].remaining());
            assertEquals("two", new String(into[2].array(), 0, 3, StandardCharsets.US_ASCII));
            assertThrows(IndexOutOfBoundsException.class, () -> pair.client().write(from, 3, 2));
            assertThrows(IllegalArgumentException.class,
                    () -> pair.server().read(ByteBuffer.allocate(1).asReadOnlyBuffer()));
            assertEquals(0, pair.server().read(ByteBuffer.allocate(0)));
        }
    }

    private static int available(SocketChannel channel) {
        try {
            return channel.socket().getInputStream().available();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @CsvSource({"jvm, false", "jvm, true", "wire, false", "wire, true"})
    void anInterruptOfAReadClosesTheChannelAndNotTheDevice(String where, boolean isVirtual) throws Exception {
        try (ChannelPair pair = ChannelPair.connect(where)) {
            AtomicReference<Thread> reader = new AtomicReference<>();
            CompletableFuture<Throwable> thrown = failure(reader, isVirtual,
                    () -> pair.client().read(ByteBuffer.allocate(1)));
            ChannelPair.awaitBlocked(reader.get());
            reader.get().interrupt();

            assertInstanceOf(ClosedByInterruptException.class, thrown.get());
            assertFalse(pair.client().isOpen());
            assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
            try (SocketChannel next = pair.provider().openSocketChannel()) {
                next.connect(pair.listener().getLocalAddress());
                try (SocketChannel accepted = pair.listener().accept()) {
                    next.write(ChannelPair.bytes("works"));
                    assertEquals("works", ChannelPair.read(accepted, 5));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCloseEndsAReadAnAcceptAndAWriteOfOtherThreads(boolean isVirtual) throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            CompletableFuture<Throwable> read = failure(thread, isVirtual,
                    () -> pair.client().read(ByteBuffer.allocate(1)));
            ChannelPair.awaitBlocked(thread.get());
            pair.client().close();
            assertInstanceOf(AsynchronousCloseException.class, read.get());

            CompletableFuture<Throwable> accept = failure(thread, isVirtual, () -> pair.listener().accept());
            ChannelPair.awaitBlocked(thread.get());
            pair.listener().close();
            assertInstanceOf(AsynchronousCloseException.class, accept.get());
        }
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            AtomicReference<Thread> thread = new AtomicReference<>();
            CompletableFuture<Throwable> write = failure(thread, isVirtual,
                    () -> pair.client().write(ByteBuffer.allocate(1 << 22)));
            ChannelPair.awaitBlocked(thread.get());
            pair.client().close();
            assertInstanceOf(AsynchronousCloseException.class, write.get());
        }
    }

    @Test
    void aThreadThatIsInterruptedBeforeItReadsClosesTheChannel() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            pair.server().write(ChannelPair.bytes("unread"));
            Thread.currentThread().interrupt();
            assertThrows(ClosedByInterruptException.class, () -> pair.client().read(ByteBuffer.allocate(1)));
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void anInterruptDoesNotMatterToAChannelThatDoesNotBlock() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("wire")) {
            pair.client().configureBlocking(false);
            Thread.currentThread().interrupt();
            try {
                assertEquals(0, pair.client().read(ByteBuffer.allocate(1)));
                assertEquals(4, pair.client().write(ChannelPair.bytes("sent")));
            } finally {
                assertTrue(Thread.interrupted());
            }
            assertEquals("sent", ChannelPair.read(pair.server(), 4));
        }
    }

    @Test
    void aChannelThatIsNotConnectedTransfersNothing() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            SocketChannel channel = pair.provider().openSocketChannel();
            assertThrows(NotYetConnectedException.class, () -> channel.read(ByteBuffer.allocate(1)));
            assertThrows(NotYetConnectedException.class, () -> channel.write(ByteBuffer.allocate(1)));
            assertNull(channel.getLocalAddress());
            channel.close();
            assertThrows(ClosedChannelException.class, () -> channel.read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void aConnectToAPortWithoutListenerIsRefusedAndClosesTheChannel() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm");
                SocketChannel channel = pair.provider().openSocketChannel()) {
            InetSocketAddress listening = (InetSocketAddress) pair.listener().getLocalAddress();
            pair.listener().close();
            ConnectException refused = assertThrows(ConnectException.class, () -> channel.connect(listening));
            assertEquals(RdmaStreamException.Reason.REJECTED,
                    assertInstanceOf(RdmaStreamException.class, refused.getCause()).reason());
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void sizesOfBuffersThatAreSetBeforeTheConnectAreCarriedOver() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm");
                SocketChannel channel = pair.provider().openSocketChannel()) {
            channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 14).setOption(StandardSocketOptions.SO_SNDBUF, 1)
                    .setOption(StandardSocketOptions.IP_TOS, 8);
            channel.connect(pair.listener().getLocalAddress());
            assertEquals(1 << 14, channel.getOption(StandardSocketOptions.SO_RCVBUF));
            assertEquals(4096, channel.getOption(StandardSocketOptions.SO_SNDBUF));
            channel.setOption(StandardSocketOptions.SO_LINGER, 3).setOption(StandardSocketOptions.TCP_NODELAY, true);
            assertEquals(3, channel.getOption(StandardSocketOptions.SO_LINGER));
            assertTrue(channel.getOption(StandardSocketOptions.TCP_NODELAY));

            UnsupportedOperationException refusal = assertThrows(UnsupportedOperationException.class,
                    () -> channel.setOption(StandardSocketOptions.IP_MULTICAST_TTL, 1));
            assertEquals("'IP_MULTICAST_TTL' not supported; supported are SO_KEEPALIVE, SO_LINGER, SO_RCVBUF,"
                    + " SO_REUSEADDR, SO_SNDBUF, STREAM_COUNTERS, TCP_NODELAY", refusal.getMessage());
            assertFalse(channel.supportedOptions().contains(StandardSocketOptions.IP_TOS));
        }
    }

    @Test
    void theCountersOfTheStreamAreAnOptionThatCanOnlyBeRead() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm");
                SocketChannel unconnected = pair.provider().openSocketChannel()) {
            pair.client().write(ChannelPair.bytes("12345"));
            ChannelPair.read(pair.server(), 5);
            assertEquals(5, pair.client().getOption(RdmaSocketOptions.STREAM_COUNTERS).sentBytes());
            RdmaStreamCounters server = pair.server().socket().getOption(RdmaSocketOptions.STREAM_COUNTERS);
            assertEquals(5, server.receivedBytes());
            assertEquals("'STREAM_COUNTERS' can only be read", assertThrows(UnsupportedOperationException.class,
                    () -> pair.server().setOption(RdmaSocketOptions.STREAM_COUNTERS, server)).getMessage());
            assertThrows(UnsupportedOperationException.class,
                    () -> unconnected.getOption(RdmaSocketOptions.STREAM_COUNTERS));
        }
    }

    @Test
    void aSocketReadsWithinItsTimeout() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            Socket socket = pair.client().socket();
            InputStream in = socket.getInputStream();
            socket.setSoTimeout(20);
            assertThrows(SocketTimeoutException.class, in::read);
            pair.server().socket().getOutputStream().write(new byte[] {'a', 'b', 'c'});
            assertEquals('a', in.read());
            assertEquals(2, in.readNBytes(2).length);
            assertEquals(((InetSocketAddress) pair.listener().getLocalAddress()).getPort(), socket.getPort());
            assertEquals(pair.server().getRemoteAddress(), socket.getLocalSocketAddress());
            pair.server().close();
            assertEquals(-1, in.read());
        }
    }

    @Test
    void aServerSocketAcceptsWithinItsTimeout() throws Exception {
        try (ChannelPair pair = ChannelPair.connect("jvm")) {
            pair.listener().socket().setSoTimeout(20);
            assertThrows(SocketTimeoutException.class, () -> pair.listener().socket().accept());
            try (SocketChannel client = pair.provider().openSocketChannel()) {
                client.socket().connect(pair.listener().getLocalAddress(), 10_000);
                try (Socket accepted = pair.listener().socket().accept()) {
                    assertEquals(client.getLocalAddress(), accepted.getRemoteSocketAddress());
                }
            }
        }
    }
}
