package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.ThreadKind;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ConnectionPendingException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SocketChannel.connect and finishConnect in non-blocking mode, and OP_CONNECT. */
abstract class NonBlockingConnectContract extends ChannelContract {
    NonBlockingConnectContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static void assertPending(SocketChannel channel) {
        assertTrue(channel.isOpen());
        assertTrue(channel.isConnectionPending());
        assertFalse(channel.isConnected());
    }

    // SocketChannel.connect, finishConnect
    @Test
    void aConnectionIsEstablishedByConnectAndFinishConnect() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = nonBlockingChannel();
        boolean connected = client.connect(addressOf(listener));
        assertEquals(connected, client.isConnected());
        assertEquals(!connected, client.isConnectionPending());
        closeLater(listener.accept());
        Until.holds("the connection is established", client::finishConnect);
        assertTrue(client.isConnected());
        assertFalse(client.isConnectionPending());
        assertFalse(client.isBlocking());
    }

    // SocketChannel.isConnectionPending
    @Test
    void aConnectionIsPendingUntilItIsFinished() throws Exception {
        SocketChannel channel = pendingChannel();
        assertPending(channel);
        assertFalse(channel.finishConnect());
        assertPending(channel);
    }

    // SocketChannel.finishConnect: the established connection is pending until this method is called
    @Test
    void anEstablishedConnectionIsPendingUntilFinishConnectIsCalled() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = nonBlockingChannel();
        SelectionKey key = client.register(selector(), SelectionKey.OP_CONNECT);
        if (!client.connect(addressOf(listener))) {
            closeLater(listener.accept());
            Until.holds("the key is ready", () -> key.selector().selectNow() == 1);
            assertPending(client);
            assertTrue(client.finishConnect());
        }
        assertTrue(client.isConnected());
    }

    // SocketChannel.connect: ConnectionPendingException
    @Test
    void aConnectOfAPendingChannelThrows() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel channel = pendingChannel();
        assertThrows(ConnectionPendingException.class, () -> channel.connect(addressOf(listener)));
        assertPending(channel);
    }

    // SocketChannel.bind: ConnectionPendingException
    @Test
    void aBindOfAPendingChannelThrows() throws Exception {
        SocketChannel channel = pendingChannel();
        assertThrows(ConnectionPendingException.class, () -> channel.bind(anyPort()));
        assertPending(channel);
    }

    // SocketChannel.read, write: NotYetConnectedException
    @Test
    void aPendingChannelIsNotYetConnected() throws Exception {
        SocketChannel channel = pendingChannel();
        assertThrows(NotYetConnectedException.class, () -> channel.read(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, () -> channel.write(ByteBuffer.allocate(1)));
        assertThrows(NotYetConnectedException.class, channel::shutdownInput);
        assertThrows(NotYetConnectedException.class, channel::shutdownOutput);
        assertPending(channel);
    }

    // SelectionKey.OP_CONNECT
    @Test
    void aKeyIsConnectableWhenTheConnectionIsEstablished() throws Exception {
        ServerSocketChannel listener = listener();
        Selector selector = selector();
        SocketChannel client = nonBlockingChannel();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        if (!client.connect(addressOf(listener))) {
            BlockingCall<SocketChannel> accept = BlockingCall.start(listener::accept);
            assertEquals(1, selector.select());
            assertTrue(key.isConnectable());
            assertFalse(key.isReadable() || key.isWritable());
            assertTrue(client.finishConnect());
            closeLater(accept.result());
        }
    }

    // SelectionKey.OP_CONNECT
    @Test
    void aKeyIsNotConnectableOnceTheConnectionIsFinished() throws Exception {
        ServerSocketChannel listener = listener();
        Selector selector = selector();
        SocketChannel client = nonBlockingChannel();
        client.register(selector, SelectionKey.OP_CONNECT);
        client.connect(addressOf(listener));
        closeLater(listener.accept());
        Until.holds("the connection is established", client::finishConnect);
        assertEquals(0, selector.selectNow());
    }

    @Test
    void aKeyIsNotConnectableWhileTheConnectionIsPending() throws Exception {
        SocketChannel channel = pendingChannel();
        Selector selector = selector();
        channel.register(selector, SelectionKey.OP_CONNECT);
        assertEquals(0, selector.selectNow());
        assertEquals(0, selector.select(1));
    }

    // SelectionKey.OP_CONNECT: has finished, or has an error pending
    @Test
    void aKeyIsConnectableWhenTheConnectionIsRefused() throws Exception {
        InetSocketAddress nobody = addressWithoutListener();
        Selector selector = selector();
        SocketChannel client = nonBlockingChannel();
        SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
        assertThrows(ConnectException.class, () -> {
            client.connect(nobody);
            assertEquals(1, selector.select());
            assertTrue(key.isConnectable());
            client.finishConnect();
        });
        assertFalse(client.isOpen());
        assertFalse(key.isValid());
    }

    // SocketChannel.finishConnect: throws, and closes the channel, if the connection operation failed
    @Test
    void finishConnectOfARefusedConnectionThrowsAndClosesTheChannel() throws IOException {
        InetSocketAddress nobody = addressWithoutListener();
        SocketChannel client = nonBlockingChannel();
        assertThrows(ConnectException.class, () -> {
            client.connect(nobody);
            Until.holds("the connection is refused", client::finishConnect);
        });
        assertFalse(client.isOpen());
        assertFalse(client.isConnectionPending());
        assertThrows(ClosedChannelException.class, client::finishConnect);
    }

    // SocketChannel.finishConnect: NoConnectionPendingException
    @Test
    void finishConnectWithoutConnectThrows() throws IOException {
        SocketChannel channel = nonBlockingChannel();
        assertThrows(NoConnectionPendingException.class, channel::finishConnect);
        assertTrue(channel.isOpen());
    }

    // SocketChannel.finishConnect: ClosedChannelException
    @Test
    void finishConnectOfAClosedChannelThrows() throws Exception {
        SocketChannel channel = pendingChannel();
        channel.close();
        assertThrows(ClosedChannelException.class, channel::finishConnect);
    }

    @Test
    void aClosedChannelHasNoPendingConnection() throws Exception {
        SocketChannel channel = pendingChannel();
        channel.close();
        assertFalse(channel.isOpen());
        assertFalse(channel.isConnectionPending());
        assertFalse(channel.isConnected());
    }

    // SocketChannel.finishConnect: in blocking mode, blocks until the connection completes
    @ParameterizedTest
    @EnumSource
    void finishConnectInBlockingModeReturnsTrueWhenTheConnectionIsEstablished(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = nonBlockingChannel();
        client.connect(addressOf(listener));
        client.configureBlocking(true);
        BlockingCall<Boolean> finish = BlockingCall.start(kind, client::finishConnect);
        closeLater(listener.accept());
        assertTrue(finish.result());
        assertTrue(client.isConnected());
    }

    // SocketChannel.finishConnect: in blocking mode, blocks until the connection fails
    @ParameterizedTest
    @EnumSource
    void finishConnectInBlockingModeThrowsWhenTheConnectionIsRefused(ThreadKind kind) throws Exception {
        InetSocketAddress nobody = addressWithoutListener();
        SocketChannel client = nonBlockingChannel();
        BlockingCall.start(kind, () -> {
            client.connect(nobody);
            client.configureBlocking(true);
            return client.finishConnect();
        }).failure(ConnectException.class);
        assertFalse(client.isOpen());
    }

    @Test
    void finishConnectInBlockingModeBlocksWhileTheConnectionIsPending() throws Exception {
        SocketChannel channel = pendingChannel();
        channel.configureBlocking(true);
        BlockingCall<Boolean> finish = BlockingCall.start(channel::finishConnect)
                .awaitBlockedIn(channel, "finishConnect");
        channel.close();
        finish.failure(AsynchronousCloseException.class);
    }
}
