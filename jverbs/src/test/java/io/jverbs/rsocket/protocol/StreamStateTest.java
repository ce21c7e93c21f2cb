package io.jverbs.rsocket.protocol;

import static io.jverbs.rsocket.protocol.StreamState.CLOSING;
import static io.jverbs.rsocket.protocol.StreamState.CONNECTED;
import static io.jverbs.rsocket.protocol.StreamState.CONNECTING;
import static io.jverbs.rsocket.protocol.StreamState.DISCONNECTED;
import static io.jverbs.rsocket.protocol.StreamState.DISCONNECTING;
import static io.jverbs.rsocket.protocol.StreamState.ERROR;
import static io.jverbs.rsocket.protocol.StreamState.READ_SHUT;
import static io.jverbs.rsocket.protocol.StreamState.WRITE_SHUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.rsocket.protocol.StreamState.Event;
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
    void aShutdownThatCrossesThatOfThisSideEndsTheStreamOnlyWhenThisOneIsAcknowledged() {
        StreamState crossed = WRITE_SHUT.after(Event.PEER_SHUTDOWN);
        assertEquals(CLOSING, crossed);
        assertEquals(-1, crossed.message(WRITE_SHUT));
        assertTrue(crossed.isConnected() && crossed.isEnding());
        assertFalse(crossed.isReadable() || crossed.isWritable() || crossed.isEnded());
        assertEquals(CLOSING, crossed.after(Event.CLOSE), "SHUTDOWN says what DISCONNECT would");
        assertEquals(DISCONNECTED, crossed.after(Event.SHUTDOWN_ACKNOWLEDGED));
        StreamState acknowledged = WRITE_SHUT.after(Event.SHUTDOWN_ACKNOWLEDGED);
        assertTrue(acknowledged.isReadable());
        assertEquals(-1, acknowledged.message(WRITE_SHUT), "SHUTDOWN is sent once");
        assertEquals(DISCONNECTED, acknowledged.after(Event.PEER_SHUTDOWN));
        assertEquals(DISCONNECTING, acknowledged.after(Event.CLOSE));
    }

    @Test
    void aShutdownOfThePeerDoesNotEndTheWaitForTheAcknowledgementOfDisconnect() {
        assertEquals(DISCONNECTING, DISCONNECTING.after(Event.PEER_SHUTDOWN));
        assertEquals(DISCONNECTING, DISCONNECTING.after(Event.SHUTDOWN_ACKNOWLEDGED), "it was sent before");
    }

    @ParameterizedTest
    @EnumSource(names = {"CLOSING", "DISCONNECTING"})
    void aConnectionThatIsLostAfterBothDirectionsHaveEndedIsAnEnd(StreamState state) {
        assertEquals(DISCONNECTED, state.after(Event.DISCONNECTED));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTED", "READ_SHUT", "WRITE_SHUT", "WRITE_ENDED"})
    void aConnectionThatIsLostWhileADirectionCarriesBytesIsAnError(StreamState state) {
        assertEquals(ERROR, state.after(Event.DISCONNECTED));
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
            StreamState again = next.after(event);
            assertEquals(next, again, () -> state + " after " + event);
            assertEquals(-1, again.message(next));
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
    @EnumSource(names = {"CONNECTING", "CONNECTED", "READ_SHUT", "WRITE_SHUT", "WRITE_ENDED", "CLOSING",
        "DISCONNECTING"})
    void aFailureIsAnErrorInEachStateThatHasNotEnded(StreamState state) {
        assertEquals(ERROR, state.after(Event.FAILURE));
    }

    @ParameterizedTest
    @EnumSource(names = {"CONNECTING", "CONNECTED", "READ_SHUT", "WRITE_SHUT", "WRITE_ENDED", "CLOSING",
        "DISCONNECTING"})
    void anAbortEndsEachStateThatHasNotEndedWithoutAMessage(StreamState state) {
        assertEquals(DISCONNECTED, state.after(Event.ABORT));
        assertEquals(-1, DISCONNECTED.message(state));
    }
}
