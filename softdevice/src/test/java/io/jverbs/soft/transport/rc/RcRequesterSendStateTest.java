package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.WrOpcode;
import io.jverbs.soft.congestion.PathWindow;
import io.jverbs.soft.congestion.PathWindowUser;
import io.jverbs.soft.protocol.Timers;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.BareQueuePair;
import io.jverbs.soft.transport.RequesterProtocol;
import io.jverbs.soft.wire.Aeth;
import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The transitions between the send states of an {@link RcRequester}: for each state and event, the next state. */
final class RcRequesterSendStateTest {
    private static final int MTU = TestedRequester.MTU;
    private static final int RETRIES = 3;
    private static final int RNR_TIMER = 1;
    private static final int TIMEOUT = 4;
    private static final int MANY = 1000;
    /** The number of packets of a message that the windows do not admit at once. */
    private static final int LONG_MESSAGE = 100;

    private final TestedRequester requester = new TestedRequester(RETRIES, TIMEOUT, LONG_MESSAGE);
    private final BareDevice device = requester.device;
    private final BareQueuePair pair = requester.pair;
    private final PathWindow.Share rival = new PathWindow.Share(new Resumed());
    /** The oldest PSN that is not acknowledged. */
    private int oldest;
    private int resumed;

    /** Another connection that shares the windows. */
    private final class Resumed implements PathWindowUser {
        @Override
        public void resumeSend() {
            resumed++;
        }

        @Override
        public Timers timers() {
            return device.timers;
        }

        @Override
        public void runDeferred() {
            device.deferred.run();
        }
    }

    /** The state, which has no other observer. */
    private String state() throws ReflectiveOperationException {
        RequesterProtocol protocol = requester.service.wireRequester();
        Field field = protocol.getClass().getDeclaredField("sendState");
        field.setAccessible(true);
        return field.get(protocol).toString();
    }

    private void post(WrOpcode opcode, int packets) {
        requester.post(opcode, packets);
    }

    private void acknowledge(int psn, int syndrome) {
        acknowledge(psn, syndrome, 0);
    }

    private void acknowledge(int psn, int syndrome, int msn) {
        requester.acknowledge(psn, syndrome, msn);
    }

    /** Acknowledges packets up to a PSN. */
    private void acknowledge(int psn) {
        acknowledge(psn, Aeth.ACK);
        oldest = psn + 1;
    }

    private void reach(String state) throws ReflectiveOperationException {
        switch (state) {
            case "READY" -> post(WrOpcode.SEND, 1);
            case "RNR_WAIT" -> {
                reach("READY");
                acknowledge(0, Aeth.rnrNak(RNR_TIMER));
            }
            case "PATH_FULL" -> {
                reach("READY");
                rival.join(device.wire.pathWindow(), MTU);
                assertTrue(rival.admits(MANY));
                post(WrOpcode.SEND, 1);
            }
            case "READS_FULL" -> {
                reach("READY");
                rival.join(device.wire.readWindow(), MTU);
                assertTrue(rival.admitsAll(MANY));
                post(WrOpcode.RDMA_READ, 1);
            }
            case "NO_CREDITS" -> {
                reach("READY");
                acknowledge(0, Aeth.ack(0), 1);
                post(WrOpcode.SEND, 1);
                acknowledge(1, Aeth.rnrNak(RNR_TIMER));
                happen("rnr timer");
                acknowledge(1, Aeth.ack(0), 2);
                oldest = 2;
                post(WrOpcode.SEND, 1);
            }
            default -> {
                post(WrOpcode.SEND, LONG_MESSAGE);
                // the congestion window grows from 16 packets to 17 and 18
                acknowledge(15);
                acknowledge(32);
                acknowledge(33);
            }
        }
        assertEquals(state, state());
        device.wire.takeSent();
    }

    private void happen(String event) {
        switch (event) {
            case "post" -> post(WrOpcode.SEND, 1);
            case "turn" -> pair.qp.requester().resume();
            case "ack" -> acknowledge(oldest);
            case "ack of 2" -> acknowledge(oldest + 1);
            case "rnr" -> acknowledge(oldest, Aeth.rnrNak(RNR_TIMER));
            case "fatal" -> acknowledge(oldest, Aeth.NAK_REMOTE_ACCESS_ERROR);
            case "rnr timer" -> device.timers.advance(Timers.Codes.rnrNanos(RNR_TIMER));
            case "timeout" -> device.timers.advance(Timers.Codes.ackNanos(TIMEOUT));
            case "room" -> rival.leave();
            case "credit" -> acknowledge(oldest - 1, Aeth.ack(1), oldest);
            default -> pair.reset();
        }
        device.deferred.run();
    }

    /** F23, F27, L33, L43: the columns are the state, the event, the next state, and how many packets are sent. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            READY,        post,      READY,        1
            READY,        turn,      READY,        0
            READY,        ack,       READY,        0
            READY,        rnr,       RNR_WAIT,     0
            READY,        timeout,   READY,        1
            READY,        fatal,     READY,        0
            READY,        reset,     READY,        0
            RNR_WAIT,     post,      RNR_WAIT,     0
            RNR_WAIT,     turn,      RNR_WAIT,     0
            RNR_WAIT,     ack,       RNR_WAIT,     0
            RNR_WAIT,     rnr,       RNR_WAIT,     0
            RNR_WAIT,     rnr timer, READY,        1
            RNR_WAIT,     fatal,     READY,        0
            RNR_WAIT,     reset,     READY,        0
            PATH_FULL,    post,      PATH_FULL,    0
            PATH_FULL,    turn,      PATH_FULL,    0
            PATH_FULL,    ack,       READY,        1
            PATH_FULL,    room,      READY,        1
            PATH_FULL,    rnr,       RNR_WAIT,     0
            PATH_FULL,    timeout,   READY,        1
            PATH_FULL,    fatal,     READY,        0
            PATH_FULL,    reset,     READY,        0
            READS_FULL,   post,      READS_FULL,   0
            READS_FULL,   turn,      READS_FULL,   0
            READS_FULL,   ack,       READS_FULL,   0
            READS_FULL,   room,      READY,        1
            READS_FULL,   rnr,       RNR_WAIT,     0
            READS_FULL,   timeout,   READY,        1
            READS_FULL,   fatal,     READY,        0
            READS_FULL,   reset,     READY,        0
            WINDOW_SMALL, post,      WINDOW_SMALL, 0
            WINDOW_SMALL, turn,      WINDOW_SMALL, 0
            WINDOW_SMALL, ack,       WINDOW_SMALL, 0
            WINDOW_SMALL, ack of 2,  READY,        3
            WINDOW_SMALL, rnr,       RNR_WAIT,     0
            WINDOW_SMALL, timeout,   READY,        1
            WINDOW_SMALL, fatal,     READY,        0
            WINDOW_SMALL, reset,     READY,        0
            NO_CREDITS,   post,      NO_CREDITS,   0
            NO_CREDITS,   turn,      NO_CREDITS,   0
            NO_CREDITS,   ack,       NO_CREDITS,   0
            NO_CREDITS,   credit,    READY,        1
            NO_CREDITS,   rnr timer, NO_CREDITS,   0
            NO_CREDITS,   rnr,       NO_CREDITS,   0
            NO_CREDITS,   timeout,   READY,        1
            NO_CREDITS,   fatal,     NO_CREDITS,   0
            NO_CREDITS,   reset,     READY,        0
            """)
    void eachEventLeadsToTheStateOfTheTable(String state, String event, String next, int packets)
            throws ReflectiveOperationException {
        reach(state);
        happen(event);
        assertEquals(next, state());
        assertEquals(packets, device.wire.takeSent().size());
    }

    /** L43: the refused packet is in flight before the request that waits for credits. */
    @Test
    void aFatalNakEndsTheWaitForCredits() throws ReflectiveOperationException {
        reach("READY");
        acknowledge(0, Aeth.ack(0), 1);
        oldest = 1;
        post(WrOpcode.SEND, 1);
        post(WrOpcode.SEND, 1);
        assertEquals("NO_CREDITS", state());
        assertEquals(1, device.wire.takeSent().size());
        happen("fatal");
        assertEquals("READY", state());
        assertEquals("ERR", pair.state().name());
    }

    /** The columns are the state in which the connection waits for a window, and an event after which it does not. */
    @ParameterizedTest
    @CsvSource({"PATH_FULL, rnr", "PATH_FULL, fatal", "PATH_FULL, reset", "READS_FULL, rnr", "READS_FULL, fatal",
        "READS_FULL, reset"})
    void aConnectionThatCannotSendDoesNotHoldUpOthers(String state, String event) throws ReflectiveOperationException {
        reach(state);
        PathWindow.Share other = new PathWindow.Share(new Resumed());
        boolean reads = state.equals("READS_FULL");
        other.join(reads ? device.wire.readWindow() : device.wire.pathWindow(), MTU);
        assertFalse(reads ? other.admitsAll(1) : other.admits(1));
        happen(event);
        resumed = 0;
        happen("room");
        assertEquals(1, resumed);
        assertTrue(reads ? other.admitsAll(1) : other.admits(1));
    }

    /** A connection that waits for the path is resumed before those that wait behind it. */
    @Test
    void connectionsAreResumedInTheOrderOfWaiting() throws ReflectiveOperationException {
        reach("PATH_FULL");
        PathWindow.Share other = new PathWindow.Share(new Resumed());
        other.join(device.wire.pathWindow(), MTU);
        assertFalse(other.admits(1));
        rival.leave();
        assertEquals(0, resumed);
        device.deferred.run();
        assertEquals("READY", state());
        assertEquals(1, device.wire.takeSent().size());
        assertTrue(resumed > 0);
    }
}
