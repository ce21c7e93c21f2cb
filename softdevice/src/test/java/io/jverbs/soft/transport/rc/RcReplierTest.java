package io.jverbs.soft.transport.rc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AsyncEventType;
import io.jverbs.QpState;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.Psns;
import io.jverbs.soft.transport.BareDevice;
import io.jverbs.soft.transport.Responses;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.PacketView;
import io.jverbs.soft.wire.WireOpcode;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Which responses of a reliable connection's responder are sent when, and what they contain. The names of the responses
 * are those of {@link Responses}; PSNs count from the first one.
 */
final class RcReplierTest {
    private static final int MTU = TestedResponder.MTU;
    /** A READ of three packets. */
    private static final int READ_BYTES = 2 * MTU + 10;
    private static final int FIRST_PSN = Psns.MASK - 1;
    /** The bytes of headers that {@link ReadResponseLimit} counts for each packet. */
    private static final int HEADERS = 64;

    private final TestedResponder responder = new TestedResponder(FIRST_PSN);

    private void read(int psn, long length) {
        responder.read(psn, 0, length, responder.rkey());
    }

    private List<PacketView> takeSent() {
        return responder.device.wire.takeSent();
    }

    /** Posts a SEND to the peer. */
    private void postSend() {
        responder.pair.post(SendWorkRequest.create(0).opcode(WrOpcode.SEND));
    }

    /** The columns are the packets of a READ, those that other queue pairs send first in each turn, and the turns. */
    @ParameterizedTest
    @CsvSource(textBlock = """
            1,   0,  1
            31,  0,  31
            32,  0,  32
            33,  0,  32 1
            100, 0,  32 32 32 4
            40,  31, 32 8
            40,  32, 32 8
            40,  33, 31 9
            40,  60, 4 4 4 4 4 4 4 4 4 4
            3,   63, 1 1 1
            """)
    void aTurnIsLimitedForEachQueuePairAndForAllTogether(int packets, int others, String turns) {
        read(0, (long) packets * MTU);
        StringBuilder sent = new StringBuilder();
        boolean more = true;
        while (more) {
            more = responder.takeTurn(false, others);
            sent.append(sent.isEmpty() ? "" : " ").append(takeSent().size());
        }
        assertEquals(turns, sent.toString());
    }

    @Test
    void nothingIsSentInATurnThatOthersHaveUsedUp() {
        read(0, MTU);
        assertTrue(responder.takeTurn(false, 64));
        assertEquals("", responder.sent());
    }

    /**
     * L34: the MSN of a response is that of its message. The columns are the packets, w a WRITE, r a READ, a an atomic,
     * f the first packet of a WRITE, d a duplicate of the packet before, - a lost packet, with a dot where responses
     * are sent, and the MSNs of the responses.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            w,     1
            w.w,   1 2
            ww,    2
            r,     1 1
            rw,    1 1 2
            wr,    2 2 2
            rr,    1 1 2 2
            ar,    1 2 2
            a.w.a, 1 2 3
            w.d,   1 1
            ww.d,  2 2
            r.d,   1 1 1 1
            rw.d,  1 1 2 2
            w-w,   1
            f-w,   0
            """)
    void theMsnCountsTheMessagesThatWereExecuted(String scenario, String msns) {
        int psn = 0;
        char latest = '-';
        for (char step : scenario.toCharArray()) {
            if (step == '.') {
                responder.takeTurn();
                continue;
            }
            psn -= step == 'd' ? packets(latest) : 0;
            latest = step == 'd' ? latest : step;
            receive(latest, psn);
            psn += packets(latest);
        }
        responder.takeTurn();
        assertEquals(msns, takeSent().stream().filter(packet -> packet.opcode() != WireOpcode.READ_RESPONSE_MIDDLE)
                .map(PacketView::msn).map(String::valueOf).collect(Collectors.joining(" ")));
    }

    private static int packets(char step) {
        return step == 'r' ? 3 : 1;
    }

    private void receive(char step, int psn) {
        switch (step) {
            case 'w' -> responder.write(psn);
            case 'r' -> read(psn, READ_BYTES);
            case 'a' -> {
                responder.begin(WireOpcode.FETCH_ADD, psn, 0, true).atomicEth(responder.address(0), responder.rkey(), 1,
                        0);
                responder.deliver(0);
            }
            case 'f' -> {
                responder.begin(WireOpcode.WRITE_FIRST, psn, MTU, false).reth(responder.address(0), responder.rkey(),
                        READ_BYTES);
                responder.deliver('f');
            }
            default -> {
                // the packet is lost
            }
        }
    }

    /**
     * L21, L32, M26: the response to a READ is repeated from a packet on, if the range is part of the original one,
     * which had 522 bytes. The columns are the PSN, the offset, the length, whether the rkey is the same, the response
     * and its bytes.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            0, 0,   522, true,  first0 mid1 last2, 522
            1, 256, 266, true,  first1 last2,      266
            2, 512, 10,  true,  only2,             10
            0, 0,   256, true,  only0,             256
            0, 0,   512, true,  first0 last1,      512
            1, 256, 10,  true,  only1,             10
            0, 0,   0,   true,  only0,             0
            0, 0,   523, true,  '',                0
            1, 256, 267, true,  '',                0
            1, 0,   522, true,  '',                0
            1, 255, 266, true,  '',                0
            0, 256, 266, true,  '',                0
            2, 512, 266, true,  '',                0
            0, 0,   522, false, '',                0
            """)
    void aRepeatedReadMustBeWithinTheOriginalOne(int psn, int offset, int length, boolean sameKey, String response,
            int bytes) {
        read(0, READ_BYTES);
        responder.takeTurn();
        assertEquals("first0 mid1 last2", responder.sent());
        responder.read(psn, offset, length, sameKey ? responder.rkey() : ~responder.rkey());
        responder.takeTurn();
        List<PacketView> sent = takeSent();
        assertEquals(response, Responses.names(sent, FIRST_PSN));
        assertEquals(bytes, sent.stream().mapToInt(PacketView::payloadLength).sum());
        assertEquals(QpState.RTS, responder.pair.state());
    }

    /** A READ is repeated from its first missing packet while other packets of its response are still to be sent. */
    @ParameterizedTest
    @CsvSource({"0, 32 32 32 4", "10, 32 32 26", "99, 1"})
    void aResponseThatIsBeingSentStartsAgainAtThePacketThatIsRequested(int from, String turns) {
        read(0, 100 * MTU);
        responder.takeTurn();
        assertEquals(32, takeSent().size());
        responder.read(from, (long) from * MTU, (100L - from) * MTU, responder.rkey());
        StringBuilder sent = new StringBuilder();
        boolean more = true;
        while (more) {
            more = responder.takeTurn(false);
            List<PacketView> packets = takeSent();
            assertTrue(!sent.isEmpty() || Psns.difference(packets.getFirst().psn(), FIRST_PSN) == from);
            sent.append(sent.isEmpty() ? "" : " ").append(packets.size());
        }
        assertEquals(turns, sent.toString());
    }

    /**
     * F35, J5: the memory of a READ is deregistered before its response is sent. The columns are the packets of the
     * READ, the turns before, whether the READ is repeated then, the response, the state and the events.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            3,  0, false, acc0,  ERR, QP_ACCESS_ERR
            40, 1, false, acc32, ERR, QP_ACCESS_ERR
            40, 1, true,  acc0,  ERR, QP_ACCESS_ERR
            3,  1, true,  acc0,  RTS, ''
            """)
    void aReadOfMemoryThatIsGoneIsRefused(int packets, int turns, boolean repeated, String response, QpState state,
            String events) {
        read(0, (long) packets * MTU);
        for (int i = 0; i < turns; i++) {
            responder.takeTurn();
        }
        takeSent();
        responder.deregisterTarget();
        if (repeated) {
            read(0, (long) packets * MTU);
        }
        responder.takeTurn(false);
        assertEquals(response, responder.sent());
        assertEquals(state, responder.pair.state());
        assertEquals(events, responder.pair.events().stream().map(AsyncEventType::name)
                .collect(Collectors.joining(" ")));
        assertFalse(responder.takeTurn(false));
        assertEquals("", responder.sent());
    }

    /**
     * An ACK that is due leaves with requests to the peer if nothing precedes it. The columns are the requests from the
     * peer, w a WRITE, r a READ, whether another packet needs no system call, what leaves with a SEND, and what leaves
     * in the next turn.
     */
    @ParameterizedTest
    @CsvSource(textBlock = """
            w,   true,  ack0, ''
            ww,  true,  ack1, ''
            w,   false, '',   ack0
            r,   true,  '',   first0 mid1 last2
            wr,  true,  '',   first1 mid2 last3 ack0
            '',  true,  '',   ''
            """)
    void anAckLeavesWithARequestIfNoResponsePrecedesIt(String packets, boolean hasRoomInBatch, String withRequest,
            String inTurn) {
        int psn = 0;
        for (char packet : packets.toCharArray()) {
            if (packet == 'w') {
                responder.write(psn++);
            } else {
                read(psn, READ_BYTES);
                psn += 3;
            }
        }
        responder.device.wire.hasRoomInBatch(hasRoomInBatch);
        postSend();
        List<PacketView> sent = takeSent();
        assertEquals(WireOpcode.SEND_ONLY, sent.getFirst().opcode());
        assertEquals(withRequest, Responses.names(sent.subList(1, sent.size()), FIRST_PSN));
        responder.takeTurn(false);
        assertEquals(inTurn, responder.sent());
    }

    /** L35: an ACK is held while a thread polls and the peers alternate, and is sent in a turn that polls no more. */
    @Test
    void anAckIsHeldWhileAThreadPolls() {
        responder.device.wire.hasRoomInBatch(true);
        responder.takeTurn(true);
        for (int i = 0; i < AckCoalescer.MIN_ALTERNATIONS; i++) {
            responder.write(i);
            postSend();
            assertEquals("ack" + i, Responses.names(takeSent().subList(1, 2), FIRST_PSN));
            acknowledge(i);
        }
        responder.write(AckCoalescer.MIN_ALTERNATIONS);
        postSend();
        assertEquals(1, takeSent().size());
        assertTrue(responder.takeTurn(true));
        assertEquals("", responder.sent());
        assertFalse(responder.takeTurn(false));
        assertEquals("ack" + AckCoalescer.MIN_ALTERNATIONS, responder.sent());
    }

    /** Acknowledges the requests of the queue pair up to a PSN. */
    private void acknowledge(int psn) {
        responder.begin(WireOpcode.ACKNOWLEDGE, psn - FIRST_PSN, 0, false).aeth(Aeth.ACK, 0);
        responder.deliver(0);
        assertEquals("0", responder.pair.sendCompletions());
    }

    /** L32: before any packet was accepted, the PSN before the first one is acknowledged. */
    @Test
    void aDuplicateBeforeTheFirstPacketIsAcknowledged() {
        responder.write(-1);
        responder.takeTurn();
        assertEquals("ack-1", responder.sent());
    }

    @Test
    void resetDiscardsWhatIsDue() {
        responder.write(0);
        read(1, READ_BYTES);
        responder.write(9);
        responder.pair.reset();
        assertFalse(responder.takeTurn(false));
        responder.pair.connect(BareDevice.PEER, 9, 0, FIRST_PSN);
        assertFalse(responder.takeTurn(false));
        assertEquals("", responder.sent());
    }

    /** The rest of the responses to a peer that sends no more requests is sent slowly, when a timer expires. */
    @Test
    void responsesBeyondTheLimitWaitForATimer() {
        int each = MTU + HEADERS;
        int packets = ReadResponseLimit.MIN_LIMIT / each;
        read(0, (long) packets * MTU);
        read(packets, MTU * 1000);
        assertEquals(packets, sendAll());

        int calls = responder.device.wire.scheduleCalls();
        assertEquals(0, sendAll());
        responder.device.timers.advance(TimeUnit.SECONDS.toNanos(10));
        assertEquals(calls + 1, responder.device.wire.scheduleCalls());
        assertEquals(ReadResponseLimit.PORTION / each + 1, sendAll());
    }

    @Test
    void anErrorWhileANakIsSentDoesNotLoseTheBuffer() {
        responder.device.wire.failSendAfter(0, new AssertionError("thrown by the test"));
        responder.write(1);
        assertEquals("", responder.sent());
        assertEquals(QpState.ERR, responder.pair.state());
    }

    @Test
    void anErrorWhileAnAckIsSentWithARequestDoesNotLoseTheBuffer() {
        responder.write(0);
        responder.device.wire.hasRoomInBatch(true);
        responder.device.wire.failSendAfter(1, new AssertionError("thrown by the test"));
        responder.pair.qp.post(SendWorkRequest.create(0).opcode(WrOpcode.SEND));
        assertEquals(1, takeSent().size());
        assertEquals(QpState.ERR, responder.pair.state());
    }

    /** Takes turns until nothing more may be sent; returns the number of packets. */
    private int sendAll() {
        int sent = 0;
        boolean more = true;
        while (more) {
            more = responder.takeTurn(false);
            sent += takeSent().size();
        }
        return sent;
    }
}
