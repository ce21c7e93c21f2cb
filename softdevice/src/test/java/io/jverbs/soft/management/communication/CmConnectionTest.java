package io.jverbs.soft.management.communication;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.VerbsException;
import io.jverbs.soft.management.message.CmAttribute;
import io.jverbs.soft.management.message.PrivateData;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How connections are made and ended, in virtual time, and what happens if messages are lost, doubled or late. */
final class CmConnectionTest {
    private static final int SEEDS = 7_000;
    /** K55, K56: the times for 16 REQs, and for 16 REPs to the last of them: 16 * (6144 + 4096) ms. */
    private static final long SECONDS = 164;

    private CmNetwork network;
    private CmEnd active;
    private CmEnd passive;

    private void start(long seed, double loss, double duplication) {
        network = new CmNetwork(seed, loss, duplication);
        active = new CmEnd(network, 1);
        passive = new CmEnd(network, 2);
    }

    private void start() {
        start(1, 0, 0);
    }

    private void runSeconds(long seconds) {
        network.runUntil(network.nanoTime() + TimeUnit.SECONDS.toNanos(seconds));
    }

    private void assertNothingIsLeft() {
        assertEquals(0, active.agent.call(active.agent::size));
        assertEquals(0, passive.agent.call(passive.agent::size));
    }

    /** K5, K6, K28, K29, K121. */
    @Test
    void bothSidesAreToldOfEachStepOnce() {
        start();
        passive.listen();
        active.connect(passive);
        runSeconds(1);
        active.disconnect();
        network.runAll();
        assertEquals(List.of("ReplyReceived", "Disconnected", "TimewaitExited"), active.notices);
        assertEquals(List.of("RequestReceived", "Established", "DisconnectRequested", "TimewaitExited"),
                passive.notices);
        assertNothingIsLeft();
    }

    /** K25, K30, K48, K56, K117: the columns are the percentages of lost and doubled messages. */
    @ParameterizedTest
    @CsvSource({"0, 0", "0, 50", "10, 10", "30, 10"})
    void aConnectionIsEstablishedOnBothSidesOrOnNone(int loss, int duplication) {
        for (int seed = 0; seed < SEEDS; seed++) {
            start(seed, loss / 100.0, duplication / 100.0);
            passive.listen();
            active.connect(passive);
            runSeconds(SECONDS);
            String where = "seed " + seed + ": " + active.notices + ", " + passive.notices;
            assertEquals(active.isEstablished(), passive.isEstablished(), where);
            assertTrue(active.isEstablished() || active.count(CmNotice.Unreachable.class) == 1, where);
            if (active.isEstablished()) {
                (seed % 2 == 0 ? active : passive).disconnect();
                if (seed % 3 == 0) {
                    // both at once
                    (seed % 2 == 0 ? passive : active).disconnect();
                }
            }
            network.runAll();
            assertEndedOnce(active);
            assertEndedOnce(passive);
            assertNothingIsLeft();
        }
    }

    private static void assertEndedOnce(CmEnd end) {
        if (end.isEstablished()) {
            int ends = end.count(CmNotice.Disconnected.class) + end.count(CmNotice.DisconnectRequested.class);
            assertTrue(ends >= 1 && end.count(CmNotice.TimewaitExited.class) == 1, () -> end.notices.toString());
        }
        assertTrue(end.count(CmNotice.Established.class) <= 1 && end.count(CmNotice.RequestReceived.class) <= 1
                && end.count(CmNotice.ReplyReceived.class) <= 1, () -> end.notices.toString());
    }

    /** K23, K113. */
    @Test
    void aRequestForAServiceWithoutAListenerIsRejected() {
        start();
        active.connect(passive);
        network.runAll();
        assertEquals(List.of("Rejected"), active.notices);
        assertNothingIsLeft();
    }

    /** K25, K55: 16 sends, each after 2 * 1024 + 4096 ms. */
    @Test
    void aRequestWithoutResponseIsSent16TimesAndThenUnreachable() {
        start();
        network.filter((mad, path) -> false);
        active.connect(passive);
        network.runUntil(TimeUnit.MILLISECONDS.toNanos(16 * 6144) - 1);
        assertEquals(List.of(), active.notices);
        network.runUntil(TimeUnit.MILLISECONDS.toNanos(16 * 6144));
        assertEquals(List.of("Unreachable"), active.notices);
        assertEquals(16, active.agent.counters().sent(CmAttribute.REQ));
        assertEquals(15, active.agent.counters().retried(CmAttribute.REQ));
        assertNothingIsLeft();
    }

    /** K56: the timer of a REP is the response time in the REQ, 4096 ms. */
    @Test
    void aReplyWithoutResponseIsSent16TimesAndThenUnreachable() {
        start();
        passive.listen();
        network.filter((mad, path) -> mad.attribute() == CmAttribute.REQ);
        active.connect(passive);
        runSeconds(16 * 4096 / 1000 + 2);
        assertEquals(List.of("RequestReceived", "Unreachable"), passive.notices);
        assertEquals(16, passive.agent.counters().sent(CmAttribute.REP));
    }

    /** K26, K57: a program that takes its time responds to a repeated REQ with an MRA, which postpones the next one. */
    @Test
    void aProgramThatTakesItsTimeMayAcceptAfterAMinute() {
        start();
        passive.listen();
        passive.ignoreRequests();
        active.connect(passive);
        runSeconds(60);
        assertEquals(1, passive.agent.counters().sent(CmAttribute.MRA));
        assertEquals(2, active.agent.counters().sent(CmAttribute.REQ));
        passive.accept();
        runSeconds(1);
        assertTrue(active.isEstablished() && passive.isEstablished());
    }

    /** K121: 2048 ms for the ACK timeout 19. */
    @Test
    void timewaitLastsAsLongAsAnAckTimeout() {
        start();
        passive.listen();
        active.connect(passive);
        runSeconds(1);
        active.disconnect();
        network.runUntil(TimeUnit.MILLISECONDS.toNanos(1000 + 2047));
        assertEquals(0, active.count(CmNotice.TimewaitExited.class));
        network.runUntil(TimeUnit.MILLISECONDS.toNanos(1000 + 2049));
        assertEquals(1, active.count(CmNotice.TimewaitExited.class));
    }

    /** K63: also if the sender of the DREP has forgotten the connection. */
    @Test
    void aDreqForAnUnknownConnectionIsRespondedTo() {
        start();
        passive.listen();
        active.connect(passive);
        runSeconds(1);
        network.filter((mad, path) -> mad.attribute() != CmAttribute.DREP);
        active.disconnect();
        runSeconds(10);
        assertEquals(0, passive.agent.call(passive.agent::size));
        network.filter((mad, path) -> true);
        runSeconds(10);
        assertEquals(1, active.count(CmNotice.Disconnected.class));
    }

    /** K111. */
    @Test
    void aPacketOnTheQueuePairEstablishesTheConnectionBeforeTheRtu() {
        start();
        passive.listen();
        network.filter((mad, path) -> mad.attribute() != CmAttribute.RTU);
        active.connect(passive);
        runSeconds(1);
        assertFalse(passive.isEstablished());
        passive.agent.run(passive.connection::communicationEstablished);
        passive.agent.run(passive.connection::communicationEstablished);
        network.filter((mad, path) -> true);
        runSeconds(10);
        assertEquals(1, passive.count(CmNotice.Established.class));
    }

    /** K32, K59: what the peer is told if one side destroys its half; the columns are side, time and notice. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            active,  before the REQ arrives, Rejected
            active,  established,            DisconnectRequested
            passive, established,            DisconnectRequested
            passive, request pending,        Rejected
            """)
    void thePeerIsToldIfAConnectionIsDestroyed(String side, String time, String notice) {
        start();
        passive.listen();
        if (!time.equals("established")) {
            passive.ignoreRequests();
        }
        active.connect(passive);
        if (!time.startsWith("before")) {
            runSeconds(1);
        } else {
            network.runUntil(network.nanoTime() + 1);
        }
        CmEnd destroyer = side.equals("active") ? active : passive;
        CmEnd peer = destroyer == active ? passive : active;
        destroyer.agent.run(destroyer.connection::destroy);
        network.runAll();
        assertEquals(notice, peer.notices.getLast().equals("TimewaitExited")
                ? peer.notices.get(peer.notices.size() - 2)
                : peer.notices.getLast());
        assertNothingIsLeft();
    }

    /** K94: a queue pair of the peer cannot be part of two connections. */
    @Test
    void aRequestFromAQueuePairThatIsConnectedIsStaleAndEndsTheOldConnection() {
        start();
        passive.listen();
        active.connect(passive);
        runSeconds(1);
        active.connect(passive);
        runSeconds(1);
        assertEquals(1, active.count(CmNotice.Rejected.class));
        assertEquals(1, active.count(CmNotice.DisconnectRequested.class));
        assertEquals(1, passive.count(CmNotice.RequestReceived.class));
    }

    /** K4, K96, K116: the calls that a connection in a state does not allow. */
    @ParameterizedTest
    @ValueSource(strings = {"accept", "establish", "disconnect", "reject"})
    void aCallInTheWrongStateNamesTheStateAndThoseThatAllowIt(String call) {
        start();
        CmConnection connection = active.agent.call(() -> active.agent.connection(notice -> {}));
        VerbsException refusal = assertThrows(VerbsException.class, () -> {
            switch (call) {
                case "establish" -> connection.readyToUse(PrivateData.NONE);
                case "disconnect" -> connection.disconnect(PrivateData.NONE);
                case "reject" -> connection.reject(28, PrivateData.NONE, PrivateData.NONE);
                default -> {
                    active.connection = connection;
                    active.accept();
                }
            }
        });
        assertEquals(Errno.EINVAL, refusal.error());
        assertTrue(refusal.getMessage().contains("state IDLE, allowed are "), refusal.getMessage());
    }
}
