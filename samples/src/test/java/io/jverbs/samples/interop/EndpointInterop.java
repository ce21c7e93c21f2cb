package io.jverbs.samples.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.RdmaContext;
import io.jverbs.Verbs;
import io.jverbs.control.DeviceCounters;
import io.jverbs.endpoint.Buffer;
import io.jverbs.endpoint.Endpoint;
import io.jverbs.endpoint.EndpointException;
import io.jverbs.endpoint.EndpointException.Reason;
import io.jverbs.endpoint.EndpointOptions;
import io.jverbs.endpoint.Listener;
import io.jverbs.endpoint.Message;
import io.jverbs.samples.interop.process.InteropSettings;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Endpoints on a device of the kernel, both sides of a connection on the same one: {@code .ci/rxe-samples} runs this
 * class in a virtual machine, and its name keeps it out of the build's tests.
 */
@Timeout(120)
class EndpointInterop {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int MESSAGES = 100;
    private static final int RECEIVE_BUFFERS = 4;
    private static final EndpointOptions OPTIONS = EndpointOptions.builder().receiveBuffers(RECEIVE_BUFFERS).build();

    private final String device = InteropSettings.ofSystemProperties().device();
    private RdmaContext clients;
    private RdmaContext servers;
    private Listener listener;
    private Endpoint client;
    private Endpoint server;
    private Map<String, Long> before;

    @BeforeEach
    void connect() throws InterruptedException {
        clients = Verbs.open(device);
        servers = Verbs.open(device);
        before = counters();
        InetSocketAddress any = new InetSocketAddress(servers.preferredGid(1).gid().toInetAddress(), 0);
        listener = Listener.bind(servers, any, OPTIONS);
        client = Endpoint.connect(clients, listener.localAddress(), OPTIONS);
        server = listener.accept(LIMIT);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        listener.close();
        clients.close();
        servers.close();
    }

    private Map<String, Long> counters() {
        return clients.device().capability(DeviceCounters.class).orElseThrow().snapshot(1);
    }

    private long counted(String name) {
        return counters().get(name) - before.get(name);
    }

    @Test
    void aSenderWaitsForASlowReceiverWithoutAnRnrNakAndTheEndFollowsTheMessages() throws Exception {
        CompletableFuture<Void> sender = CompletableFuture.runAsync(this::sendAll);
        for (int i = 0; i < MESSAGES; i += RECEIVE_BUFFERS) {
            Message[] held = new Message[RECEIVE_BUFFERS];
            for (int k = 0; k < RECEIVE_BUFFERS; k++) {
                held[k] = server.receive(LIMIT);
                assertEquals(i + k, held[k].segment().get(ValueLayout.JAVA_INT_UNALIGNED, 0));
            }
            assertTrue(!sender.isDone() || i + RECEIVE_BUFFERS == MESSAGES, "the sender has not waited");
            for (Message each : held) {
                each.close();
            }
        }
        assertNull(server.receive(LIMIT));
        sender.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertEquals(0, counted("send_rnr_err") + counted("rcvd_rnr_err"));
    }

    private void sendAll() {
        try {
            for (int i = 0; i < MESSAGES; i++) {
                Buffer buffer = client.buffer();
                buffer.segment().set(ValueLayout.JAVA_INT_UNALIGNED, 0, i);
                client.send(buffer, Integer.BYTES);
            }
            client.close();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aHandlerRepliesToCallsAndRequests() throws Exception {
        server.onMessage((endpoint, message) -> message.reply("re: " + message.text()));
        ConnectionJvm.exchange(client, MESSAGES);
    }

    @Test
    void aPortWithoutAListenerIsRefusedAndTheMessagesOfTheConnectionManagerAreCounted() {
        InetSocketAddress absent = new InetSocketAddress(listener.localAddress().getAddress(), 7399);
        EndpointException refusal = assertThrows(EndpointException.class, () -> Endpoint.connect(clients, absent));
        assertEquals(Reason.REJECTED, refusal.reason(), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("reason 8: "), refusal::getMessage);
        assertTrue(counted("cm_tx_msgs/req") >= 2, () -> counters().toString());
        assertTrue(counted("cm_rx_msgs/rej") >= 1, () -> counters().toString());
        assertTrue(counted("cm_tx_msgs") >= counted("cm_tx_msgs/req"), () -> counters().toString());
    }

    @Test
    void anEndpointIsToldWhenThePeersContextIsClosed() {
        servers.close();
        EndpointException lost = assertThrows(EndpointException.class, () -> client.receive(LIMIT));
        assertEquals(Reason.PEER_LOST, lost.reason(), lost::getMessage);
    }
}
