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
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.ThreadKind;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SocketChannel.socket: its state, addresses, options, and operations. */
abstract class SocketAdaptorContract extends ChannelContract {
    private static final int MILLIS = 30;
    private static final int LONG_MILLIS = 3_600_000;

    SocketAdaptorContract(ProviderUnderTest tested) {
        super(tested);
    }

    // SocketChannel.socket, Socket.getChannel
    @Test
    void aChannelHasOneSocketThatHasTheChannel() throws IOException {
        SocketChannel channel = channel();
        assertSame(channel.socket(), channel.socket());
        assertSame(channel, channel.socket().getChannel());
    }

    @Test
    void theSocketOfANewChannelIsNeitherBoundNorConnectedNorClosed() throws IOException {
        Socket socket = channel().socket();
        assertFalse(socket.isBound());
        assertFalse(socket.isConnected());
        assertFalse(socket.isClosed());
        assertFalse(socket.isInputShutdown());
        assertFalse(socket.isOutputShutdown());
    }

    // Socket.getLocalPort: -1 if not bound; getPort: 0 if not connected; getInetAddress: null if not connected
    @Test
    void theSocketOfANewChannelHasNoAddresses() throws IOException {
        Socket socket = channel().socket();
        assertEquals(-1, socket.getLocalPort());
        assertEquals(0, socket.getPort());
        assertNull(socket.getInetAddress());
        assertNull(socket.getRemoteSocketAddress());
        assertNull(socket.getLocalSocketAddress());
        assertTrue(socket.getLocalAddress().isAnyLocalAddress());
    }

    @Test
    void theSocketOfAConnectedChannelHasItsAddresses() throws Exception {
        Pair pair = pair();
        for (SocketChannel channel : new SocketChannel[] {pair.client(), pair.server()}) {
            Socket socket = channel.socket();
            InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
            InetSocketAddress remote = (InetSocketAddress) channel.getRemoteAddress();
            assertTrue(socket.isBound());
            assertTrue(socket.isConnected());
            assertEquals(local, socket.getLocalSocketAddress());
            assertEquals(local.getAddress(), socket.getLocalAddress());
            assertEquals(local.getPort(), socket.getLocalPort());
            assertEquals(remote, socket.getRemoteSocketAddress());
            assertEquals(remote.getAddress(), socket.getInetAddress());
            assertEquals(remote.getPort(), socket.getPort());
        }
    }

    // Socket.bind
    @Test
    void aSocketIsBoundWithItsChannel() throws IOException {
        SocketChannel channel = channel();
        channel.socket().bind(anyPort());
        assertTrue(channel.socket().isBound());
        assertEquals(channel.getLocalAddress(), channel.socket().getLocalSocketAddress());
        assertThrows(SocketException.class, () -> channel.socket().bind(anyPort()));
    }

    // Socket.close
    @Test
    void aChannelIsClosedWithItsSocket() throws Exception {
        Pair pair = pair();
        pair.client().socket().close();
        pair.client().socket().close();
        assertFalse(pair.client().isOpen());
        assertTrue(pair.client().socket().isClosed());
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
    }

    /** Unlike other sockets, that of a channel is not connected any more when it is closed. */
    @Test
    void theSocketOfAClosedChannelIsClosedAndStillBound() throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        assertTrue(channel.socket().isClosed());
        assertTrue(channel.socket().isBound());
        assertFalse(channel.socket().isConnected());
    }

    // Socket.connect(SocketAddress, int)
    @ParameterizedTest
    @EnumSource
    void aSocketConnectsWithATimeout(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel channel = channel();
        BlockingCall<Object> connect = BlockingCall.start(kind, () -> {
            channel.socket().connect(addressOf(listener), LONG_MILLIS);
            return null;
        });
        SocketChannel server = closeLater(listener.accept());
        connect.result();
        assertTrue(channel.isConnected());
        assertTrue(channel.isBlocking());
        TestBytes.writeFully(server, TestBytes.text("x"));
        assertEquals("x", TestBytes.readText(channel, 1));
    }

    @Test
    void aSocketConnectsWithoutATimeout() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel channel = channel();
        BlockingCall<Object> connect = BlockingCall.start(() -> {
            channel.socket().connect(addressOf(listener));
            return null;
        });
        closeLater(listener.accept());
        connect.result();
        assertTrue(channel.socket().isConnected());
        assertThrows(SocketException.class, () -> channel.socket().connect(addressOf(listener)));
    }

    // Socket.connect(SocketAddress, int): SocketTimeoutException
    @ParameterizedTest
    @EnumSource
    void aConnectThrowsAndClosesTheSocketWhenTheTimeoutIsOver(ThreadKind kind) throws Exception {
        InetSocketAddress silent = silentListener();
        Socket socket = channel().socket();
        long start = System.nanoTime();
        BlockingCall.start(kind, () -> {
            socket.connect(silent, MILLIS);
            return null;
        }).failure(SocketTimeoutException.class);
        long elapsed = System.nanoTime() - start;
        assertTrue(elapsed >= TimeUnit.MILLISECONDS.toNanos(MILLIS), () -> elapsed + " ns");
        assertTrue(socket.isClosed());
    }

    @Test
    void aConnectWithATimeoutIsRefused() throws IOException {
        InetSocketAddress nobody = addressWithoutListener();
        Socket socket = channel().socket();
        assertThrows(ConnectException.class, () -> socket.connect(nobody, LONG_MILLIS));
        assertTrue(socket.isClosed());
    }

    // Socket.connect: IllegalArgumentException, UnknownHostException
    @Test
    void wrongArgumentsOfAConnectAreRefused() throws IOException {
        ServerSocketChannel listener = listener();
        Socket socket = channel().socket();
        assertThrows(IllegalArgumentException.class, () -> socket.connect(null));
        assertThrows(IllegalArgumentException.class, () -> socket.connect(addressOf(listener), -1));
        assertFalse(socket.isClosed());
        assertThrows(UnknownHostException.class, () -> socket.connect(UNRESOLVED));
    }

    // Socket.connect: IllegalBlockingModeException
    @Test
    void theSocketOfAChannelInNonBlockingModeDoesNotConnect() throws IOException {
        ServerSocketChannel listener = listener();
        SocketChannel channel = nonBlockingChannel();
        assertThrows(IllegalBlockingModeException.class, () -> channel.socket().connect(addressOf(listener)));
        assertThrows(IllegalBlockingModeException.class, () -> channel.socket().connect(addressOf(listener), 10));
        assertTrue(channel.isOpen());
    }

    // Socket.shutdownInput, shutdownOutput
    @Test
    void aSocketShutsItsChannelDown() throws Exception {
        Pair pair = pair();
        Socket socket = pair.client().socket();
        socket.shutdownOutput();
        assertTrue(socket.isOutputShutdown());
        assertFalse(socket.isInputShutdown());
        assertEquals(-1, pair.server().read(ByteBuffer.allocate(1)));
        socket.shutdownInput();
        assertTrue(socket.isInputShutdown());
        assertEquals(-1, pair.client().read(ByteBuffer.allocate(1)));
    }

    @Test
    void theSocketTellsThatItsChannelWasShutDown() throws Exception {
        SocketChannel channel = pair().client();
        channel.shutdownInput().shutdownOutput();
        assertTrue(channel.socket().isInputShutdown());
        assertTrue(channel.socket().isOutputShutdown());
    }

    @Test
    void aSocketThatIsNotConnectedIsNotShutDown() throws IOException {
        Socket socket = channel().socket();
        assertThrows(SocketException.class, socket::shutdownInput);
        assertThrows(SocketException.class, socket::shutdownOutput);
    }

    // Socket.setSoTimeout: SocketException, IllegalArgumentException
    @Test
    void aTimeoutOfReadsIsSet() throws IOException {
        Socket socket = channel().socket();
        assertEquals(0, socket.getSoTimeout());
        socket.setSoTimeout(5);
        assertEquals(5, socket.getSoTimeout());
        assertThrows(IllegalArgumentException.class, () -> socket.setSoTimeout(-1));
        assertEquals(5, socket.getSoTimeout());
    }

    @Test
    void anOptionOfTheSocketIsOneOfTheChannel() throws IOException {
        SocketChannel channel = channel();
        Socket socket = channel.socket();
        socket.setTcpNoDelay(true);
        assertTrue(socket.getTcpNoDelay());
        assertEquals(true, channel.getOption(StandardSocketOptions.TCP_NODELAY));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, false);
        assertFalse(socket.getTcpNoDelay());
        socket.setKeepAlive(true);
        assertTrue(socket.getKeepAlive());
        socket.setReuseAddress(true);
        assertTrue(socket.getReuseAddress());
        assertEquals(channel.supportedOptions(), socket.supportedOptions());
    }

    // Socket.setSoLinger
    @Test
    void lingeringIsSetInSeconds() throws IOException {
        Socket socket = channel().socket();
        assertEquals(-1, socket.getSoLinger());
        socket.setSoLinger(true, 7);
        assertEquals(7, socket.getSoLinger());
        socket.setSoLinger(false, 7);
        assertEquals(-1, socket.getSoLinger());
    }

    // Socket.setSendBufferSize, setReceiveBufferSize: IllegalArgumentException
    @Test
    void aBufferSizeIsPositive() throws IOException {
        Socket socket = channel().socket();
        socket.setSendBufferSize(1 << 16);
        socket.setReceiveBufferSize(1 << 16);
        assertTrue(socket.getSendBufferSize() > 0);
        assertTrue(socket.getReceiveBufferSize() > 0);
        for (int size : new int[] {0, -1}) {
            assertThrows(IllegalArgumentException.class, () -> socket.setSendBufferSize(size));
            assertThrows(IllegalArgumentException.class, () -> socket.setReceiveBufferSize(size));
        }
    }

    // Socket.setTrafficClass: a hint; IllegalArgumentException. getTrafficClass: may return another value
    @Test
    void aTrafficClassIsAHintInTheRangeOfAByte() throws Exception {
        for (Socket socket : List.of(channel().socket(), pair().client().socket())) {
            socket.setTrafficClass(8);
            assertTrue(socket.getTrafficClass() >= 0);
            for (int wrong : new int[] {-1, 256}) {
                assertThrows(IllegalArgumentException.class, () -> socket.setTrafficClass(wrong));
            }
        }
    }

    @Test
    void theOptionsOfAClosedSocketCanBeNeitherSetNorRead() throws IOException {
        Socket socket = channel().socket();
        socket.close();
        assertThrows(SocketException.class, () -> socket.setTcpNoDelay(true));
        assertThrows(SocketException.class, socket::getTcpNoDelay);
        assertThrows(SocketException.class, () -> socket.setSoTimeout(1));
        assertThrows(SocketException.class, socket::getSoTimeout);
        assertThrows(SocketException.class, socket::getReceiveBufferSize);
        assertThrows(SocketException.class, () -> socket.setTrafficClass(8));
        assertThrows(SocketException.class, socket::getTrafficClass);
        assertThrows(SocketException.class, () -> socket.setSoLinger(true, 1));
    }
}
