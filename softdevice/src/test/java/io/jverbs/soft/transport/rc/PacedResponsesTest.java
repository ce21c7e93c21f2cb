package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.soft.congestion.CongestionControlType;
import io.jverbs.soft.congestion.PathCapacity;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.congestion.ReadResponseRate;
import io.jverbs.soft.protocol.Timers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** L53: READ responses that wait as the congestion control of the path says, after a CNP has cut its rate. */
final class PacedResponsesTest {
    private static final int MTU = TestedResponder.MTU;
    private static final int BURST = 4;
    private static final int FULL_BURST = 32;
    /** More packets than the least rate sends in a second. */
    private static final int BACKLOG = 10_000;
    private static final long STEP_NANOS = 50_000;
    private static final int READERS = 200;
    /** By this time, the timer for a long pause may be late. */
    private static final long LATE_NANOS = 10_000_000;
    /** The packets of responses that exhaust the limit, see {@link ReadResponseLimit}. */
    private static final int LIMIT_PACKETS = 4096;
    private static final int MORE = 100;
    /** The bytes for which the rate of responses to a silent peer is reserved. */
    private static final int LONG_BYTES = 1 << 30;

    private final PathWindow path = new PathWindow(PathCapacity.UNCOALESCED, CongestionControlType.DCQCN);
    private final TestedResponder responder = new TestedResponder(0, path);
    private final Timers timers = responder.device.timers;

    private long reserve(int packets) {
        return path.pacer().reserveResponses(timers.nanoTime(), packets, MTU);
    }

    /** Cuts the rate, and reserves it for a while. */
    private void cut() {
        reserve(BURST);
        assertTrue(path.notified(timers.nanoTime()));
        reserve(400);
    }

    /** The number of packets sent in the turns that were requested. */
    private int takeTurns() {
        boolean more = responder.takeTurn();
        while (more) {
            more = responder.takeTurn(false);
        }
        return responder.device.wire.takeSent().size();
    }

    private int packetsWithin(long nanos) {
        int packets = takeTurns();
        for (long passed = 0; passed < nanos; passed += STEP_NANOS) {
            responder.device.timers.advance(STEP_NANOS);
            packets += takeTurns();
        }
        return packets;
    }

    @Test
    void responsesAreSentAtTheirTimeAlthoughOthersReserveMeanwhile() {
        cut();
        responder.read(0, 0, BURST * MTU, responder.rkey());
        assertEquals(0, takeTurns());
        int packets = 0;
        for (int i = 0; i < 1_000 && packets == 0; i++) {
            reserve(400);
            packets = packetsWithin(STEP_NANOS);
        }
        assertEquals(BURST, packets);
    }

    /** The timer that is set because the peer is silent does not replace the one for the end of a pause. */
    @Test
    void responsesContinueAfterAPauseAlthoughTheTimerForASilentPeerIsSet() {
        path.silentPeerRate().reserve(timers.nanoTime(), LONG_BYTES);
        responder.read(0, 0, LIMIT_PACKETS * MTU, responder.rkey());
        responder.read(LIMIT_PACKETS, 0, MORE * MTU, responder.rkey());
        assertEquals(LIMIT_PACKETS, takeTurns());
        cut();
        responder.write(LIMIT_PACKETS + MORE);
        assertEquals(0, takeTurns());
        // with the acknowledgement
        assertEquals(MORE + 1, packetsWithin(ReadResponseRate.nanos(LONG_BYTES) / 100));
    }

    /** Otherwise the READs of many queue pairs would fail while forged CNPs keep the rate low. */
    @Test
    void aResponseThatHasWaitedForLongIsSentOnePacketAtATime() {
        cut();
        reserve(BACKLOG);
        responder.read(0, 0, BURST * MTU, responder.rkey());
        assertEquals(0, packetsInFlood(ResponseSender.MAX_WAIT_NANOS - STEP_NANOS));
        assertEquals(1, packetsInFlood(ResponseSender.MAX_WAIT_NANOS / 2));
        assertEquals(BURST - 1, packetsInFlood(BURST * (ResponseSender.MAX_WAIT_NANOS + LATE_NANOS)));
    }

    /** Each responds in time for the ACK timeouts of its peer, although the rate has no room for all of them. */
    @Test
    void noneOfManyReadersWaitsForLongInAFloodOfCnps() {
        List<TestedResponder> all = new ArrayList<>(List.of(responder));
        while (all.size() < READERS) {
            all.add(new TestedResponder(responder, TestedResponder.QPN + all.size()));
        }
        cut();
        reserve(BACKLOG);
        for (int psn = 0; psn < 3; psn++) {
            for (TestedResponder each : all) {
                each.read(psn, 0, MTU, each.rkey());
            }
            int packets = 0;
            for (long passed = 0; passed <= ResponseSender.MAX_WAIT_NANOS; passed += STEP_NANOS) {
                reserve(1);
                path.notified(timers.nanoTime());
                responder.device.timers.advance(STEP_NANOS);
                all.forEach(each -> each.takeTurn(false));
                packets += responder.device.wire.takeSent().size();
            }
            assertEquals(READERS, packets);
        }
    }

    /** The number of packets sent in a time in which each packet of the path leads to a CNP. */
    private int packetsInFlood(long nanos) {
        int packets = 0;
        for (long passed = 0; passed < nanos; passed += STEP_NANOS) {
            reserve(1);
            path.notified(timers.nanoTime());
            packets += packetsWithin(STEP_NANOS);
        }
        return packets;
    }

    @Test
    void withoutACnpResponsesAreNotDividedIntoSmallBursts() {
        responder.read(0, 0, 2 * FULL_BURST * MTU, responder.rkey());
        assertTrue(responder.takeTurn());
        assertEquals(FULL_BURST, responder.device.wire.takeSent().size());
    }

    @Test
    void aResetGivesTheReservationBack() {
        cut();
        reserve(BACKLOG);
        long before = reserve(0);
        responder.read(0, 0, BURST * MTU, responder.rkey());
        assertEquals(0, takeTurns());
        assertTrue(reserve(0) > before);
        responder.pair.reset();
        assertEquals(before, reserve(0));
    }

    /** A reservation of more than is due would delay the others. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noMoreIsReservedThanIsDue(boolean cut) {
        if (cut) {
            cut();
        }
        long before = reserve(0);
        responder.read(0, 0, MTU, responder.rkey());
        assertEquals(cut ? 0 : 1, takeTurns());
        long after = reserve(1);
        assertEquals(reserve(0) - after, after - before);
    }

    @Test
    void aReservationThatAnErrorKeepsIsGivenBackByTheNextReset() {
        cut();
        reserve(BACKLOG);
        long before = reserve(0);
        responder.read(0, 0, BURST * MTU, responder.rkey());
        assertEquals(0, takeTurns());
        responder.device.timers.failReading(1);
        assertThrows(UnknownError.class, responder.pair::reset);
        assertTrue(reserve(0) > before);
        responder.pair.reset();
        assertEquals(before, reserve(0));
    }
}
