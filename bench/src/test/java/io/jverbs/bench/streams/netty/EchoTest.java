package io.jverbs.bench.streams.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The echo server and the client of Netty, over TCP. */
@Timeout(60)
class EchoTest {
    private static final int MESSAGES = 5;

    private final List<String> closed = new ArrayList<>();
    private final EchoServer server = new EchoServer(SelectorProvider.provider(), InetAddress.getLoopbackAddress(),
            () -> closed.add("device of the server"));

    private EchoClient client() throws IOException {
        return new EchoClient(SelectorProvider.provider(), server.address(), MESSAGES,
                () -> closed.add("device of the client"));
    }

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    @Test
    void anOperationEndsWhenAllMessagesHaveComeBack() throws Exception {
        try (EchoClient client = client()) {
            for (int i = 0; i < 100; i++) {
                client.once();
            }
        }
        server.close();
        assertEquals(List.of("device of the client", "device of the server"), closed);
    }

    @Test
    void anOperationFailsIfTheServerHasClosedTheConnection() throws Exception {
        try (EchoClient client = client()) {
            client.once();
            server.close();
            String sentence = assertThrows(IOException.class, client::once).getMessage();
            assertTrue(sentence.startsWith("the client has failed: "), sentence);
        }
    }

    @Test
    void aClientWithoutAServerFails() throws Exception {
        // bound, so that no other socket listens there
        try (SocketChannel reserved = SocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
            InetSocketAddress address = (InetSocketAddress) reserved.getLocalAddress();
            assertThrows(IOException.class, () -> new EchoClient(SelectorProvider.provider(), address, MESSAGES,
                    () -> closed.add("device of the client")));
        }
    }
}
