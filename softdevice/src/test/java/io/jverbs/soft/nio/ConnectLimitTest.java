package io.jverbs.soft.nio;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.nio.RdmaSelectorProvider;
import io.jverbs.rsocket.RdmaStreamOptions;
import io.jverbs.soft.nio.contract.ProviderUnderTest;
import io.jverbs.soft.nio.contract.ProviderUnderTest.SilentListener;
import io.jverbs.soft.nio.contract.RdmaSilentListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limit of Socket.connect where TCP takes over from RDMA. */
@Timeout(60)
final class ConnectLimitTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("127.0.0.1");

    private RdmaContext context;
    private SocketChannel channel;

    @BeforeEach
    void open() throws Exception {
        context = Verbs.open("soft");
        channel = new RdmaSelectorProvider(context, "auto", RdmaStreamOptions.DEFAULT).openSocketChannel();
    }

    @AfterEach
    void close() throws Exception {
        channel.close();
        context.close();
    }

    /** The host sends the SYN again for minutes. */
    @Test
    void theLimitHoldsForTcpThatTakesOver() throws Exception {
        try (SilentListener full = ProviderUnderTest.JDK.silentListener()) {
            assertThrows(SocketTimeoutException.class, () -> channel.socket().connect(full.address(), 300));
            assertFalse(channel.isOpen());
        }
    }

    @Test
    void aLimitBelowTheTimeOfAnAttemptByRdmaLeavesHalfOfItToTcp() throws Exception {
        try (RdmaSilentListener silent = RdmaSilentListener.open(context, LOOPBACK);
                ServerSocket listener = new ServerSocket(silent.address().getPort(), 1, LOOPBACK)) {
            channel.socket().connect(new InetSocketAddress(LOOPBACK, listener.getLocalPort()), 900);
            assertTrue(channel.isConnected());
            assertFalse(channel.toString().contains("[rdma "), channel::toString);
        }
    }
}
