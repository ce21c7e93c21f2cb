package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AddressHandle;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WrOpcode;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.ConnectionParameters;
import io.jverbs.cm.PortSpace;
import io.jverbs.control.SimulatedNetwork;
import io.jverbs.soft.simulation.CmEndpoint.Occurrence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One resolution of a service ID (SIDR) between two devices of a simulated network whose links lose, double, delay and
 * reorder packets, and one datagram to the queue pair that it has found, over links without faults.
 */
final class LossyResolution implements AutoCloseable {
    /** A SIDR_REQ is sent 16 times, each 4096 ms after the one before. */
    private static final Duration LIMIT = Duration.ofMillis(16 * 4096);
    private static final Duration LATEST = Duration.ofSeconds(20);
    private static final String LINKS = "soft:sim%d?seed=%d&network=sidr-loss&time=stepped&loss=%s&duplicate=0.1"
            + "&delay=1ms&jitter=3s&reorder=0.2,7s";

    private final SimulatedNetwork network;
    private final CmEndpoint client;
    private final CmEndpoint server;
    private final CmId listener;
    private final CmId active;
    private final List<CmId> replied = new ArrayList<>();
    private Duration started;
    private AddressHandle peer;
    private int peerNumber;
    private int peerKey;

    LossyResolution(long seed, double loss) {
        client = new CmEndpoint(LINKS.formatted(0, seed, loss));
        server = new CmEndpoint(LINKS.formatted(1, seed, loss));
        network = client.network;
        listener = server.listen(PortSpace.UDP);
        // one queue pair responds to all peers
        listener.createQueuePair(server.pd, QpInitAttributes.builder(QpType.UD).cq(server.cq).maxRecvWr(2).build());
        listener.queuePair().postReceive(ReceiveWorkRequest.create(1).sge(server.memory, 0, 64));
        active = client.channel.createId(PortSpace.UDP);
        active.resolveAddress(server.address(), Duration.ofSeconds(1));
    }

    private void handleClient(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> active.resolveRoute(Duration.ofSeconds(1));
            case ROUTE_RESOLVED -> {
                client.createQueuePair(active, QpType.UD);
                active.connect(ConnectionParameters.DEFAULT);
                started = network.now();
            }
            case ESTABLISHED -> {
                peer = client.pd.createAddressHandle(event.address());
                peerNumber = event.qpNumber();
                peerKey = event.qkey();
            }
            default -> {
                // recorded
            }
        }
    }

    private void handleServer(CmEvent event) {
        event.id().accept(ConnectionParameters.builder().queuePair(listener.queuePair().number(), false).build());
        replied.add(event.id());
    }

    /** Asks for the queue pair of the peer; returns whether it was told. Asserts the events of both sides. */
    boolean resolve() {
        network.runUntil(() -> {
            client.handleEvents(this::handleClient);
            server.handleEvents(this::handleServer);
            replied.forEach(CmId::close);
            replied.clear();
            return false;
        }, LIMIT.plus(LATEST));
        boolean isResolved = client.event(active, CmEventType.ESTABLISHED) != null;
        CmEventType result = isResolved ? CmEventType.ESTABLISHED : CmEventType.UNREACHABLE;
        assertEquals(List.of(CmEventType.ADDR_RESOLVED, CmEventType.ROUTE_RESOLVED, result), client.types(active),
                this::toString);
        Occurrence end = client.event(active, result);
        Duration time = end.at().minus(started);
        assertTrue(isResolved ? time.compareTo(LIMIT) < 0 : time.equals(LIMIT), this::toString);
        server.events.forEach((id, events) -> assertEquals(List.of(CmEventType.CONNECT_REQUEST), server.types(id),
                this::toString));
        return isResolved;
    }

    /** Sends a datagram to the queue pair that was found; it must arrive. */
    void sendDatagram() {
        network.links().perfect();
        assertEquals(listener.queuePair().number(), peerNumber);
        active.queuePair().postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                .sge(client.memory, 0, 8).destination(peer, peerNumber, peerKey));
        assertTrue(network.runUntil(client::hasCompletion, LIMIT), this::toString);
        assertEquals(WcStatus.SUCCESS, client.status());
        assertTrue(network.runUntil(server::hasCompletion, LIMIT), this::toString);
        assertEquals(WcStatus.SUCCESS, server.status());
    }

    /** {@return all events with their times, and a hash of all packets: the same for the same seed} */
    String transcript() {
        return client.events.values() + " " + server.events.values() + " " + network.packetLogHash();
    }

    @Override
    public String toString() {
        return "seed " + network.seed() + ", client " + client.events.values() + ", server " + server.events.values();
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
