package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.QpState;
import io.jverbs.WrOpcode;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.congestion.PathWindowUser;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.protocol.DeadlineScan;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.IncomingPacket;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** F29, F30: packets that are sent again after the adaptive time use up no retry, whatever arrives for the copies. */
final class AdaptiveRepeatTest {
    private static final int MTU = TestedRequester.MTU;
    private static final int RNR_TIMER = 1;
    /** The code of an RNR timer of 491.52 ms. */
    private static final int LONG_RNR_TIMER = 31;
    /** An ACK timeout of eight times the shortest adaptive time. */
    private static final int TIMEOUT = RetransmitTimer.MIN_ADAPTIVE_CODE + 3;
    private static final int TIMEOUT_UNITS = 8;
    private static final long ADAPTIVE = Timers.Codes.ackNanos(RetransmitTimer.MIN_ADAPTIVE_CODE);
    private static final int PACKETS = 3;
    private static final int MANY = 10;
    private static final int WINDOW = 14;

    /** With one retry of each kind. */
    private final TestedRequester requester = new TestedRequester(1, TIMEOUT, PACKETS);
    private final BareDevice device = requester.device;
    private final BareQueuePair pair = requester.pair;
    private final IncomingPacket packet = requester.packet;

    /** Measures a round trip by a SEND. */
    @BeforeEach
    void measure() {
        post(WrOpcode.SEND, 1);
        acknowledge(0, Aeth.ACK);
        sent();
    }

    private void post(WrOpcode opcode, int packets) {
        requester.post(opcode, packets);
    }

    private void acknowledge(int psn, int syndrome) {
        requester.acknowledge(psn, syndrome, 0);
        device.deferred.run();
    }

    private int sent() {
        return device.wire.takeSent().size();
    }

    private void advance(long nanos) {
        device.timers.advance(nanos);
        device.deferred.run();
    }

    private long count(Counter counter) {
        return pair.qp.counters().get(counter);
    }

    private void rnrNakAndWait(int psn) {
        acknowledge(psn, Aeth.rnrNak(RNR_TIMER));
        advance(Timers.Codes.rnrNanos(RNR_TIMER));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void rnrNaksForTheCopiesUseUpNoRnrRetry(int packets) {
        for (int i = 0; i < packets; i++) {
            post(WrOpcode.SEND, 1);
        }
        advance(ADAPTIVE);
        assertEquals(1, count(Counter.ADAPTIVE_RETRANSMISSION));
        if (packets == 2) {
            acknowledge(1, Aeth.ACK);
        }
        assertEquals(2 * packets, sent());

        rnrNakAndWait(packets);
        assertEquals(1, sent());
        rnrNakAndWait(packets);
        assertEquals(0, count(Counter.RNR_RETRY_EXCEEDED));
        assertEquals(1, sent());
        rnrNakAndWait(packets);
        assertEquals(1, count(Counter.RNR_RETRY_EXCEEDED));
    }

    /**
     * F23: neither the refused packet nor one behind it. The columns are the number of packets in flight, and how often
     * they were sent again before the RNR NAK.
     */
    @ParameterizedTest
    @CsvSource({"1, 0", "1, 1", "3, 0", "3, 1"})
    void nothingIsSentAgainDuringAnRnrWaitThatIsLongerThanTheAdaptiveTime(int packets, int copies) {
        long wait = Timers.Codes.rnrNanos(LONG_RNR_TIMER);
        assertTrue(wait > TIMEOUT_UNITS * ADAPTIVE);
        for (int i = 0; i < packets; i++) {
            post(WrOpcode.SEND, 1);
        }
        advance(copies * ADAPTIVE);
        sent();
        acknowledge(1, Aeth.rnrNak(LONG_RNR_TIMER));
        advance(wait - 1);
        assertEquals(0, sent());
        assertEquals(copies, count(Counter.ADAPTIVE_RETRANSMISSION));
        assertEquals(0, count(Counter.ACK_TIMEOUT));

        advance(1);
        // the adaptive time has reduced the congestion window
        assertEquals(copies == 0 ? packets : 1, sent());
        assertEquals(copies, count(Counter.ADAPTIVE_RETRANSMISSION));
        // after the wait, the adaptive time is measured again
        advance(ADAPTIVE << copies);
        assertEquals(copies + 1, count(Counter.ADAPTIVE_RETRANSMISSION));
    }

    /** F23: the RNR NAK waits in the receive buffer until the adaptive time has passed. */
    @Test
    void anRnrNakThatHasArrivedInTimePreventsTheCopy() {
        post(WrOpcode.SEND, 1);
        sent();
        device.wire.onReceivePending(() -> {
            device.wire.onReceivePending(() -> false);
            acknowledge(1, Aeth.rnrNak(LONG_RNR_TIMER));
            return false;
        });
        advance(ADAPTIVE);
        assertEquals(1, count(Counter.RECEIVED_RNR));
        assertEquals(0, count(Counter.ADAPTIVE_RETRANSMISSION));
        assertEquals(0, sent());
    }

    private void respond(int psn, int opcode) {
        packet.begin(opcode, 0, psn, MTU);
        if (opcode != WireOpcode.READ_RESPONSE_MIDDLE) {
            packet.begin(opcode, 0, psn, MTU).aeth(Aeth.ACK, 0);
        }
        pair.receive(packet.fill(7).decoded());
        device.deferred.run();
    }

    @Test
    void aLateResponsePacketUsesUpNoRetry() {
        post(WrOpcode.RDMA_READ, PACKETS);
        respond(1, WireOpcode.READ_RESPONSE_FIRST);
        advance(2 * ADAPTIVE);
        assertTrue(count(Counter.ADAPTIVE_RETRANSMISSION) > 0);
        long retransmissions = count(Counter.RETRANSMISSION);
        sent();

        respond(PACKETS, WireOpcode.READ_RESPONSE_LAST);
        assertEquals(retransmissions, count(Counter.RETRANSMISSION));
        assertEquals(0, sent());
    }

    /** A connection that fills the path. */
    private PathWindow.Share rival() {
        PathWindow.Share rival = new PathWindow.Share(new PathWindowUser() {
            @Override
            public void resumeSend() {
                // it has what it wanted
            }

            @Override
            public Timers timers() {
                return device.timers;
            }

            @Override
            public void runDeferred() {
                device.deferred.run();
            }
        });
        rival.join(device.wire.pathWindow(), MTU);
        return rival;
    }

    /** Only packets that are sent again are copies, for which an RNR NAK uses up no retry. */
    @Test
    void aCopyThatWaitsForRoomExcusesNoRnrNak() {
        PathWindow.Share rival = rival();
        post(WrOpcode.SEND, 1);
        advance(ADAPTIVE - 1);
        assertTrue(rival.admits(1000));
        PathWindow.Share waiting = rival();
        assertFalse(waiting.admits(1));
        sent();
        advance(1);
        assertEquals(1, count(Counter.ADAPTIVE_RETRANSMISSION));
        assertEquals(0, sent());
        waiting.stopWaiting();
        rival.settle(0);
        rnrNakAndWait(1);
        rnrNakAndWait(1);
        assertEquals(1, count(Counter.RNR_RETRY_EXCEEDED));
    }

    private void postMany() {
        for (int i = 0; i < MANY; i++) {
            post(WrOpcode.SEND, 1);
        }
    }

    /**
     * The columns are the ACKs that arrive after two expiries of the adaptive time, by the number of their packets, and
     * the packets that may be sent at once after that.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            10,      14
            1 9,     14
            1 1 8,   14
            9 1,     8
            5 5,     8
            1 2 2 5, 8
            """)
    void theCongestionWindowIsRestoredIfAllArriveAndNotAllWereSentAgain(String acks, int packets) {
        postMany();
        assertEquals(MANY, sent());
        advance(ADAPTIVE);
        assertEquals(1, sent());
        advance(2 * ADAPTIVE);
        assertEquals(1, sent());
        assertEquals(2, count(Counter.ADAPTIVE_RETRANSMISSION));
        int psn = 0;
        for (String ack : acks.split(" ")) {
            psn += Integer.parseInt(ack);
            acknowledge(psn, Aeth.ACK);
        }
        assertEquals(MANY, psn);
        sent();
        pair.sendCompletions();
        for (int i = 0; i < WINDOW; i++) {
            post(WrOpcode.SEND, 1);
        }
        assertEquals(packets, sent());
    }

    /** The packet that waits for room has a last chance at the time at which the ACK timeout passes in any case. */
    @Test
    void theAckTimeoutGoesOnWhileThePacketThatIsSentAgainWaitsForRoom() {
        PathWindow.Share rival = rival();
        post(WrOpcode.SEND, 1);
        assertEquals(1, sent());
        advance(ADAPTIVE - 1);
        assertTrue(rival.admits(1000));
        advance(1);
        assertEquals(1, count(Counter.ADAPTIVE_RETRANSMISSION));
        sent();
        for (int i = 1; i < 8; i++) {
            rival.admits(1000);
            advance(ADAPTIVE);
        }
        assertEquals(1, count(Counter.ACK_TIMEOUT));
    }

    /** An Error at each reading of the clock until the deadline of the idle connection is not watched any more. */
    @Test
    void anErrorWhileNoPacketIsInFlightDoesNotFailTheConnection() {
        int readings = 0;
        for (boolean failed = true; failed; readings++) {
            device.timers.failReading(readings + 1);
            advance(TIMEOUT_UNITS * ADAPTIVE);
            failed = !device.timers.willFail();
            device.timers.failReading(0);
            advance(TIMEOUT_UNITS * ADAPTIVE);
            assertEquals(QpState.RTS, pair.state());
            assertEquals(0, device.timers.pending());

            post(WrOpcode.SEND, 1);
            advance(ADAPTIVE + DeadlineScan.STEP_NANOS);
            assertEquals(readings + 1, count(Counter.ADAPTIVE_RETRANSMISSION));
            acknowledge(2 * readings + 1, Aeth.ACK);
            // a round trip ends the doubling of the adaptive time
            post(WrOpcode.SEND, 1);
            acknowledge(2 * readings + 2, Aeth.ACK);
            pair.sendCompletions();
        }
        assertTrue(readings > 10, "readings of the clock: " + readings);
    }

    /** The scan has ended because of an Error, and cannot be started again when the alarm of the timer has expired. */
    @Test
    void anErrorAfterTheAlarmWasSetAgainDoesNotFailTheConnection() {
        post(WrOpcode.SEND, 1);
        post(WrOpcode.SEND, 1);
        device.timers.failSets(number -> number <= 2);
        assertThrows(UnknownError.class, () -> advance(ADAPTIVE));
        acknowledge(1, Aeth.ACK);
        assertEquals(1, device.timers.pending());
        device.timers.failSets(number -> number == 2);
        advance((TIMEOUT_UNITS - 1) * ADAPTIVE);
        assertEquals(1, device.timers.pending());
        assertEquals(QpState.RTS, pair.state());
        assertEquals(0, count(Counter.ACK_TIMEOUT));

        advance(ADAPTIVE);
        assertEquals(1, count(Counter.ACK_TIMEOUT));
        assertEquals(QpState.RTS, pair.state());
    }

    /** The number of packets for which the path has room. */
    private int room() {
        PathWindow.Share rival = rival();
        int packets = 0;
        while (rival.admits(1)) {
            rival.sent();
            packets++;
        }
        rival.leave();
        return packets;
    }

    @Test
    void anErrorAfterTheLastRequestHasCompletedLeavesNoPacketCounted() {
        int room = room();
        postMany();
        assertEquals(room - MANY, room());
        device.timers.failReading(1);
        acknowledge(MANY, Aeth.ACK);
        assertEquals(QpState.ERR, pair.state());
        assertTrue(pair.qp.requester().isEmpty());
        assertEquals(room, room());
    }
}
