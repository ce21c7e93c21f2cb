package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Checks the READ requests that a requester sends. All connections together have no more response data outstanding than
 * the socket buffer of the device holds, and a long READ is split into several requests.
 */
final class ReadRequestsTest {
    private static final int MTU = ScriptedPeer.MTU;
    private static final int FIRST = ScriptedPeer.PSN;
    private static final long REMOTE = 1L << 40;
    private static final int RKEY = 4711;
    /** The maximum number of packets that one request asks for if max_rd_atomic is 1. */
    private static final int WHOLE = 64;
    /** The maximum number of packets that one request asks for if max_rd_atomic is greater. */
    private static final int PART = 32;
    /** The number of packets of this MTU that the socket buffer holds. */
    private static final int BUFFER = 168;
    private static final int PEER_QPN = 1000;

    private final WorkCompletions completions = WorkCompletions.create(16);
    private final Deque<ScriptedPeer.Read> outstanding = new ArrayDeque<>();
    private ScriptedPeer peer;
    private MemoryRegion memory;

    private void connect(int reads, int packets) {
        peer = new ScriptedPeer(QpType.RC, reads);
        memory = peer.memory((long) packets * MTU, Access.LOCAL_WRITE);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void post(QueuePair qp, int packets) {
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ).flags(SendFlags.SIGNALED)
                .sge(memory, 0, packets * MTU).remote(REMOTE, RKEY));
    }

    private static int packets(ScriptedPeer.Read read) {
        return (int) read.length() / MTU;
    }

    /** Returns the number of response packets that are outstanding. */
    private int requestedPackets() {
        outstanding.addAll(peer.reads());
        return outstanding.stream().mapToInt(ReadRequestsTest::packets).sum();
    }

    private static byte value(int psn) {
        return (byte) (psn * 7);
    }

    /** Sends some packets of the response to a request. */
    private void respond(QueuePair to, ScriptedPeer.Read read, int from, int until) {
        int last = packets(read) - 1;
        for (int i = from; i < until; i++) {
            int opcode = last == 0
                    ? WireOpcode.READ_RESPONSE_ONLY
                    : i == 0
                            ? WireOpcode.READ_RESPONSE_FIRST
                            : i == last ? WireOpcode.READ_RESPONSE_LAST : WireOpcode.READ_RESPONSE_MIDDLE;
            peer.respond(to, opcode, read.psn() + i, MTU, value(read.psn() + i));
        }
    }

    private void assertRead(int packets) {
        assertEquals(1, peer.cq.poll(completions));
        assertTrue(completions.isSuccess(0), completions::toString);
        for (int i = 0; i < packets * MTU; i++) {
            assertEquals(value(FIRST + i / MTU), memory.segment().get(ValueLayout.JAVA_BYTE, i));
        }
    }

    /** Catalogue L30: each request starts at the PSN after the last one of the previous request. */
    @ParameterizedTest(name = "max_rd_atomic {0}")
    @ValueSource(ints = {1, 2, 16})
    void aLongReadIsSplitIntoConsecutiveRequests(int reads) {
        int packets = 1000;
        connect(reads, packets);
        post(peer.qp, packets);
        int psn = FIRST;
        while (requestedPackets() > 0) {
            assertTrue(requestedPackets() <= BUFFER, () -> requestedPackets() + " response packets are outstanding");
            assertTrue(outstanding.size() <= reads, () -> outstanding.size() + " requests are outstanding");
            ScriptedPeer.Read read = outstanding.removeFirst();
            assertEquals(psn, read.psn());
            assertEquals(REMOTE + (long) (psn - FIRST) * MTU, read.address());
            assertTrue(packets(read) <= (reads == 1 ? WHOLE : PART));
            respond(peer.qp, read, 0, packets(read));
            psn += packets(read);
        }
        assertEquals(FIRST + packets, psn);
        assertRead(packets);
        assertEquals(0, peer.counted(Counter.RETRANSMISSION));
    }

    @ParameterizedTest
    @CsvSource({"1, 64", "2, 32", "16, 32", "16, 1"})
    void aShortReadIsOneRequest(int reads, int packets) {
        connect(reads, packets);
        post(peer.qp, packets);
        assertEquals(packets, requestedPackets());
        assertEquals(1, outstanding.size());
        respond(peer.qp, outstanding.getFirst(), 0, packets);
        assertRead(packets);
    }

    @Test
    void missingPacketsAreRequestedAgainUpToTheEndOfTheirRequest() {
        connect(16, 3 * PART);
        post(peer.qp, 3 * PART);
        requestedPackets();
        ScriptedPeer.Read first = outstanding.removeFirst();
        respond(peer.qp, first, 0, 10);
        respond(peer.qp, first, 11, 12);
        outstanding.clear();
        requestedPackets();
        assertEquals(new ScriptedPeer.Read(first.destinationQpn(), FIRST + 10, REMOTE + 10L * MTU,
                (long) (PART - 10) * MTU), outstanding.getFirst());
        while (requestedPackets() > 0) {
            ScriptedPeer.Read read = outstanding.removeFirst();
            respond(peer.qp, read, 0, packets(read));
        }
        assertRead(3 * PART);
    }

    /** Missing packets may be late instead of lost. */
    @Test
    void latePacketsThatWereRequestedAgainAreAccepted() {
        connect(16, 3 * PART);
        post(peer.qp, 3 * PART);
        requestedPackets();
        ScriptedPeer.Read first = outstanding.removeFirst();
        respond(peer.qp, first, 1, 2);
        respond(peer.qp, first, 0, PART);
        while (requestedPackets() > 0) {
            ScriptedPeer.Read read = outstanding.removeFirst();
            respond(peer.qp, read, 0, packets(read));
        }
        assertRead(3 * PART);
        assertEquals(1, peer.counted(Counter.RETRANSMISSION));
    }

    @Test
    void connectionsQueueFairlyForTheSharedReadWindow() {
        int count = 12;
        int packets = 3 * PART;
        connect(16, packets);
        List<QueuePair> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(peer.connect(QpType.RC, 16, FIRST, PEER_QPN + i));
        }
        all.forEach(qp -> post(qp, packets));
        assertEquals(BUFFER / PART * PART, requestedPackets());
        int[] responded = new int[count];
        int parts = 0;
        while (requestedPackets() > 0) {
            assertTrue(requestedPackets() <= BUFFER, () -> requestedPackets() + " response packets are outstanding");
            ScriptedPeer.Read read = outstanding.removeFirst();
            int index = read.destinationQpn() - PEER_QPN;
            respond(all.get(index), read, 0, packets(read));
            responded[index] += packets(read);
            parts++;
            if (parts == 2 * count) {
                for (int each : responded) {
                    assertTrue(each >= PART, "a connection received " + each + " packets of " + packets);
                }
            }
        }
        for (int each : responded) {
            assertEquals(packets, each);
        }
        assertEquals(count, peer.cq.poll(completions));
        assertEquals(0, peer.counted(Counter.UNEXPECTED_RESPONSE));
        assertEquals(0, peer.counted(Counter.RETRANSMISSION));
    }

    /** A peer that does not respond does not block the READs of other connections for long. */
    @Test
    void outstandingReadsAreAssumedLostAfterAWhile() {
        connect(1, WHOLE);
        post(peer.qp, WHOLE);
        QueuePair second = peer.connect(QpType.RC, 1, FIRST, PEER_QPN);
        QueuePair third = peer.connect(QpType.RC, 1, FIRST, PEER_QPN + 1);
        post(second, WHOLE);
        post(third, WHOLE);
        assertEquals(2 * WHOLE, requestedPackets());
        peer.advance(200_000_000);
        assertEquals(3 * WHOLE, requestedPackets());
    }

    @Test
    void aDestroyedQueuePairLeavesTheReadWindow() {
        connect(1, WHOLE);
        post(peer.qp, WHOLE);
        QueuePair second = peer.connect(QpType.RC, 1, FIRST, PEER_QPN);
        QueuePair third = peer.connect(QpType.RC, 1, FIRST, PEER_QPN + 1);
        post(second, WHOLE);
        post(third, WHOLE);
        assertEquals(2 * WHOLE, requestedPackets());
        second.close();
        assertEquals(3 * WHOLE, requestedPackets());
    }
}
