package io.jverbs.soft.nio.contract.channel;

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
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AlreadyConnectedException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NoConnectionPendingException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SocketChannel.connect in blocking mode, and the state of channels before and after it. */
abstract class ConnectContract extends ChannelContract {
    ConnectContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static void assertNotConnected(SocketChannel channel) {
        assertTrue(channel.isOpen());
        assertFalse(channel.isConnected());
        assertFalse(channel.isConnectionPending());
    }

    /** Checks that a call throws an exception, that the channel stays open, and that it can be connected then. */
    private void assertRefusesAndCanConnect(Class<? extends Exception> expected, SocketAddress remote)
            throws Exception {
        SocketChannel channel = channel();
        assertThrows(expected, () -> channel.connect(remote));
        assertNotConnected(channel);
        ServerSocketChannel listener = listener();
        BlockingCall<Boolean> connect = BlockingCall.start(() -> channel.connect(addressOf(listener)));
        closeLater(listener.accept());
        assertTrue(connect.result());
    }

    // SelectorProvider.openSocketChannel, SocketChannel.open
    @Test
    void aNewChannelIsOpenAndBlockingAndNotConnected() throws IOException {
        SocketChannel channel = channel();
        assertNotConnected(channel);
        assertTrue(channel.isBlocking());
        assertFalse(channel.isRegistered());
        assertNull(channel.getLocalAddress());
        assertNull(channel.getRemoteAddress());
    }

    // SelectableChannel.provider
    @Test
    void aChannelHasTheProviderThatOpenedIt() throws IOException {
        assertSame(provider(), channel().provider());
    }

    // SocketChannel.validOps
    @Test
    void theValidOperationsAreReadWriteAndConnect() throws IOException {
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT, channel().validOps());
    }

    // SelectorProvider.openSocketChannel(ProtocolFamily)
    @Test
    void aProtocolFamilyThatIsNoneOfTheStandardOnesIsUnsupported() {
        ProtocolFamily unknown = () -> "UNKNOWN";
        assertThrows(UnsupportedOperationException.class, () -> provider().openSocketChannel(unknown));
    }

    // SelectorProvider.openSocketChannel(ProtocolFamily)
    @Test
    void theProtocolFamilyMustNotBeNull() {
        assertThrows(NullPointerException.class, () -> provider().openSocketChannel(null));
    }

    // SocketChannel.connect: in blocking mode, blocks until the connection is established
    @ParameterizedTest
    @EnumSource
    void aConnectReturnsTrueWhenTheConnectionIsEstablished(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = channel();
        BlockingCall<Boolean> connect = BlockingCall.start(kind, () -> client.connect(addressOf(listener)));
        SocketChannel server = closeLater(listener.accept());
        assertTrue(connect.result());
        assertTrue(client.isConnected());
        assertFalse(client.isConnectionPending());
        assertTrue(client.isBlocking());
        assertTrue(server.isConnected());
    }

    @Test
    void twoChannelsConnectToOneListenerAtTheSameTime() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel first = channel();
        SocketChannel second = channel();
        BlockingCall<Boolean> one = BlockingCall.start(() -> first.connect(addressOf(listener)));
        BlockingCall<Boolean> two = BlockingCall.start(() -> second.connect(addressOf(listener)));
        closeLater(listener.accept());
        closeLater(listener.accept());
        assertTrue(one.result());
        assertTrue(two.result());
    }

    // SocketChannel.connect: AlreadyConnectedException
    @Test
    void aConnectOfAConnectedChannelThrowsAndTheConnectionRemains() throws Exception {
        ServerSocketChannel listener = listener();
        Pair pair = pair(listener);
        assertThrows(AlreadyConnectedException.class, () -> pair.client().connect(addressOf(listener)));
        assertTrue(pair.client().isConnected());
        TestBytes.writeFully(pair.client(), TestBytes.text("still"));
        assertEquals("still", TestBytes.readText(pair.server(), 5));
    }

    @Test
    void aConnectOfAnAcceptedChannelThrows() throws Exception {
        ServerSocketChannel listener = listener();
        Pair pair = pair(listener);
        assertThrows(AlreadyConnectedException.class, () -> pair.server().connect(addressOf(listener)));
    }

    // SocketChannel.finishConnect: if this channel is already connected, returns true
    @Test
    void finishConnectOfAConnectedChannelReturnsTrue() throws Exception {
        Pair pair = pair();
        assertTrue(pair.client().finishConnect());
        assertTrue(pair.server().finishConnect());
    }

    // SocketChannel.finishConnect: NoConnectionPendingException
    @Test
    void finishConnectWithoutConnectThrowsAndTheChannelStaysOpen() throws IOException {
        SocketChannel channel = channel();
        assertThrows(NoConnectionPendingException.class, channel::finishConnect);
        assertNotConnected(channel);
    }

    // SocketChannel.connect: if it fails, the channel is closed
    @ParameterizedTest
    @EnumSource
    void aRefusedConnectThrowsAndClosesTheChannel(ThreadKind kind) throws Exception {
        InetSocketAddress nobody = addressWithoutListener();
        SocketChannel channel = channel();
        BlockingCall.start(kind, () -> channel.connect(nobody)).failure(ConnectException.class);
        assertFalse(channel.isOpen());
        assertFalse(channel.isConnected());
        assertFalse(channel.isConnectionPending());
    }

    @Test
    void aConnectToAClosedListenerIsRefused() throws IOException {
        ServerSocketChannel listener = listener();
        InetSocketAddress address = addressOf(listener);
        listener.close();
        SocketChannel channel = channel();
        assertThrows(ConnectException.class, () -> channel.connect(address));
        assertFalse(channel.isOpen());
    }

    @Test
    void anotherChannelConnectsAfterARefusedOne() throws Exception {
        InetSocketAddress nobody = addressWithoutListener();
        assertThrows(ConnectException.class, () -> channel().connect(nobody));
        assertTrue(pair().client().isConnected());
    }

    // SocketChannel.connect: UnresolvedAddressException
    @Test
    void anUnresolvedAddressIsRefusedAndTheChannelCanConnectThen() throws Exception {
        assertRefusesAndCanConnect(UnresolvedAddressException.class, UNRESOLVED);
    }

    // SocketChannel.connect: UnsupportedAddressTypeException
    @Test
    void anUnsupportedAddressIsRefusedAndTheChannelCanConnectThen() throws Exception {
        assertRefusesAndCanConnect(UnsupportedAddressTypeException.class, UNSUPPORTED);
    }

    @Test
    void aMissingAddressIsRefusedAndTheChannelCanConnectThen() throws Exception {
        assertRefusesAndCanConnect(NullPointerException.class, null);
    }

    // SocketChannel.connect: ClosedChannelException
    @Test
    void aConnectOfAClosedChannelThrows() throws IOException {
        ServerSocketChannel listener = listener();
        SocketChannel channel = channel();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.connect(addressOf(listener)));
    }

    // SocketChannel.isConnectionPending
    @Test
    void theConnectionIsPendingWhileAThreadBlocksInConnect() throws Exception {
        InetSocketAddress silent = silentListener();
        SocketChannel channel = channel();
        BlockingCall<Boolean> connect = BlockingCall.start(() -> channel.connect(silent))
                .awaitBlockedIn(channel, "connect");
        assertTrue(channel.isConnectionPending());
        assertFalse(channel.isConnected());
        channel.close();
        connect.failure(AsynchronousCloseException.class);
        assertFalse(channel.isConnectionPending());
    }

    // SocketChannel.connect: reads and writes meanwhile block until it is complete
    @Test
    void aReadAndAWriteBlockWhileAThreadBlocksInConnect() throws Exception {
        InetSocketAddress silent = silentListener();
        SocketChannel channel = channel();
        BlockingCall<Boolean> connect = BlockingCall.start(() -> channel.connect(silent))
                .awaitBlockedIn(channel, "connect");
        BlockingCall<Integer> read = BlockingCall.start(() -> channel.read(ByteBuffer.allocate(1)))
                .awaitBlockedIn(channel, "read");
        BlockingCall<Integer> write = BlockingCall.start(() -> channel.write(ByteBuffer.allocate(1)))
                .awaitBlockedIn(channel, "write");
        channel.close();
        connect.failure(AsynchronousCloseException.class);
        read.failure(ClosedChannelException.class);
        write.failure(ClosedChannelException.class);
    }

    @Test
    void aHundredConnectionsOneAfterTheOtherAreEstablishedAndClosed() throws Exception {
        ServerSocketChannel listener = listener();
        for (int i = 0; i < 100; i++) {
            Pair pair = pair(listener);
            TestBytes.writeFully(pair.client(), TestBytes.text("x"));
            assertEquals("x", TestBytes.readText(pair.server(), 1));
            pair.client().close();
            Until.holds("the end of the stream", () -> pair.server().read(ByteBuffer.allocate(1)) == -1);
            pair.server().close();
        }
    }
}
