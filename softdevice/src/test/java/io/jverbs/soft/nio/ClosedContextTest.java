package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.nio.contract.BlockingCall;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The context of a channel that listens is closed: who waits at the channel learns it, and TCP goes on. */
@Timeout(60)
final class ClosedContextTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private RdmaContext context;

    @BeforeEach
    void open() {
        context = Verbs.open("soft");
    }

    @AfterEach
    void close() {
        context.close();
    }

    private ServerSocketChannel listener(String rule) throws IOException {
        return new RdmaSelectorProvider(context, rule, RdmaStreamOptions.DEFAULT).openServerSocketChannel()
                .bind(new InetSocketAddress(LOOPBACK, 0));
    }

    private static Socket connectByTcp(ServerSocketChannel listener) throws IOException {
        return new Socket(LOOPBACK, listener.socket().getLocalPort());
    }

    @Test
    void anAcceptByRdmaThrows() throws Exception {
        try (ServerSocketChannel listener = listener("always")) {
            BlockingCall<?> accept = BlockingCall.start(listener::accept).awaitBlockedIn(listener, "accept");
            context.close();
            accept.failure(SocketException.class);
            assertThrows(SocketException.class, listener::accept);
        }
    }

    @Test
    void aSelectionReportsAListenerByRdmaWhoseAcceptThrows() throws Exception {
        try (ServerSocketChannel listener = listener("always");
                Selector selector = listener.provider().openSelector()) {
            listener.configureBlocking(false);
            SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
            BlockingCall<Integer> select = BlockingCall.start(() -> selector.select())
                    .awaitBlockedIn(selector, "select");
            context.close();
            assertEquals(1, select.result());
            assertTrue(key.isAcceptable());
            assertThrows(SocketException.class, listener::accept);
        }
    }

    @Test
    void anAcceptByRdmaAndTcpGoesOnWithTcp() throws Exception {
        try (ServerSocketChannel listener = listener("auto")) {
            BlockingCall<SocketChannel> accept = BlockingCall.start(listener::accept)
                    .awaitBlockedIn(listener, "accept");
            context.close();
            try (Socket client = connectByTcp(listener); SocketChannel server = accept.result()) {
                client.getOutputStream().write('x');
                assertEquals("x", ChannelPair.read(server, 1));
            }
        }
    }

    @Test
    void aSelectionReportsAListenerByRdmaAndTcpOnceAndThenForTcpOnly() throws Exception {
        try (ServerSocketChannel listener = listener("auto");
                Selector selector = listener.provider().openSelector()) {
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            context.close();
            assertEquals(1, selector.select());
            assertNull(listener.accept());
            selector.selectedKeys().clear();
            assertEquals(0, selector.selectNow());
            try (Socket client = connectByTcp(listener)) {
                assertEquals(1, selector.select());
                try (SocketChannel server = listener.accept()) {
                    assertNotNull(server);
                    assertFalse(server.toString().contains("[rdma "), server::toString);
                    assertEquals(client.getLocalPort(), ((InetSocketAddress) server.getRemoteAddress()).getPort());
                }
            }
        }
    }
}
