package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** ServerSocketChannel.accept in both modes, and OP_ACCEPT. */
abstract class AcceptContract extends ChannelContract {
    /** Fewer than a default backlog. */
    private static final int CONNECTIONS = 20;

    AcceptContract(ProviderUnderTest tested) {
        super(tested);
    }

    private SocketChannel startConnect(ServerSocketChannel to) throws IOException {
        SocketChannel client = nonBlockingChannel();
        client.connect(addressOf(to));
        return client;
    }

    private SocketChannel acceptWaiting(ServerSocketChannel listener) throws Exception {
        SocketChannel[] accepted = {null};
        Until.holds("a connection waits", () -> {
            accepted[0] = listener.accept();
            return accepted[0] != null;
        });
        return closeLater(accepted[0]);
    }

    // ServerSocketChannel.accept: in blocking mode, blocks until a connection is available
    @ParameterizedTest
    @EnumSource
    void anAcceptBlocksUntilAChannelConnects(ThreadKind kind) throws Exception {
        ServerSocketChannel listener = listener();
        BlockingCall<SocketChannel> accept = BlockingCall.start(kind, listener::accept)
                .awaitBlockedIn(listener, "accept");
        SocketChannel client = startConnect(listener);
        SocketChannel server = closeLater(accept.result());
        Until.holds("the connection is established", client::finishConnect);
        assertEquals(client.getLocalAddress(), server.getRemoteAddress());
    }

    // ServerSocketChannel.accept: the channel is in blocking mode, whatever the mode of this channel
    @Test
    void anAcceptedChannelIsConnectedAndBlocking() throws Exception {
        SocketChannel server = pair().server();
        assertTrue(server.isOpen());
        assertTrue(server.isConnected());
        assertFalse(server.isConnectionPending());
        assertTrue(server.isBlocking());
        assertFalse(server.isRegistered());
        assertSame(provider(), server.provider());
    }

    @Test
    void aChannelThatANonBlockingListenerAcceptsIsBlocking() throws Exception {
        ServerSocketChannel listener = nonBlockingListener();
        startConnect(listener);
        assertTrue(acceptWaiting(listener).isBlocking());
    }

    // ServerSocketChannel.accept: in non-blocking mode, returns null if there are no pending connections
    @Test
    void aNonBlockingAcceptReturnsNullWithoutAConnection() throws IOException {
        ServerSocketChannel listener = nonBlockingListener();
        assertNull(listener.accept());
        assertNull(listener.accept());
    }

    @Test
    void aNonBlockingAcceptReturnsAWaitingConnectionOnce() throws Exception {
        ServerSocketChannel listener = nonBlockingListener();
        SocketChannel client = startConnect(listener);
        SocketChannel server = acceptWaiting(listener);
        Until.holds("the connection is established", client::finishConnect);
        assertEquals(client.getLocalAddress(), server.getRemoteAddress());
        assertNull(listener.accept());
    }

    @Test
    void severalWaitingConnectionsAreAcceptedOneByOne() throws Exception {
        ServerSocketChannel listener = nonBlockingListener();
        List<SocketChannel> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            clients.add(startConnect(listener));
        }
        Set<SocketAddress> accepted = new HashSet<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            accepted.add(acceptWaiting(listener).getRemoteAddress());
        }
        assertNull(listener.accept());
        for (SocketChannel client : clients) {
            Until.holds("the connection is established", client::finishConnect);
            assertTrue(accepted.remove(client.getLocalAddress()));
        }
        assertEquals(Set.of(), accepted);
    }

    // ServerSocketChannel.bind(SocketAddress, int): the backlog is the number of pending connections
    @Test
    void aChannelConnectsAndWritesBeforeItsConnectionIsAccepted() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = channel();
        assertTrue(client.connect(addressOf(listener)));
        TestBytes.writeFully(client, TestBytes.text("early"));
        SocketChannel server = closeLater(listener.accept());
        assertEquals("early", TestBytes.readText(server, 5));
    }

    @Test
    void aConnectionThatItsPeerHasClosedIsAcceptedAndReadToItsEnd() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = channel();
        client.connect(addressOf(listener));
        TestBytes.writeFully(client, TestBytes.text("bye"));
        client.close();
        SocketChannel server = closeLater(listener.accept());
        assertEquals("bye", TestBytes.readText(server, 3));
        assertEquals(-1, server.read(ByteBuffer.allocate(1)));
    }

    @Test
    void twoThreadsThatBlockInAcceptGetOneConnectionEach() throws Exception {
        ServerSocketChannel listener = listener();
        BlockingCall<SocketChannel> one = BlockingCall.start(listener::accept).awaitBlockedIn(listener, "accept");
        BlockingCall<SocketChannel> two = BlockingCall.start(listener::accept).awaitBlockedIn(listener, "accept");
        Set<SocketAddress> clients = new HashSet<>();
        for (int i = 0; i < 2; i++) {
            SocketChannel client = startConnect(listener);
            Until.holds("the connection is established", client::finishConnect);
            clients.add(client.getLocalAddress());
        }
        assertEquals(clients, Set.of(closeLater(one.result()).getRemoteAddress(),
                closeLater(two.result()).getRemoteAddress()));
    }

    /** The Javadoc does not say so. */
    @Test
    void aChangeOfTheModeWaitsForTheAcceptOfAnotherThread() throws Exception {
        ServerSocketChannel listener = listener();
        BlockingCall<SocketChannel> accept = BlockingCall.start(listener::accept).awaitBlockedIn(listener, "accept");
        BlockingCall<?> change = BlockingCall.start(() -> listener.configureBlocking(false))
                .awaitBlockedIn(listener, "configureBlocking");
        SocketChannel client = startConnect(listener);
        assertNotNull(closeLater(accept.result()));
        change.result();
        assertFalse(listener.isBlocking());
        Until.holds("the connection is established", client::finishConnect);
    }

    // SelectionKey.OP_ACCEPT
    @Test
    void aKeyIsAcceptableWhileAConnectionWaits() throws Exception {
        ServerSocketChannel listener = nonBlockingListener();
        Selector selector = selector();
        SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
        assertEquals(0, selector.selectNow());
        startConnect(listener);
        assertEquals(1, selector.select());
        assertTrue(key.isAcceptable());
        selector.selectedKeys().clear();
        assertEquals(1, selector.selectNow());
        selector.selectedKeys().clear();
        assertNotNull(closeLater(listener.accept()));
        assertEquals(0, selector.selectNow());
    }

    @Test
    void aKeyIsAcceptableUntilTheLastWaitingConnectionIsAccepted() throws Exception {
        ServerSocketChannel listener = nonBlockingListener();
        Selector selector = selector();
        listener.register(selector, SelectionKey.OP_ACCEPT);
        for (int i = 0; i < CONNECTIONS; i++) {
            startConnect(listener);
        }
        for (int i = 0; i < CONNECTIONS; i++) {
            assertEquals(1, selector.select());
            selector.selectedKeys().clear();
            assertNotNull(closeLater(listener.accept()));
        }
        assertEquals(0, selector.selectNow());
    }

    @Test
    void aConnectionThatWaitedBeforeTheListenerWasRegisteredIsReported() throws Exception {
        ServerSocketChannel listener = nonBlockingListener();
        SocketChannel client = startConnect(listener);
        Selector selector = selector();
        SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
        assertEquals(1, selector.select());
        assertTrue(key.isAcceptable());
        closeLater(listener.accept());
        Until.holds("the connection is established", client::finishConnect);
    }

    // ServerSocketChannel.accept: ClosedChannelException
    @Test
    void anAcceptOfAClosedListenerThrows() throws IOException {
        ServerSocketChannel listener = listener();
        listener.close();
        assertThrows(ClosedChannelException.class, listener::accept);
    }

    @Test
    void theConnectionsOfAClosedListenerStayOpen() throws Exception {
        ServerSocketChannel listener = listener();
        Pair pair = pair(listener);
        listener.close();
        TestBytes.writeFully(pair.client(), TestBytes.text("open"));
        assertEquals("open", TestBytes.readText(pair.server(), 4));
    }

    @Test
    void aClosedListenerEstablishesNoFurtherConnections() throws Exception {
        ServerSocketChannel listener = listener();
        InetSocketAddress address = addressOf(listener);
        pair(listener);
        listener.close();
        assertThrows(ConnectException.class, () -> channel().connect(address));
    }

    /** The Javadoc does not say how: the JDK gives the end of the stream or an IOException. */
    @Test
    void aConnectionThatWaitsEndsWhenTheListenerIsClosed() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = channel();
        client.connect(addressOf(listener));
        listener.close();
        int end;
        try {
            end = client.read(ByteBuffer.allocate(1));
        } catch (IOException e) {
            end = -1;
        }
        assertEquals(-1, end);
    }
}
