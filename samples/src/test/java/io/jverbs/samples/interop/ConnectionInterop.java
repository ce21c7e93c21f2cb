package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import io.jverbs.samples.interop.ConnectionJvm.Command;
import io.jverbs.samples.interop.process.InteropSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Endpoints of a software device with endpoints on rxe0 in another JVM, as client and as listener, and the options of
 * ECE of IDs. It needs rxe0: {@code .ci/rxe-samples} runs it in a virtual machine, and its name keeps it out of the
 * build's tests. The last two tests kill the other JVMs, whose start takes longest.
 */
@Timeout(240)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ConnectionInterop {
    private static final int PORT = 18_960;
    private static final int ECE_PORT = 18_961;
    private static final int LAST_PORT = 18_962;
    /** Two intervals and the timeout, and more since the virtual machine is slow. */
    private static final Duration TOLD_WITHIN = ConnectionJvm.KEEP_ALIVE.multipliedBy(2)
            .plus(ConnectionJvm.KEEP_ALIVE_TIMEOUT).plusSeconds(15);

    private static final InteropSettings SETTINGS = InteropSettings.ofSystemProperties();
    private static final InetSocketAddress HERE = new InetSocketAddress(SETTINGS.sampleAddress(), PORT);
    private static final InetSocketAddress ON_RXE = new InetSocketAddress(SETTINGS.programAddress(), PORT);
    private static final InetSocketAddress OTHER_SOFTWARE_DEVICE = new InetSocketAddress(SETTINGS.jvmAddress(), PORT);

    private static RdmaContext context;
    /** On rxe0. */
    private static ConnectionJvm rxe;
    /** On a software device of its own. */
    private static ConnectionJvm soft;

    @BeforeAll
    static void start() throws Exception {
        rxe = new ConnectionJvm(SETTINGS.programPrefix(), SETTINGS, "native:rxe0");
        soft = new ConnectionJvm(List.of(), SETTINGS, "soft:" + SETTINGS.jvmAddress());
        context = Verbs.open(SETTINGS.device());
        rxe.start(Command.SERVE, ON_RXE);
        soft.start(Command.SERVE, OTHER_SOFTWARE_DEVICE);
        rxe.await(Command.SERVE, ON_RXE, Command.LISTENS);
        soft.await(Command.SERVE, OTHER_SOFTWARE_DEVICE, Command.LISTENS);
    }

    @AfterAll
    @SuppressWarnings("try") // the resources are only closed, also if one of them fails to
    static void end() throws Exception {
        try (AutoCloseable third = context; AutoCloseable second = soft; AutoCloseable first = rxe) {
            // those that were not opened are null; the last one is closed first
        }
    }

    private static InetSocketAddress at(InetSocketAddress address, int port) {
        return new InetSocketAddress(address.getAddress(), port);
    }

    private static Endpoint connect() throws InterruptedException {
        return Endpoint.connect(context, ON_RXE, ConnectionJvm.OPTIONS);
    }

    private static Listener listen(InetSocketAddress address) {
        return Listener.bind(context, address, ConnectionJvm.OPTIONS);
    }

    @Test
    @Order(1)
    void aClientOfTheSoftwareDeviceExchangesMessagesWithAListenerOnRxeAndEitherSideCloses() throws Exception {
        try (Endpoint client = connect()) {
            ConnectionJvm.exchange(client, ConnectionJvm.CALLS);
        }
        rxe.await(Command.SERVE, ON_RXE, ConnectionJvm.CLOSED_BY_PEER);
        try (Endpoint client = connect()) {
            client.send("close");
            assertNull(client.receive(ConnectionJvm.LIMIT));
        }
        rxe.await(Command.SERVE, ON_RXE, ConnectionJvm.CLOSED);
    }

    @Test
    @Order(1)
    void aClientOnRxeExchangesMessagesWithAListenerOfTheSoftwareDeviceAndEitherSideCloses() throws Exception {
        try (Listener listener = listen(HERE)) {
            rxe.start(Command.EXCHANGE, HERE);
            assertEquals(ConnectionJvm.CLOSED_BY_PEER,
                    ConnectionJvm.serve(listener.accept(ConnectionJvm.LIMIT)));
            rxe.await(Command.EXCHANGE, HERE, ConnectionJvm.CLOSED);

            rxe.start(Command.HOLD, HERE);
            try (Endpoint server = listener.accept(ConnectionJvm.LIMIT)) {
                try (Message message = server.receive(ConnectionJvm.LIMIT)) {
                    message.reply("");
                }
            }
            rxe.await(Command.HOLD, HERE, ConnectionJvm.CLOSED_BY_PEER);
        }
    }

    /** K145, K147: the kernel decodes what the software device encodes, and the other way round. */
    @Test
    @Order(1)
    void theOptionsOfEceOfIdsArriveAtTheOtherDevice() throws Exception {
        InetSocketAddress there = at(ON_RXE, ECE_PORT);
        rxe.start(Command.ACCEPT_ECE, there);
        rxe.await(Command.ACCEPT_ECE, there, Command.LISTENS);
        assertEquals(EceConnection.responded(true), EceConnection.offer(context, there));
        rxe.await(Command.ACCEPT_ECE, there, EceConnection.offered());

        InetSocketAddress here = at(HERE, ECE_PORT);
        assertEquals(EceConnection.offered(), EceConnection.accept(context, here, () -> offerFromRxe(here)));
        rxe.await(Command.OFFER_ECE, here, EceConnection.responded(false));
    }

    private static void offerFromRxe(InetSocketAddress address) {
        try {
            rxe.start(Command.OFFER_ECE, address);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nobody sends a DREQ for a killed software device: the keep-alive of both endpoints on rxe0 notices it. */
    @Test
    @Order(2)
    void endpointsOnRxeAreToldOfAKilledSoftwareDeviceWithinTheKeepAliveTime() throws Exception {
        rxe.start(Command.HOLD, OTHER_SOFTWARE_DEVICE);
        soft.start(Command.HOLD, ON_RXE);
        rxe.await(Command.HOLD, OTHER_SOFTWARE_DEVICE, Command.HOLDS);
        soft.await(Command.HOLD, ON_RXE, Command.HOLDS);
        long start = System.nanoTime();
        soft.kill();
        rxe.await(Command.HOLD, OTHER_SOFTWARE_DEVICE, Reason.PEER_SILENT.toString());
        rxe.await(Command.SERVE, ON_RXE, Reason.PEER_SILENT.toString());
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(took.compareTo(TOLD_WITHIN) < 0, () -> "took " + took + ", at most " + TOLD_WITHIN);
    }

    /** The kernel sends a DREQ for each connection of the killed process. */
    @Test
    @Order(3)
    void endpointsOfTheSoftwareDeviceAreToldOfAKilledProcessOnRxe() throws Exception {
        InetSocketAddress here = at(HERE, LAST_PORT);
        try (Listener listener = listen(here); Endpoint client = connect()) {
            client.call("hold").close();
            rxe.start(Command.HOLD, here);
            Endpoint server = listener.accept(ConnectionJvm.LIMIT);
            CompletableFuture<String> served = CompletableFuture.supplyAsync(() -> ConnectionJvm.serve(server));
            rxe.await(Command.HOLD, here, Command.HOLDS);
            long start = System.nanoTime();
            rxe.kill();
            EndpointException lost = assertThrows(EndpointException.class, () -> client.receive(TOLD_WITHIN));
            assertEquals(Reason.PEER_LOST, lost.reason(), lost::getMessage);
            assertEquals(Reason.PEER_LOST.toString(), served.get(TOLD_WITHIN.toSeconds(), TimeUnit.SECONDS));
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            assertTrue(took.compareTo(TOLD_WITHIN) < 0, () -> "took " + took + ", at most " + TOLD_WITHIN);
        }
    }
}
