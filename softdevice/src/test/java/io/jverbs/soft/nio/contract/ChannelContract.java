package io.jverbs.soft.nio.contract;

import io.jverbs.contract.fixture.BindsAgain;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;

/** What the contracts share: a provider, and the channels of it that a test opens, which are closed after the test. */
@BindsAgain
public abstract class ChannelContract {
    /** An address of a type that no channel of the internet protocol supports. */
    protected static final UnixDomainSocketAddress UNSUPPORTED = UnixDomainSocketAddress.of("unsupported");
    /** An address without an {@link InetAddress}. */
    protected static final InetSocketAddress UNRESOLVED = InetSocketAddress.createUnresolved("host.invalid", 1);

    private final ProviderUnderTest tested;
    private final Deque<Closeable> opened = new ConcurrentLinkedDeque<>();

    protected ChannelContract(ProviderUnderTest tested) {
        this.tested = tested;
    }

    /** Two connected channels in blocking mode. */
    public record Pair(SocketChannel client, SocketChannel server) {

        /** Sets both to non-blocking mode. */
        public Pair nonBlocking() throws IOException {
            client.configureBlocking(false);
            server.configureBlocking(false);
            return this;
        }
    }

    @AfterEach
    final void closeAll() throws IOException {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    protected final ProviderUnderTest tested() {
        return tested;
    }

    protected final SelectorProvider provider() {
        return tested.provider();
    }

    protected final InetAddress address() {
        return tested.address();
    }

    protected final InetSocketAddress anyPort() {
        return new InetSocketAddress(address(), 0);
    }

    /** Has an object closed after the test; those that were opened last are closed first. */
    protected final <C extends Closeable> C closeLater(C object) {
        opened.push(object);
        return object;
    }

    protected final SocketChannel channel() throws IOException {
        return closeLater(provider().openSocketChannel());
    }

    protected final SocketChannel nonBlockingChannel() throws IOException {
        SocketChannel channel = channel();
        channel.configureBlocking(false);
        return channel;
    }

    protected final ServerSocketChannel unboundListener() throws IOException {
        return closeLater(provider().openServerSocketChannel());
    }

    protected final ServerSocketChannel listener() throws IOException {
        return unboundListener().bind(anyPort());
    }

    protected final ServerSocketChannel nonBlockingListener() throws IOException {
        ServerSocketChannel listener = listener();
        listener.configureBlocking(false);
        return listener;
    }

    protected final Selector selector() throws IOException {
        return closeLater(provider().openSelector());
    }

    protected static InetSocketAddress addressOf(ServerSocketChannel listener) throws IOException {
        return (InetSocketAddress) listener.getLocalAddress();
    }

    /** Returns an address whose port is in use, but not by a listener. */
    protected final InetSocketAddress addressWithoutListener() throws IOException {
        return (InetSocketAddress) channel().bind(anyPort()).getLocalAddress();
    }

    /** Connects two channels. */
    protected final Pair pair() throws Exception {
        return pair(listener());
    }

    /** Connects a channel to a listener in blocking mode. */
    protected final Pair pair(ServerSocketChannel listener) throws Exception {
        SocketChannel client = nonBlockingChannel();
        client.connect(addressOf(listener));
        SocketChannel server = closeLater(listener.accept());
        Until.holds("the connection is established", client::finishConnect);
        client.configureBlocking(true);
        return new Pair(client, server);
    }

    /** Returns the address of a listener at which connections stay pending. */
    protected final InetSocketAddress silentListener() throws Exception {
        return closeLater(tested.silentListener()).address();
    }

    /** Returns a channel in non-blocking mode whose connection is pending and stays so. */
    protected final SocketChannel pendingChannel() throws Exception {
        InetSocketAddress silent = silentListener();
        SocketChannel channel = nonBlockingChannel();
        Assumptions.assumeFalse(channel.connect(silent));
        return channel;
    }
}
