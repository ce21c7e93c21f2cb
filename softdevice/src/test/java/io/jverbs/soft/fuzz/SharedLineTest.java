package io.jverbs.soft.fuzz;

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
 * Connections to one peer share what its socket buffer holds, and who finds no room waits in line: who has nothing to send any
 * more must not stand there, as all behind wait until the first has sent.
 */
final class SharedLineTest {
    /** The packets that a connection has under way at first. */
    private static final int WINDOW = 16;
    /** With so many connections' packets under way there is room for one more such, but not when half the room is taken away. */
    private static final int OTHERS = 6;
    private static final int FIRST = ScriptedPeer.PSN;
    private static final int LAST = FIRST + WINDOW - 1;
    /** From a connection's first PSN to that of the next. */
    private static final int APART = 1000;
    private static final int BEHIND = FIRST + (OTHERS + 1) * APART;

    private ScriptedPeer peer;
    private MemoryRegion memory;
    private final List<QueuePair> others = new ArrayList<>();
    private QueuePair behind;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 1);
        memory = peer.memory((long) WINDOW * ScriptedPeer.MTU, Access.LOCAL_WRITE);
        for (int i = 1; i <= OTHERS; i++) {
            others.add(peer.connect(QpType.RC, 1, FIRST + i * APART));
        }
        behind = peer.connect(QpType.RC, 1, BEHIND);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    /** Posts a SEND of so many packets. */
    private void post(QueuePair qp, int packets) {
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(0).sge(memory, 0,
                packets * ScriptedPeer.MTU));
    }

    private List<Integer> sent() {
        return peer.sent().stream().map(ScriptedPeer.Sent::psn).toList();
    }

    /** The others' packets fill what room there is after a loss, so that the one that lost its packets waits to send them again. */
    private void stopInLine() {
        others.forEach(qp -> post(qp, WINDOW));
        assertEquals((OTHERS + 1) * WINDOW, sent().size(), "all that was posted is under way");
        peer.answer(peer.qp, FIRST, Aeth.NAK_SEQUENCE);
        assertEquals(List.of(), sent(), "there is no room to send it again");
        post(behind, 1);
        assertEquals(List.of(), sent(), "there is no room for who comes later");
    }

    private void makeRoom() {
        for (int i = 1; i <= OTHERS; i++) {
            peer.answer(others.get(i - 1), LAST + i * APART, Aeth.ACK);
        }
    }

    @Test
    void whoSendsAgainAndWhoCameLaterSendWhenThereIsRoom() {
        post(peer.qp, WINDOW);
        stopInLine();

        makeRoom();
        List<Integer> sent = sent();
        assertEquals(FIRST, sent.getFirst());
        assertEquals(1, sent.stream().filter(psn -> psn == BEHIND).count());
    }

    @Test
    void whoseLostPacketsHaveComeAfterAllLetsThoseBehindItSend() {
        post(peer.qp, WINDOW);
        stopInLine();
        peer.answer(peer.qp, LAST, Aeth.ACK);

        makeRoom();
        assertEquals(List.of(BEHIND), sent());
    }

    @Test
    void whoMaySendNoMoreLetsThoseBehindItSend() {
        post(peer.qp, WINDOW);
        // what has not begun when the queue is drained waits until it may send again
        post(peer.qp, 1);
        peer.qp.modify(QpAttributes.builder().state(QpState.SQD).build());
        stopInLine();
        peer.answer(peer.qp, LAST, Aeth.ACK);

        makeRoom();
        assertEquals(List.of(BEHIND), sent());
        peer.qp.modify(QpAttributes.builder().state(QpState.RTS).build());
        assertEquals(List.of(LAST + 1), sent());
    }
}
