package io.jverbs.soft.nio.contract.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.nio.contract.ChannelContract;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolFamily;
import java.net.SocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NotYetBoundException;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** ServerSocketChannel.bind and getLocalAddress. */
abstract class BindListenerContract extends ChannelContract {
    /** An address of a network for documentation, which no host has (RFC 5737). */
    private static final byte[] OF_NO_HOST = {(byte) 203, 0, 113, 77};

    BindListenerContract(ProviderUnderTest tested) {
        super(tested);
    }

    /** Checks that a bind throws, that the listener stays open and unbound, and that it can be bound then. */
    private void assertRefusesAndCanBeBound(Class<? extends Exception> expected, SocketAddress local)
            throws IOException {
        ServerSocketChannel listener = unboundListener();
        assertThrows(expected, () -> listener.bind(local));
        assertTrue(listener.isOpen());
        assertNull(listener.getLocalAddress());
        assertTrue(addressOf(listener.bind(anyPort())).getPort() > 0);
    }

    // SelectorProvider.openServerSocketChannel
    @Test
    void aNewListenerIsOpenAndBlockingAndNotBound() throws IOException {
        ServerSocketChannel listener = unboundListener();
        assertTrue(listener.isOpen());
        assertTrue(listener.isBlocking());
        assertFalse(listener.isRegistered());
        assertNull(listener.getLocalAddress());
        assertSame(provider(), listener.provider());
    }

    // ServerSocketChannel.validOps
    @Test
    void theValidOperationIsAccept() throws IOException {
        assertEquals(SelectionKey.OP_ACCEPT, unboundListener().validOps());
    }

    // SelectorProvider.openServerSocketChannel(ProtocolFamily)
    @Test
    void aProtocolFamilyThatIsNoneOfTheStandardOnesIsUnsupported() {
        ProtocolFamily unknown = () -> "UNKNOWN";
        assertThrows(UnsupportedOperationException.class, () -> provider().openServerSocketChannel(unknown));
        assertThrows(NullPointerException.class, () -> provider().openServerSocketChannel(null));
    }

    // ServerSocketChannel.bind(SocketAddress)
    @Test
    void aBoundListenerHasTheAddressAndAFreePort() throws IOException {
        ServerSocketChannel listener = unboundListener();
        assertSame(listener, listener.bind(anyPort()));
        assertEquals(address(), addressOf(listener).getAddress());
        assertTrue(addressOf(listener).getPort() > 0);
    }

    @Test
    void aBoundListenerHasThePortThatItIsBoundTo() throws IOException {
        ServerSocketChannel first = listener();
        InetSocketAddress free = addressOf(first);
        first.close();
        assertEquals(free, addressOf(unboundListener().bind(free)));
    }

    @Test
    void twoListenersHaveDifferentPorts() throws IOException {
        assertNotEquals(addressOf(listener()), addressOf(listener()));
    }

    // NetworkChannel.bind: with null, the socket is bound to an address that is assigned
    @Test
    void aBindToNullAssignsAnAddress() throws IOException {
        assertTrue(addressOf(unboundListener().bind(null)).getPort() > 0);
    }

    // ServerSocketChannel.bind(SocketAddress, int): AlreadyBoundException
    @Test
    void aSecondBindThrowsAndTheAddressRemains() throws IOException {
        ServerSocketChannel listener = listener();
        InetSocketAddress first = addressOf(listener);
        assertThrows(AlreadyBoundException.class, () -> listener.bind(anyPort()));
        assertThrows(AlreadyBoundException.class, () -> listener.bind(null, 5));
        assertEquals(first, addressOf(listener));
    }

    @Test
    void aBindToTheAddressOfAnotherListenerThrows() throws IOException {
        assertRefusesAndCanBeBound(BindException.class, addressOf(listener()));
    }

    @Test
    void aBindToAnAddressOfNoHostThrows() throws IOException {
        assertRefusesAndCanBeBound(BindException.class,
                new InetSocketAddress(InetAddress.getByAddress(OF_NO_HOST), 0));
    }

    // ServerSocketChannel.bind(SocketAddress, int): UnsupportedAddressTypeException
    @Test
    void aBindToAnUnsupportedAddressThrows() throws IOException {
        assertRefusesAndCanBeBound(UnsupportedAddressTypeException.class, UNSUPPORTED);
    }

    @Test
    void aBindToAnUnresolvedAddressThrows() throws IOException {
        assertRefusesAndCanBeBound(UnresolvedAddressException.class, UNRESOLVED);
    }

    // ServerSocketChannel.bind(SocketAddress, int): ClosedChannelException
    @Test
    void aBindOfAClosedListenerThrows() throws IOException {
        ServerSocketChannel listener = unboundListener();
        listener.close();
        assertThrows(ClosedChannelException.class, () -> listener.bind(anyPort()));
    }

    // ServerSocketChannel.getLocalAddress: ClosedChannelException
    @Test
    void aClosedListenerThrowsWhenItIsAskedForItsAddress() throws IOException {
        ServerSocketChannel listener = listener();
        listener.close();
        assertThrows(ClosedChannelException.class, listener::getLocalAddress);
    }

    // ServerSocketChannel.bind(SocketAddress, int): a backlog of 0 or less stands for a default
    @ParameterizedTest
    @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 1, 128, Integer.MAX_VALUE})
    void aListenerAcceptsWithAnyBacklog(int backlog) throws Exception {
        ServerSocketChannel listener = unboundListener().bind(anyPort(), backlog);
        assertTrue(pair(listener).server().isConnected());
    }

    @Test
    void theAddressOfAClosedListenerCanBeBoundAgain() throws Exception {
        ServerSocketChannel first = listener();
        InetSocketAddress address = addressOf(first);
        first.close();
        assertTrue(pair(unboundListener().bind(address)).client().isConnected());
    }

    // StandardSocketOptions.SO_REUSEADDR, set on listeners where the system's semantics allow it
    @Test
    void theAddressOfAClosedListenerCanBeBoundAgainWhileItsConnectionsAreOpen() throws Exception {
        ServerSocketChannel first = listener();
        InetSocketAddress address = addressOf(first);
        Pair old = pair(first);
        first.close();
        assertTrue(pair(unboundListener().bind(address)).client().isConnected());
        assertTrue(old.client().isConnected());
    }

    // ServerSocketChannel.accept: NotYetBoundException
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAcceptOfAnUnboundListenerThrowsAndTheListenerStaysOpen(boolean blocking) throws IOException {
        ServerSocketChannel listener = unboundListener();
        listener.configureBlocking(blocking);
        assertThrows(NotYetBoundException.class, listener::accept);
        assertTrue(listener.isOpen());
    }
}
