package io.jverbs.soft.nio.contract.adaptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ServerSocketChannel.socket: its state, address, options, and accept, also with a timeout. */
abstract class ServerSocketAdaptorContract extends ChannelContract {
    private static final int MILLIS = 30;
    private static final int LONG_MILLIS = 3_600_000;

    ServerSocketAdaptorContract(ProviderUnderTest tested) {
        super(tested);
    }

    // ServerSocketChannel.socket, ServerSocket.getChannel
    @Test
    void aListenerHasOneSocketThatHasTheListener() throws IOException {
        ServerSocketChannel listener = listener();
        assertSame(listener.socket(), listener.socket());
        assertSame(listener, listener.socket().getChannel());
    }

    // ServerSocket.getLocalPort: -1 if not bound; getInetAddress: null if not bound
    @Test
    void theSocketOfANewListenerIsNotBound() throws IOException {
        ServerSocket socket = unboundListener().socket();
        assertFalse(socket.isBound());
        assertFalse(socket.isClosed());
        assertEquals(-1, socket.getLocalPort());
        assertNull(socket.getInetAddress());
        assertNull(socket.getLocalSocketAddress());
    }

    // ServerSocket.bind
    @Test
    void aListenerIsBoundThroughItsSocket() throws IOException {
        ServerSocketChannel listener = unboundListener();
        listener.socket().bind(anyPort());
        assertTrue(listener.socket().isBound());
        assertEquals(addressOf(listener), listener.socket().getLocalSocketAddress());
        assertEquals(addressOf(listener).getPort(), listener.socket().getLocalPort());
        assertEquals(address(), listener.socket().getInetAddress());
        assertThrows(SocketException.class, () -> listener.socket().bind(anyPort(), 5));
    }

    @Test
    void aListenerIsBoundToNullThroughItsSocket() throws IOException {
        ServerSocketChannel listener = unboundListener();
        listener.socket().bind(null);
        assertTrue(addressOf(listener).getPort() > 0);
    }

    // ServerSocket.accept
    @ParameterizedTest
    @EnumSource
    void anAcceptReturnsTheSocketOfAConnectedChannel(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        BlockingCall<Socket> accept = BlockingCall.start(kind, () -> listener.socket().accept())
                .awaitBlockedIn(listener.socket(), "accept");
        SocketChannel client = nonBlockingChannel();
        client.connect(addressOf(listener));
        Socket accepted = closeLater(accept.result());
        Until.holds("the connection is established", client::finishConnect);
        assertTrue(accepted.isConnected());
        assertSame(provider(), accepted.getChannel().provider());
        assertEquals(client.getLocalAddress(), accepted.getRemoteSocketAddress());
    }

    // ServerSocket.setSoTimeout: SocketTimeoutException, and the socket is still valid
    @ParameterizedTest
    @EnumSource
    void anAcceptThrowsWhenTheTimeoutIsOverAndTheListenerStaysOpen(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        ServerSocket socket = listener.socket();
        socket.setSoTimeout(MILLIS);
        long start = System.nanoTime();
        BlockingCall.start(kind, socket::accept).failure(SocketTimeoutException.class);
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= TimeUnit.MILLISECONDS.toNanos(MILLIS), () -> elapsed + " ns");
        assertTrue(listener.isOpen());
        assertTrue(listener.isBlocking());
        assertTrue(pair(listener).server().isConnected());
    }

    @ParameterizedTest
    @EnumSource
    void aConnectionEndsAnAcceptWithATimeout(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        ServerSocket socket = listener.socket();
        socket.setSoTimeout(LONG_MILLIS);
        BlockingCall<Socket> accept = BlockingCall.start(kind, socket::accept).awaitBlockedIn(socket, "accept");
        nonBlockingChannel().connect(addressOf(listener));
        assertTrue(closeLater(accept.result()).isConnected());
    }

    @ParameterizedTest
    @EnumSource
    void aBlockedAcceptThrowsWhenTheSocketIsClosed(ThreadKind kind) throws Exception {
        ServerSocket socket = listener().socket();
        BlockingCall<Socket> accept = BlockingCall.start(kind, socket::accept).awaitBlockedIn(socket, "accept");
        socket.close();
        accept.failure(AsynchronousCloseException.class);
    }

    @Test
    void anAcceptOfAnUnboundSocketThrows() throws IOException {
        ServerSocket socket = unboundListener().socket();
        assertThrows(SocketException.class, socket::accept);
    }

    @Test
    void anAcceptOfAClosedSocketThrows() throws IOException {
        ServerSocket socket = listener().socket();
        socket.close();
        assertThrows(ClosedChannelException.class, socket::accept);
    }

    // ServerSocket.accept: IllegalBlockingModeException if the channel is in non-blocking mode and nothing waits
    @Test
    void anAcceptOfAListenerInNonBlockingModeThrows() throws IOException {
        ServerSocket socket = nonBlockingListener().socket();
        assertThrows(IllegalBlockingModeException.class, socket::accept);
        socket.setSoTimeout(LONG_MILLIS);
        assertThrows(IllegalBlockingModeException.class, socket::accept);
    }

    // ServerSocket.close
    @Test
    void aListenerIsClosedWithItsSocket() throws IOException {
        ServerSocketChannel listener = listener();
        listener.socket().close();
        listener.socket().close();
        assertFalse(listener.isOpen());
        assertTrue(listener.socket().isClosed());
        assertTrue(listener.socket().isBound());
    }

    // ServerSocket.setSoTimeout
    @Test
    void aTimeoutOfAcceptsIsSet() throws IOException {
        ServerSocket socket = listener().socket();
        assertEquals(0, socket.getSoTimeout());
        socket.setSoTimeout(5);
        assertEquals(5, socket.getSoTimeout());
        assertThrows(IllegalArgumentException.class, () -> socket.setSoTimeout(-1));
        assertEquals(5, socket.getSoTimeout());
    }

    @Test
    void anOptionOfTheSocketIsOneOfTheListener() throws IOException {
        ServerSocketChannel listener = unboundListener();
        ServerSocket socket = listener.socket();
        for (boolean reuse : new boolean[] {true, false}) {
            socket.setReuseAddress(reuse);
            assertEquals(reuse, socket.getReuseAddress());
            assertEquals(reuse, listener.getOption(StandardSocketOptions.SO_REUSEADDR));
        }
        socket.setReceiveBufferSize(1 << 16);
        assertTrue(socket.getReceiveBufferSize() > 0);
        assertThrows(IllegalArgumentException.class, () -> socket.setReceiveBufferSize(0));
        assertThrows(IllegalArgumentException.class, () -> socket.setReceiveBufferSize(-1));
        assertEquals(listener.supportedOptions(), socket.supportedOptions());
    }

    @Test
    void theOptionsOfAClosedSocketCanBeNeitherSetNorRead() throws IOException {
        ServerSocket socket = listener().socket();
        socket.close();
        assertThrows(SocketException.class, () -> socket.setReuseAddress(true));
        assertThrows(SocketException.class, socket::getReuseAddress);
        assertThrows(SocketException.class, () -> socket.setSoTimeout(1));
        assertThrows(SocketException.class, socket::getSoTimeout);
    }
}
