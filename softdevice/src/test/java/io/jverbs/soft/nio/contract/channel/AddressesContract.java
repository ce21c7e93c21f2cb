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
import io.jverbs.soft.nio.contract.TestBytes;
import io.jverbs.soft.nio.contract.Until;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.AlreadyBoundException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.nio.channels.UnsupportedAddressTypeException;
import org.junit.jupiter.api.Test;

/** SocketChannel.bind, getLocalAddress and getRemoteAddress. */
abstract class AddressesContract extends ChannelContract {
    /** An address of a network for documentation, which no host has (RFC 5737). */
    private static final byte[] OF_NO_HOST = {(byte) 203, 0, 113, 77};

    AddressesContract(ProviderUnderTest tested) {
        super(tested);
    }

    private static InetSocketAddress local(SocketChannel channel) throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    // NetworkChannel.getLocalAddress: null if the socket is not bound
    @Test
    void aNewChannelHasNoAddresses() throws IOException {
        SocketChannel channel = channel();
        assertNull(channel.getLocalAddress());
        assertNull(channel.getRemoteAddress());
    }

    // SocketChannel.bind
    @Test
    void aBoundChannelHasTheAddressAndAFreePort() throws IOException {
        SocketChannel channel = channel();
        assertSame(channel, channel.bind(anyPort()));
        assertEquals(address(), local(channel).getAddress());
        assertTrue(local(channel).getPort() > 0);
        assertNull(channel.getRemoteAddress());
        assertFalse(channel.isConnected());
    }

    @Test
    void twoBoundChannelsHaveDifferentPorts() throws IOException {
        assertNotEquals(local(channel().bind(anyPort())), local(channel().bind(anyPort())));
    }

    // NetworkChannel.bind: with null, the socket is bound to an address that is assigned
    @Test
    void aBindToNullAssignsAnAddress() throws IOException {
        assertTrue(local(channel().bind(null)).getPort() > 0);
    }

    // SocketChannel.bind: AlreadyBoundException
    @Test
    void aSecondBindThrowsAndTheAddressRemains() throws IOException {
        SocketChannel channel = channel().bind(anyPort());
        InetSocketAddress first = local(channel);
        assertThrows(AlreadyBoundException.class, () -> channel.bind(anyPort()));
        assertThrows(AlreadyBoundException.class, () -> channel.bind(null));
        assertEquals(first, local(channel));
    }

    @Test
    void aConnectedChannelIsAlreadyBound() throws Exception {
        Pair pair = pair();
        assertThrows(AlreadyBoundException.class, () -> pair.client().bind(anyPort()));
        assertThrows(AlreadyBoundException.class, () -> pair.server().bind(anyPort()));
        assertTrue(pair.client().isConnected());
    }

    @Test
    void aBindToTheAddressOfAListenerThrowsAndTheChannelStaysOpen() throws IOException {
        ServerSocketChannel listener = listener();
        SocketChannel channel = channel();
        assertThrows(BindException.class, () -> channel.bind(addressOf(listener)));
        assertTrue(channel.isOpen());
        assertNull(channel.getLocalAddress());
        channel.bind(anyPort());
    }

    @Test
    void aBindToAnAddressOfNoHostThrowsAndTheChannelStaysOpen() throws IOException {
        InetAddress ofNoHost = InetAddress.getByAddress(OF_NO_HOST);
        SocketChannel channel = channel();
        assertThrows(BindException.class, () -> channel.bind(new InetSocketAddress(ofNoHost, 0)));
        assertTrue(channel.isOpen());
        assertNull(channel.getLocalAddress());
    }

    // NetworkChannel.bind: UnsupportedAddressTypeException
    @Test
    void aBindToAnUnsupportedAddressThrowsAndTheChannelCanBeBoundThen() throws IOException {
        SocketChannel channel = channel();
        assertThrows(UnsupportedAddressTypeException.class, () -> channel.bind(UNSUPPORTED));
        assertNull(channel.getLocalAddress());
        channel.bind(anyPort());
    }

    @Test
    void aBindToAnUnresolvedAddressThrowsAndTheChannelCanBeBoundThen() throws IOException {
        SocketChannel channel = channel();
        assertThrows(UnresolvedAddressException.class, () -> channel.bind(UNRESOLVED));
        assertNull(channel.getLocalAddress());
        channel.bind(anyPort());
    }

    // SocketChannel.bind: ClosedChannelException
    @Test
    void aBindOfAClosedChannelThrows() throws IOException {
        SocketChannel channel = channel();
        channel.close();
        assertThrows(ClosedChannelException.class, () -> channel.bind(anyPort()));
    }

    // SocketChannel.getRemoteAddress
    @Test
    void theAddressesOfTwoConnectedChannelsAreEachOthers() throws Exception {
        ServerSocketChannel listener = listener();
        Pair pair = pair(listener);
        assertEquals(addressOf(listener), pair.client().getRemoteAddress());
        assertEquals(addressOf(listener), pair.server().getLocalAddress());
        assertEquals(pair.client().getLocalAddress(), pair.server().getRemoteAddress());
        assertFalse(local(pair.client()).isUnresolved());
        assertEquals(address(), local(pair.client()).getAddress());
        assertTrue(local(pair.client()).getPort() > 0);
    }

    @Test
    void twoConnectionsToOneListenerHaveDifferentLocalAddresses() throws Exception {
        ServerSocketChannel listener = listener();
        assertNotEquals(local(pair(listener).client()), local(pair(listener).client()));
    }

    // SocketChannel.bind, connect
    @Test
    void aBoundChannelConnectsFromItsAddress() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = nonBlockingChannel();
        client.bind(anyPort());
        InetSocketAddress bound = local(client);
        client.connect(addressOf(listener));
        SocketChannel server = closeLater(listener.accept());
        Until.holds("the connection is established", client::finishConnect);
        assertEquals(bound, local(client));
        assertEquals(bound, server.getRemoteAddress());
    }

    @Test
    void aBoundChannelTransfersData() throws Exception {
        ServerSocketChannel listener = listener();
        SocketChannel client = nonBlockingChannel();
        client.bind(anyPort());
        client.connect(addressOf(listener));
        SocketChannel server = closeLater(listener.accept());
        Until.holds("the connection is established", client::finishConnect);
        TestBytes.writeFully(server, TestBytes.text("bound"));
        assertEquals("bound", TestBytes.readText(client, 5));
    }

    // SocketChannel.getLocalAddress, getRemoteAddress: ClosedChannelException
    @Test
    void aClosedChannelThrowsWhenItIsAskedForItsAddresses() throws Exception {
        SocketChannel channel = pair().client();
        channel.close();
        assertThrows(ClosedChannelException.class, channel::getLocalAddress);
        assertThrows(ClosedChannelException.class, channel::getRemoteAddress);
    }

    @Test
    void theRemoteAddressRemainsAfterThePeerHasClosed() throws Exception {
        Pair pair = pair();
        InetSocketAddress remote = (InetSocketAddress) pair.client().getRemoteAddress();
        pair.server().close();
        assertEquals(remote, pair.client().getRemoteAddress());
    }
}
