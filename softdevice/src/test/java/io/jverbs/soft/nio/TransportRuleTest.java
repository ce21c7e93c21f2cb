package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceRemoval;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamListener;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.TemporaryProperties;
import io.jverbs.soft.nio.contract.BlockingCall;
import io.jverbs.soft.nio.contract.RdmaSilentListener;
import io.jverbs.soft.nio.contract.Until;
import io.jverbs.spi.SystemProperties;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.UnsupportedAddressTypeException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses are reached by RDMA and which by TCP, and channels that listen at both. */
@Timeout(60)
final class TransportRuleTest {
    /** Longer than the limit of the test: a selection that nobody wakes fails. */
    private static final long LONG_MILLIS = 300_000;

    private RdmaContext context;

    @BeforeEach
    void open() {
        context = Verbs.open("soft");
    }

    @AfterEach
    void close() {
        context.close();
    }

    private RdmaSelectorProvider provider(String rule) {
        return new RdmaSelectorProvider(context, rule, RdmaStreamOptions.DEFAULT);
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    private static boolean usesRdma(SocketChannel channel) {
        return channel.toString().contains("[rdma ");
    }

    private static int port(ServerSocketChannel channel) throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    private static void exchange(SocketChannel one, SocketChannel other) throws IOException {
        one.write(ChannelPair.bytes("hello"));
        assertEquals("hello", ChannelPair.read(other, 5));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"auto | true", "always | true", "127.0.0.1/8 | true",
        "192.0.2.0/24, ::1 | false", "127.0.0.1/31 | true", "128.0.0.0/1 | false"})
    void theRuleChoosesBetweenRdmaAndTcp(String rule, boolean isRdma) throws Exception {
        RdmaSelectorProvider provider = provider(rule);
        try (ServerSocketChannel listener = provider.openServerSocketChannel().bind(loopback(0));
                SocketChannel client = provider.openSocketChannel()) {
            client.connect(listener.getLocalAddress());
            try (SocketChannel server = listener.accept()) {
                assertEquals(isRdma, usesRdma(client), client::toString);
                assertEquals(isRdma, usesRdma(server), server::toString);
                exchange(client, server);
                exchange(server, client);
            }
        }
    }

    @Test
    void ruleAutoConnectsByTcpIfNobodyListensByRdma() throws Exception {
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                SocketChannel client = provider("auto").openSocketChannel()) {
            assertTrue(client.connect(listener.getLocalSocketAddress()));
            try (Socket server = listener.accept()) {
                assertFalse(usesRdma(client));
                server.getOutputStream().write('x');
                assertEquals("x", ChannelPair.read(client, 1));
            }
        }
    }

    @Test
    void ruleAutoConnectsByTcpWithoutBlocking() throws Exception {
        RdmaSelectorProvider provider = provider("auto");
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
                SocketChannel client = provider.openSocketChannel();
                Selector selector = provider.openSelector()) {
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
            if (!client.connect(listener.getLocalSocketAddress())) {
                assertEquals(1, selector.select(LONG_MILLIS));
                assertTrue(key.isConnectable());
                assertTrue(client.isConnectionPending());
                assertTrue(client.finishConnect());
                selector.selectedKeys().clear();
            }
            assertTrue(client.isConnected());
            try (Socket server = listener.accept()) {
                key.interestOps(SelectionKey.OP_READ);
                server.getOutputStream().write('x');
                assertEquals(1, selector.select(LONG_MILLIS));
                assertTrue(key.isReadable());
            }
        }
    }

    @Test
    void ruleAutoRefusesAConnectToAPortWithoutAnyListener() throws Exception {
        int free;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            free = closed.getLocalPort();
        }
        RdmaSelectorProvider provider = provider("auto");
        try (SocketChannel client = provider.openSocketChannel()) {
            assertThrows(ConnectException.class, () -> client.connect(loopback(free)));
            assertFalse(client.isOpen());
        }
        try (SocketChannel client = provider.openSocketChannel(); Selector selector = provider.openSelector()) {
            client.configureBlocking(false);
            client.register(selector, SelectionKey.OP_CONNECT);
            client.connect(loopback(free));
            assertEquals(1, selector.select(LONG_MILLIS));
            assertThrows(ConnectException.class, client::finishConnect);
            assertFalse(client.isOpen());
        }
    }

    /** The channel has only addresses of IPv4, which matters as soon as TCP takes over. */
    @Test
    void aSelectionReportsAConnectThatTcpCannotTakeOver() throws Exception {
        RdmaSelectorProvider provider = provider("auto");
        try (RdmaSilentListener silent = RdmaSilentListener.open(context, InetAddress.ofLiteral("::1"));
                SocketChannel client = provider.openSocketChannel(StandardProtocolFamily.INET);
                Selector selector = provider.openSelector()) {
            client.configureBlocking(false);
            SelectionKey key = client.register(selector, SelectionKey.OP_CONNECT);
            assertFalse(client.connect(silent.address()));
            assertEquals(1, selector.select(LONG_MILLIS));
            assertTrue(key.isConnectable());
            assertTrue(client.isConnectionPending());
            SocketException failure = assertThrows(SocketException.class, client::finishConnect);
            assertInstanceOf(UnsupportedAddressTypeException.class, failure.getCause());
            assertFalse(client.isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto", "192.0.2.0/24,127.0.0.1"})
    void aChannelAtTheWildcardAddressAcceptsByRdmaAndTcp(String rule) throws Exception {
        RdmaSelectorProvider provider = provider(rule);
        try (ServerSocketChannel listener = provider.openServerSocketChannel().bind(null);
                Socket byTcp = new Socket(InetAddress.ofLiteral("127.0.0.1"), port(listener));
                SocketChannel first = listener.accept();
                SocketChannel byRdma = provider.openSocketChannel()) {
            assertFalse(usesRdma(first));
            byTcp.getOutputStream().write('t');
            assertEquals("t", ChannelPair.read(first, 1));

            byRdma.connect(loopback(port(listener)));
            try (SocketChannel second = listener.accept()) {
                assertTrue(usesRdma(second));
                exchange(byRdma, second);
            }
        }
    }

    @Test
    void oneSelectorAcceptsByRdmaAndTcp() throws Exception {
        RdmaSelectorProvider provider = provider("auto");
        try (Selector selector = provider.openSelector();
                ServerSocketChannel listener = provider.openServerSocketChannel()) {
            listener.configureBlocking(false);
            SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
            listener.bind(null);
            assertEquals(0, selector.selectNow());
            try (Socket byTcp = new Socket(InetAddress.ofLiteral("127.0.0.1"), port(listener))) {
                assertTrue(byTcp.isConnected());
                assertEquals(1, selector.select(LONG_MILLIS));
                assertTrue(key.isAcceptable());
                selector.selectedKeys().clear();
                try (SocketChannel accepted = listener.accept()) {
                    assertNotNull(accepted);
                }
            }
            assertEquals(0, selector.selectNow());
            try (SocketChannel byRdma = provider.openSocketChannel()) {
                byRdma.connect(loopback(port(listener)));
                assertEquals(1, selector.select(LONG_MILLIS));
                try (SocketChannel accepted = listener.accept()) {
                    assertTrue(usesRdma(accepted));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"always, false", "always, true", "auto, false", "auto, true", "192.0.2.1, false"})
    void anInterruptOfAnAcceptClosesTheChannelWhateverItListensAt(String rule, boolean isVirtual) throws Exception {
        try (ServerSocketChannel listener = provider(rule).openServerSocketChannel().bind(loopback(0))) {
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread.Builder builder = isVirtual ? Thread.ofVirtual() : Thread.ofPlatform();
            AtomicBoolean isStarted = new AtomicBoolean();
            Thread thread = builder.start(() -> {
                isStarted.set(true);
                thrown.complete(assertThrows(IOException.class, listener::accept));
            });
            ChannelPair.await("the thread runs", isStarted::get);
            thread.interrupt();
            assertInstanceOf(ClosedByInterruptException.class, thrown.get());
            assertFalse(listener.isOpen());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"always", "auto", "192.0.2.1"})
    void aCloseEndsAnAcceptThatAChangeOfTheModeWaitsFor(String rule) throws Exception {
        // no second close in this thread: one that hangs would hang the test, too
        ServerSocketChannel listener = provider(rule).openServerSocketChannel().bind(loopback(0));
        BlockingCall<?> accept = BlockingCall.start(listener::accept).awaitBlockedIn(listener, "accept");
        BlockingCall<?> change = BlockingCall.start(() -> listener.configureBlocking(false))
                .awaitBlockedIn(listener, "configureBlocking");
        BlockingCall.start(() -> {
            listener.close();
            return null;
        }).result();
        accept.failure(AsynchronousCloseException.class);
        change.failure(ClosedChannelException.class);
    }

    @Test
    void aChannelWhosePortIsInUseAtTheDeviceCanBeBoundToAnother() throws Exception {
        RdmaSelectorProvider provider = provider("auto");
        try (RdmaStreamListener other = RdmaStreamListener.bind(context, loopback(0));
                Selector selector = provider.openSelector();
                ServerSocketChannel listener = provider.openServerSocketChannel()) {
            int taken = other.localAddress().getPort();
            listener.configureBlocking(false);
            SelectionKey key = listener.register(selector, SelectionKey.OP_ACCEPT);
            listener.setOption(StandardSocketOptions.SO_REUSEADDR, false);
            for (int i = 0; i < 2; i++) {
                assertThrows(BindException.class, () -> listener.bind(loopback(taken)));
                assertTrue(listener.isOpen());
                assertNull(listener.getLocalAddress());
                new ServerSocket(taken, 1, InetAddress.ofLiteral("127.0.0.1")).close();
            }
            assertFalse(listener.getOption(StandardSocketOptions.SO_REUSEADDR));
            listener.bind(loopback(0));
            assertNull(listener.accept());
            for (String rule : List.of("always", "192.0.2.1")) {
                try (SocketChannel client = provider(rule).openSocketChannel()) {
                    client.connect(listener.getLocalAddress());
                    assertEquals(1, selector.select(LONG_MILLIS));
                    assertTrue(key.isAcceptable());
                    selector.selectedKeys().clear();
                    try (SocketChannel server = listener.accept()) {
                        assertEquals(rule.equals("always"), usesRdma(server));
                    }
                }
            }
        }
    }

    @Test
    void aDeviceThatCannotBeOpenedAtFirstIsUsedOnceThatIsPossible() throws Exception {
        try (ServerSocketChannel listener = provider("auto").openServerSocketChannel().bind(loopback(0))) {
            RdmaSelectorProvider later = new RdmaSelectorProvider();
            assertFalse(TemporaryProperties.with(Map.of(SystemProperties.DEVICE, "native:absent"),
                    () -> connectsByRdma(later, listener)));
            Until.holds("the device is used", () -> TemporaryProperties.with(Map.of(SystemProperties.DEVICE, "soft"),
                    () -> connectsByRdma(later, listener)));
        }
    }

    private static boolean connectsByRdma(RdmaSelectorProvider provider, ServerSocketChannel listener)
            throws IOException {
        try (SocketChannel client = provider.openSocketChannel()) {
            client.connect(listener.getLocalAddress());
            listener.accept().close();
            return usesRdma(client);
        }
    }

    @Test
    void aRemovalOfTheDeviceLeavesAChannelThatListensAtBothWithTcp() throws Exception {
        try (RdmaContext removed = Verbs.open("soft:soft92");
                ServerSocketChannel listener = new RdmaSelectorProvider(removed, "auto", RdmaStreamOptions.DEFAULT)
                        .openServerSocketChannel().bind(null)) {
            removed.device().capability(DeviceRemoval.class).orElseThrow().remove();
            try (Socket client = new Socket(InetAddress.ofLiteral("127.0.0.1"), port(listener));
                    SocketChannel server = listener.accept()) {
                client.getOutputStream().write('x');
                assertEquals("x", ChannelPair.read(server, 1));
            }
        }
    }

    @Test
    void datagramsPipesAndUnixSocketsAreThoseOfTheJdk() throws Exception {
        RdmaSelectorProvider provider = provider("always");
        provider.openDatagramChannel(StandardProtocolFamily.INET).close();
        provider.openPipe().sink().close();
        try (SocketChannel unix = provider.openSocketChannel(StandardProtocolFamily.UNIX)) {
            assertThrows(UnsupportedOperationException.class, unix::socket);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"192.0.2.0/33 | length \"33\" of \"192.0.2.0/33\" is outside 0..32",
        "host | \"host\" does not begin with an IP address", "::1, | \"\" does not begin with an IP address"})
    void aMalformedRuleIsRefusedWithWhatIsAllowed(String rule, String part) {
        String refusal = part + "; allowed are auto, always, and a list of addresses and prefixes such as"
                + " 192.0.2.0/24,::1; see docs/streams.md";
        assertEquals(refusal, assertThrows(IllegalArgumentException.class, () -> provider(rule)).getMessage());
        assertEquals("system property jverbs.nio.rdma: " + refusal,
                TemporaryProperties.with(Map.of(SystemProperties.NIO_RDMA, rule),
                        () -> assertThrows(IllegalArgumentException.class, RdmaSelectorProvider::new).getMessage()));
    }

    @Test
    void aMalformedTimeToSpinIsRefusedWithTheRange() {
        assertEquals("system property jverbs.nio.spin=-1: allowed are 0 to 1000000 microseconds; see docs/streams.md",
                TemporaryProperties.with(Map.of(SystemProperties.NIO_SPIN, "-1"),
                        () -> assertThrows(IllegalArgumentException.class, RdmaSelectorProvider::new).getMessage()));
    }
}
