package io.jverbs.samples.perftest.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.samples.TwoSides;
import io.jverbs.samples.connect.Tcp;
import io.jverbs.samples.perftest.Pair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lost datagrams make the baseline fail, but not the test. */
class DatagramBaselineTest {
    private static final InetAddress HERE = InetAddress.getLoopbackAddress();

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lostDatagramsMakeTheBaselineNaN(boolean latency) throws Exception {
        Settings settings = TestSettings.impatient(Verb.WRITE, latency);
        try (ServerSocketChannel listener = Tcp.listen(new InetSocketAddress(HERE, 0));
                Control control = new Control(SocketChannel.open(listener.getLocalAddress()))) {
            CompletableFuture<String[]> peer = TwoSides.inThread(() -> silent(listener));

            assertTrue(Double.isNaN(new DatagramBaseline(settings, control).measure(64)));

            assertEquals("64", peer.get(Pair.TIMEOUT_SECONDS, TimeUnit.SECONDS)[0]);
        }
    }

    /** Accepts a baseline, but receives no datagrams; returns the words of the request. */
    private static String[] silent(ServerSocketChannel listener) {
        try (Control control = new Control(listener.accept());
                DatagramChannel socket = DatagramChannel.open().bind(new InetSocketAddress(HERE, 0))) {
            String[] words = control.receive(Baseline.REQUEST);
            control.send("listening " + ((InetSocketAddress) socket.getLocalAddress()).getPort());
            control.receive("measured");
            control.send("measured");
            return words;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
