package io.jverbs.rsocket;

import static io.jverbs.rsocket.StreamState.CONNECTED;
import static io.jverbs.rsocket.StreamState.CONNECTING;
import static io.jverbs.rsocket.StreamState.DISCONNECTED;
import static io.jverbs.rsocket.StreamState.DISCONNECTING;
import static io.jverbs.rsocket.StreamState.ERROR;
import static io.jverbs.rsocket.StreamState.READ_SHUT;
import static io.jverbs.rsocket.StreamState.WRITE_SHUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.rsocket.StreamState.Event;
import io.jverbs.rsocket.protocol.StreamMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of the states of a stream. */
class StreamStateTest {

    @Test
    void aSideThatEndsItsOutputFirstSendsShutdownAndTheSecondOneDisconnect() {
        StreamState first = CONNECTED.after(Event.SHUTDOWN_OUTPUT);
        assertEquals(WRITE_SHUT, first);
        assertEquals(StreamMessage.CONTROL_SHUTDOWN, first.message(CONNECTED));
        StreamState second = CONNECTED.after(Event.PEER_SHUTDOWN);
        assertEquals(READ_SHUT, second);
        assertEquals(-1, second.message(CONNECTED));
        assertTrue(second.isWritable());
        assertEquals(DISCONNECTING, second.after(Event.SHUTDOWN_OUTPUT));
        assertEquals(StreamMessage.CONTROL_DISCONNECT, DISCONNECTING.message(READ_SHUT));
        assertEquals(DISCONNECTED, first.after(Event.PEER_DISCONNECT));
        assertEquals(DISCONNECTED, DISCONNECTING.after(Event.DISCONNECT_ACKNOWLEDGED));
    }

    @Test
    void bothSidesThatEndTheirOutputAtTheSameTimeAreDisconnected() {
        assertEquals(DISCONNECTED, WRITE_SHUT.after(Event.PEER_SHUTDOWN));
        assertEquals(-1, DISCONNECTED.message(WRITE_SHUT));
    }

    @Test
    void theEndOfBothDirectionsByThisSideSendsDisconnect() {
        assertEquals(READ_SHUT, CONNECTED.after(Event.SHUTDOWN_INPUT));
        assertEquals(DISCONNECTING, READ_SHUT.after(Event.SHUTDOWN_OUTPUT));
        assertEquals(DISCONNECTING, WRITE_SHUT.after(Event.SHUTDOWN_INPUT));
        assertEquals(StreamMessage.CONTROL_DISCONNECT, DISCONNECTING.message(WRITE_SHUT));
        assertTrue(DISCONNECTING.isConnected());
    }

    @Test
    void aStreamThatIsNotEstablishedHasNothingToDisconnect() {
        assertEquals(DISCONNECTED, CONNECTING.after(Event.CLOSE));
        assertEquals(CONNECTING, CONNECTING.after(Event.SHUTDOWN_OUTPUT));
        assertFalse(CONNECTING.isConnected());
    }

    @ParameterizedTest
    @EnumSource
    void theSameEventAgainChangesNothing(StreamState state) {
        for (Event event : Event.values()) {
            StreamState next = state.after(event);
            assertEquals(next, next.after(event), () -> state + " after " + event);
            assertEquals(-1, next.message(next));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"DISCONNECTED", "ERROR"})
    void nothingChangesAStateThatHasEnded(StreamState state) {
        assertTrue(state.isEnded() && !state.isConnected());
        for (Event event : Event.values()) {
            assertEquals(state, state.after(event));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTING", "CONNECTED", "READ_SHUT", "WRITE_SHUT", "DISCONNECTING"})
    void aFailureIsAnErrorInEachStateThatHasNotEnded(StreamState state) {
        assertEquals(ERROR, state.after(Event.FAILURE));
    }
}
