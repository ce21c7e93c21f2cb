package io.jverbs.samples.perftest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.perftest.Pair;
import io.jverbs.samples.perftest.exchange.ParameterExchange;
import io.jverbs.samples.perftest.exchange.PeerAddress;
import io.jverbs.samples.perftest.exchange.Request;
import io.jverbs.samples.connect.TcpMessageChannel;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost datagrams make the baseline fail, but not the test. */
class DatagramBaselineTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lostDatagramsMakeTheBaselineNaN(boolean latency) throws Exception {
        try (ServerSocketChannel listener = Tcp.listen(new InetSocketAddress(HERE, 0));
                ParameterExchange exchange = exchange(SocketChannel.open(listener.getLocalAddress()), true)) {
            CompletableFuture<Request> peer = TwoSides.inThread(() -> silent(listener));

            assertTrue(Double.isNaN(baseline(latency, exchange).measure(64)));

            assertEquals(new Request(Request.Kind.BASELINE, 64), peer.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS));
        }
    }

    @Test
    void aPortThatIsInUseMakesTheBaselineNaNAndIsNamed() throws Exception {
        try (ServerSocketChannel listener = Tcp.listen(new InetSocketAddress(HERE, 0));
                ParameterExchange exchange = exchange(SocketChannel.open(listener.getLocalAddress()), true);
                DatagramChannel taken = DatagramChannel.open().bind(exchange.ownEndpoint())) {
            CompletableFuture<Request> peer = TwoSides.inThread(() -> silent(listener));
            DatagramBaseline baseline = baseline(true, exchange);

            assertTrue(taken.isOpen() && Double.isNaN(baseline.measure(64)));

            assertTrue(baseline.failureReason().contains(" " + exchange.ownEndpoint().getPort() + " here or "),
                    baseline.failureReason());
            peer.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS);
        }
    }

    private static DatagramBaseline baseline(boolean latency, ParameterExchange exchange) {
        return new DatagramBaseline(TestSettings.impatient(Verb.WRITE, latency), exchange, PeerAddress.NONE);
    }

    private static ParameterExchange exchange(SocketChannel channel, boolean client) throws IOException {
        ParameterExchange exchange = new ParameterExchange(new TcpMessageChannel(channel, TIMEOUT), client, TIMEOUT);
        exchange.useGids(true);
        return exchange;
    }

    /** Accepts a baseline, but receives no datagrams; returns the request. */
    private static Request silent(ServerSocketChannel listener) {
        try (ParameterExchange exchange = exchange(listener.accept(), false);
                DatagramChannel socket = DatagramChannel.open().bind(exchange.ownEndpoint())) {
            Request request = exchange.synchronize(PeerAddress.NONE, Request.NONE);
            exchange.synchronize(PeerAddress.NONE, Request.NONE);
            exchange.synchronize(PeerAddress.NONE, Request.NONE);
            return socket.isOpen() ? request : null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
