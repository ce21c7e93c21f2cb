package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue F8, F12, L31 and L32: the responses to READs that are long, numerous or repeated, or whose memory is
 * deregistered.
 */
final class ReadResponsesTest {
    private static final int BURST = 32;
    /** The number of packets of a long READ response, and its length in bytes. */
    private static final int PACKETS = 96;
    private static final int BYTES = PACKETS * ScriptedPeer.MTU;
    private static final int FIRST = ScriptedPeer.PSN;
    /** Longer than any pause between response packets. */
    private static final long PAUSE_NANOS = 10_000_000;

    private ScriptedPeer peer;
    private MemoryRegion memory;

    private void connect(int reads) {
        peer = new ScriptedPeer(QpType.RC, reads);
        memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void read(int psn, long offset, int bytes) {
        peer.packet(WireOpcode.READ_REQUEST, psn, ScriptedPeer.PKEY, 0).reth(memory.address() + offset, memory.rkey(),
                bytes);
        peer.deliver(FuzzedDevice.PEER);
    }

    /** Returns what the device sends until it has nothing left to send, including what it sends after a pause. */
    private List<ScriptedPeer.Sent> sentIncludingPaused() {
        List<ScriptedPeer.Sent> all = new ArrayList<>();
        int before = -1;
        while (all.size() != before) {
            before = all.size();
            all.addAll(sentUntilIdle());
            peer.advance(PAUSE_NANOS);
            all.addAll(sentUntilIdle());
        }
        return all;
    }

    private List<ScriptedPeer.Sent> sentUntilIdle() {
        peer.pollUntilIdle();
        return peer.sent();
    }

    private static List<Integer> psns(List<ScriptedPeer.Sent> packets) {
        return packets.stream().map(ScriptedPeer.Sent::psn).toList();
    }

    private static List<Integer> range(int from, int to) {
        List<Integer> all = new ArrayList<>();
        for (int psn = from; psn < to; psn++) {
            all.add(psn);
        }
        return all;
    }

    private static ScriptedPeer.Sent nak(int psn, int syndrome) {
        return new ScriptedPeer.Sent(WireOpcode.ACKNOWLEDGE, psn, syndrome);
    }

    @Test
    void aLongResponseIsSentInBurstsAndALaterNakFollowsItsLastPacket() {
        connect(1);
        read(FIRST, 0, BYTES);
        // leaves a gap of three PSNs
        peer.packet(WireOpcode.RC | WireOpcode.SEND_ONLY, FIRST + PACKETS + 3, ScriptedPeer.PKEY, 0);
        peer.deliver(FuzzedDevice.PEER);
        assertEquals(range(FIRST, FIRST + BURST), psns(peer.sent()));
        peer.pollOnce();
        List<ScriptedPeer.Sent> remaining = new ArrayList<>(peer.sent());
        assertEquals(range(FIRST + BURST, FIRST + 2 * BURST), psns(remaining));
        remaining.addAll(sentUntilIdle());
        assertEquals(nak(FIRST + PACKETS, Aeth.NAK_PSN_SEQUENCE_ERROR), remaining.removeLast());
        assertEquals(range(FIRST + BURST, FIRST + PACKETS), psns(remaining));
    }

    /** Catalogue F8, F9: no more READs are outstanding than max_dest_rd_atomic of the queue pair permits. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3, 128})
    void aReadBeyondMaxDestRdAtomicIsDroppedAndGetsASequenceNakAfterTheOtherResponses(int allowed) {
        connect(allowed);
        List<ScriptedPeer.Sent> responses = new ArrayList<>();
        int beyond = FIRST - PACKETS;
        // a response takes three turns, and each READ adds one turn
        while (peer.counted(Counter.TOO_MANY_RD_ATOMIC) == 0) {
            beyond += PACKETS;
            read(beyond, 0, BYTES);
            responses.addAll(peer.sent());
        }
        assertEquals(allowed, (beyond - FIRST) / PACKETS - responses.size() / PACKETS);
        assertEquals(QpState.RTS, peer.qp.state());
        responses.addAll(sentIncludingPaused());
        assertEquals(nak(beyond, Aeth.NAK_PSN_SEQUENCE_ERROR), responses.removeLast());
        assertEquals(range(FIRST, beyond), psns(responses));

        read(beyond, 0, BYTES);
        assertEquals(range(beyond, beyond + PACKETS), psns(sentIncludingPaused()));
        assertEquals(1, peer.counted(Counter.TOO_MANY_RD_ATOMIC));
    }

    /**
     * A requester may send another READ when it has received the first response. A network that duplicates the first
     * request does not change that.
     */
    @Test
    void aRepeatedReadDoesNotCountAgainAsOutstanding() {
        connect(2);
        read(FIRST, 0, BYTES);
        read(FIRST + PACKETS, 0, BYTES);
        sentUntilIdle();
        read(FIRST, 0, BYTES);
        read(FIRST + PACKETS, 0, BYTES);
        read(FIRST + 2 * PACKETS, 0, BYTES);
        read(FIRST + 3 * PACKETS, 0, BYTES);
        assertEquals(range(FIRST, FIRST + 4 * PACKETS), psns(sentUntilIdle()));
        assertEquals(0, peer.counted(Counter.TOO_MANY_RD_ATOMIC));
    }

    /** The peer cannot use the responses to later READs before it has the response to the repeated one. */
    @Test
    void theResponseToARepeatedReadPrecedesThoseToLaterReads() {
        connect(4);
        read(FIRST, 0, BYTES);
        sentUntilIdle();
        read(FIRST + PACKETS, 0, BYTES);
        read(FIRST + 2 * PACKETS, 0, BYTES);
        read(FIRST + 90, 90L * ScriptedPeer.MTU, 6 * ScriptedPeer.MTU);
        read(FIRST + PACKETS, 0, BYTES);
        List<Integer> sent = psns(sentUntilIdle());
        int earlier = 2 * BURST;
        assertEquals(range(FIRST + PACKETS, FIRST + PACKETS + earlier), sent.subList(0, earlier));
        assertEquals(range(FIRST + 90, FIRST + PACKETS), sent.subList(earlier, earlier + PACKETS - 90));
        // the last repetition arrived a turn later
        assertEquals(range(FIRST + PACKETS, FIRST + 3 * PACKETS), sent.subList(sent.size() - 2 * PACKETS, sent.size()));
    }

    @Test
    void theResponseToARepeatedReadStartsAtTheRequestedPsn() {
        connect(1);
        read(FIRST, 0, BYTES);
        sentUntilIdle();

        read(FIRST + 10, 10L * ScriptedPeer.MTU, BYTES - 10 * ScriptedPeer.MTU);
        assertEquals(range(FIRST + 10, FIRST + PACKETS), psns(sentUntilIdle()));
        assertEquals(1, peer.counted(Counter.DUPLICATE_REQUEST));
    }

    @Test
    void aReadRepeatedDuringItsResponseRestartsTheResponseOnceFromTheRequestedPsn() {
        connect(1);
        read(FIRST, 0, BYTES);
        peer.pollOnce();
        peer.sent();

        read(FIRST + 10, 10L * ScriptedPeer.MTU, BYTES - 10 * ScriptedPeer.MTU);
        assertEquals(range(FIRST + BURST, FIRST + 2 * BURST), psns(peer.sent()));
        assertEquals(range(FIRST + 10, FIRST + PACKETS), psns(sentUntilIdle()));
    }

    @Test
    void aReadRepeatedAfterDeregistrationGetsAnAccessNakAndTheQueuePairStaysInRts() {
        connect(1);
        read(FIRST, 0, BYTES);
        sentUntilIdle();
        memory.close();

        read(FIRST + 10, 10L * ScriptedPeer.MTU, BYTES - 10 * ScriptedPeer.MTU);
        assertEquals(List.of(nak(FIRST + 10, Aeth.NAK_REMOTE_ACCESS_ERROR)), sentUntilIdle());
        assertEquals(QpState.RTS, peer.qp.state());
    }

    @Test
    void deregistrationDuringAResponseGetsAnAccessNakAtThatPsnAndMovesTheQueuePairToErr() {
        connect(1);
        read(FIRST, 0, BYTES);
        peer.pollOnce();
        assertEquals(BURST, peer.sent().size());
        memory.close();

        assertEquals(List.of(nak(FIRST + BURST, Aeth.NAK_REMOTE_ACCESS_ERROR)), sentUntilIdle());
        assertEquals(QpState.ERR, peer.qp.state());
    }
}
