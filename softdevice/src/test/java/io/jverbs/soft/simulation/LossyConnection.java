package io.jverbs.soft.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpState;
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
 * One connection between two devices of a simulated network whose links lose, double, delay and reorder packets: made
 * with queue pairs, used for one message and ended, in virtual time. Only messages of the connection manager are lost,
 * because the links are perfect while the queue pairs send.
 */
final class LossyConnection implements AutoCloseable {
    /** K55: a REQ is sent 16 times, each 2 * 1024 + 4096 ms after the one before. */
    static final Duration CONNECT = Duration.ofMillis(16 * (2 * 1024 + 4096));
    /** K56: a REP is sent 16 times, each 4096 ms after the one before. */
    static final Duration ACCEPT = Duration.ofMillis(16 * 4096);
    /** K30: a DREQ is sent as often as the REQ or REP of its side, and at the same intervals. */
    private static final Duration DISCONNECT = CONNECT;
    /** K121: 2^(19 - 8) ms. */
    private static final Duration TIMEWAIT = Duration.ofMillis(2048);
    /** Two faults of one packet: held back, and with the largest jitter. More than all intervals of retransmission. */
    private static final Duration LATEST = Duration.ofMillis(7000 + 3000 + 1);
    private static final String LINKS = "soft:sim%d?seed=%d&network=cm-loss&time=stepped&loss=%s&duplicate=0.1"
            + "&delay=1ms&jitter=3s&reorder=0.2,7s";
    private static final List<CmEventType> BEFORE_CONNECT = List.of(CmEventType.ADDR_RESOLVED,
            CmEventType.ROUTE_RESOLVED);

    /** What became of an attempt to connect. */
    enum Outcome {
        /** Both sides have the connection. */
        ESTABLISHED,
        /** Neither side has it. */
        FAILED,
        /** All RTUs were lost: the passive side has given up, and the active side finds out when it sends. */
        ENDED_BY_PASSIVE_SIDE
    }

    private final SimulatedNetwork network;
    private final CmEndpoint client;
    private final CmEndpoint server;
    private final CmId active;
    private final List<CmId> failed = new ArrayList<>();
    private Duration connected;

    LossyConnection(long seed, double loss) {
        client = new CmEndpoint(LINKS.formatted(0, seed, loss));
        server = new CmEndpoint(LINKS.formatted(1, seed, loss));
        network = client.network;
        server.listen(PortSpace.TCP);
        active = client.channel.createId(PortSpace.TCP);
        active.resolveAddress(server.address(), Duration.ofSeconds(1));
    }

    private void handleClient(CmEvent event) {
        switch (event.type()) {
            case ADDR_RESOLVED -> event.id().resolveRoute(Duration.ofSeconds(1));
            case ROUTE_RESOLVED -> {
                client.createQueuePair(event.id());
                event.id().connect(ConnectionParameters.builder().retryCount(7).rnrRetryCount(7).build());
                connected = network.now();
            }
            case DISCONNECTED -> event.id().disconnect();
            default -> {
                // recorded
            }
        }
    }

    private void handleServer(CmEvent event) {
        switch (event.type()) {
            case CONNECT_REQUEST -> {
                server.createQueuePair(event.id());
                event.id().queuePair().postReceive(ReceiveWorkRequest.create(1).sge(server.memory, 0, 8));
                event.id().accept(ConnectionParameters.builder().rnrRetryCount(7).build());
            }
            case DISCONNECTED -> event.id().disconnect();
            case UNREACHABLE -> failed.add(event.id());
            default -> {
                // recorded
            }
        }
    }

    private void run(Duration time) {
        network.runUntil(() -> {
            client.handleEvents(this::handleClient);
            server.handleEvents(this::handleServer);
            // after the event was acknowledged
            failed.forEach(CmId::close);
            failed.clear();
            return false;
        }, time);
    }

    /** Connects, and asserts that both sides have an outcome in time and the events of this outcome, each once. */
    Outcome connect() {
        run(CONNECT.plus(LATEST).plus(ACCEPT).plusMillis(1));
        boolean isActive = hasResult(client, active, connected, CONNECT, BEFORE_CONNECT);
        CmId passive = null;
        for (CmId id : server.events.keySet()) {
            Duration accepted = server.event(id, CmEventType.CONNECT_REQUEST).at();
            if (hasResult(server, id, accepted, ACCEPT, List.of(CmEventType.CONNECT_REQUEST))) {
                assertEquals(null, passive, () -> "two connections: " + this);
                passive = id;
            }
        }
        assertTrue(isActive || passive == null, () -> "established on the passive side only: " + this);
        return passive != null ? Outcome.ESTABLISHED : isActive ? Outcome.ENDED_BY_PASSIVE_SIDE : Outcome.FAILED;
    }

    /** Returns whether a side is established; otherwise it must have failed exactly when its last message was due. */
    private boolean hasResult(CmEndpoint side, CmId id, Duration from, Duration limit, List<CmEventType> before) {
        boolean isEstablished = side.event(id, CmEventType.ESTABLISHED) != null;
        CmEventType result = isEstablished ? CmEventType.ESTABLISHED : CmEventType.UNREACHABLE;
        List<CmEventType> expected = new ArrayList<>(before);
        expected.add(result);
        assertEquals(expected, side.types(id), this::toString);
        Duration time = side.event(id, result).at().minus(from);
        assertTrue(isEstablished ? time.compareTo(limit) < 0 : time.equals(limit), () -> time + ": " + this);
        return isEstablished;
    }

    /** Sends a message of the active side over links without faults; it must arrive if the peer is connected. */
    void sendMessage(Outcome outcome) {
        network.links().perfect();
        assertEquals(QpState.RTS, active.queuePair().state(), this::toString);
        active.queuePair().postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED)
                .sge(client.memory, 0, 8));
        assertTrue(network.runUntil(client::hasCompletion, CONNECT), () -> "no completion: " + this);
        if (outcome == Outcome.ESTABLISHED) {
            assertEquals(WcStatus.SUCCESS, client.status(), this::toString);
            assertTrue(network.runUntil(server::hasCompletion, CONNECT), () -> "nothing arrived: " + this);
            assertEquals(WcStatus.SUCCESS, server.status(), this::toString);
        } else {
            assertEquals(WcStatus.RETRY_EXC_ERR, client.status(), this::toString);
        }
    }

    /**
     * Ends the connection while messages are lost again.
     *
     * @param byBoth whether both sides do at the same time
     */
    void disconnect(Outcome outcome, boolean byBoth, double loss) {
        CmId passive = server.events.keySet().stream()
                .filter(id -> server.event(id, CmEventType.ESTABLISHED) != null).findFirst().orElse(null);
        network.links().loss(loss).duplicate(0.1).jitter(Duration.ofSeconds(1));
        Duration start = network.now();
        active.disconnect();
        if (byBoth && passive != null) {
            passive.disconnect();
        }
        run(DISCONNECT.plus(TIMEWAIT).plusSeconds(2));
        assertEndedOnce(client, active, BEFORE_CONNECT, start);
        if (outcome == Outcome.ESTABLISHED) {
            assertEndedOnce(server, passive, List.of(CmEventType.CONNECT_REQUEST), start);
        }
    }

    private void assertEndedOnce(CmEndpoint side, CmId id, List<CmEventType> before, Duration start) {
        List<CmEventType> expected = new ArrayList<>(before);
        expected.addAll(List.of(CmEventType.ESTABLISHED, CmEventType.DISCONNECTED, CmEventType.TIMEWAIT_EXIT));
        assertEquals(expected, side.types(id), this::toString);
        Occurrence end = side.event(id, CmEventType.DISCONNECTED);
        assertTrue(end.at().minus(start).compareTo(DISCONNECT) <= 0, this::toString);
        assertTrue(side.event(id, CmEventType.TIMEWAIT_EXIT).at().minus(end.at()).compareTo(TIMEWAIT) >= 0,
                this::toString);
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
