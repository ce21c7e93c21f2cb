package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.wire.Aeth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections to one peer share a path window. A connection that finds the window full queues in FIFO order, and leaves
 * the queue if it has nothing left to send. Otherwise the connections after it would wait forever.
 */
final class PathWindowQueueTest {
    /** The initial congestion window of a connection in packets. */
    private static final int WINDOW = 16;
    /**
     * The number of other connections. When all have a full congestion window in flight, the path window has room for
     * one connection more, but not after it is halved.
     */
    private static final int OTHERS = 6;
    private static final int FIRST = ScriptedPeer.PSN;
    private static final int LAST = FIRST + WINDOW - 1;
    /** The difference between the first PSNs of two connections. */
    private static final int PSN_DISTANCE = 1000;
    private static final int LAST_IN_QUEUE = FIRST + (OTHERS + 1) * PSN_DISTANCE;

    private ScriptedPeer peer;
    private MemoryRegion memory;
    private final List<QueuePair> others = new ArrayList<>();
    private QueuePair lastInQueue;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 1);
        memory = peer.memory((long) WINDOW * ScriptedPeer.MTU, Access.LOCAL_WRITE);
        for (int i = 1; i <= OTHERS; i++) {
            others.add(peer.connect(QpType.RC, 1, FIRST + i * PSN_DISTANCE));
        }
        lastInQueue = peer.connect(QpType.RC, 1, LAST_IN_QUEUE);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    /** Posts a SEND of a number of packets. */
    private void post(QueuePair qp, int packets) {
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(0).sge(memory, 0,
                packets * ScriptedPeer.MTU));
    }

    private List<Integer> sent() {
        return peer.sent().stream().map(ScriptedPeer.Sent::psn).toList();
    }

    /**
     * Fills the path window with packets of the other connections. A loss halves the window, so that the connection
     * that lost packets queues to retransmit them, and another connection queues after it.
     */
    private void fillWindowAndQueue() {
        others.forEach(qp -> post(qp, WINDOW));
        assertEquals((OTHERS + 1) * WINDOW, sent().size(), "packets sent before the loss");
        peer.acknowledge(peer.qp, FIRST, Aeth.NAK_PSN_SEQUENCE_ERROR);
        assertEquals(List.of(), sent(), "packets retransmitted though the window is full");
        post(lastInQueue, 1);
        assertEquals(List.of(), sent(), "packets sent by the connection that queues last");
    }

    private void acknowledgeOthers() {
        for (int i = 1; i <= OTHERS; i++) {
            peer.acknowledge(others.get(i - 1), LAST + i * PSN_DISTANCE, Aeth.ACK);
        }
    }

    @Test
    void queuedConnectionsSendInOrderWhenTheWindowOpens() {
        post(peer.qp, WINDOW);
        fillWindowAndQueue();

        acknowledgeOthers();
        List<Integer> sent = sent();
        assertEquals(FIRST, sent.getFirst());
        assertEquals(1, sent.stream().filter(psn -> psn == LAST_IN_QUEUE).count());
    }

    @Test
    void aConnectionWhoseLostPacketsAreAcknowledgedLeavesTheQueue() {
        post(peer.qp, WINDOW);
        fillWindowAndQueue();
        peer.acknowledge(peer.qp, LAST, Aeth.ACK);

        acknowledgeOthers();
        assertEquals(List.of(LAST_IN_QUEUE), sent());
    }

    @Test
    void aConnectionInSqdWithNothingToSendLeavesTheQueue() {
        post(peer.qp, WINDOW);
        // in SQD, a request that has not started waits until the queue pair returns to RTS
        post(peer.qp, 1);
        peer.qp.modify(QpAttributes.builder().state(QpState.SQD).build());
        fillWindowAndQueue();
        peer.acknowledge(peer.qp, LAST, Aeth.ACK);

        acknowledgeOthers();
        assertEquals(List.of(LAST_IN_QUEUE), sent());
        peer.qp.modify(QpAttributes.builder().state(QpState.RTS).build());
        assertEquals(List.of(LAST + 1), sent());
    }
}
