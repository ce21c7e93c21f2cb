package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.wire.Aeth;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many packets of a long message leave when an acknowledgement makes room for them. */
final class GroupsTest {
    private static final int MTU = 256;
    private static final int PACKETS = 2000;
    private static final int GROUP = 16;

    private final ScriptedPeer peer = new ScriptedPeer(QpType.RC, 1);
    private final MemoryRegion memory = peer.memory(PACKETS * MTU, Access.LOCAL_WRITE);
    private int acknowledged = ScriptedPeer.PSN - 1;
    private int sent = ScriptedPeer.PSN - 1;

    @AfterEach
    void close() {
        peer.close();
    }

    private void begin() {
        peer.qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).sge(memory, 0, PACKETS * MTU)
                .remote(4096, 77));
        sent += peer.sent().size();
    }

    /** So many packets are acknowledged; so many leave. */
    private int leaveFor(int packets) {
        acknowledged += packets;
        peer.answer(peer.qp, acknowledged, Aeth.ACK);
        List<ScriptedPeer.Sent> left = peer.sent();
        sent += left.size();
        return left.size();
    }

    /** L24: the last of them asks for an acknowledgement, so that few at a time would be as many acknowledgements. */
    @Test
    void fewWaitForMoreWhileAnAcknowledgementIsUnderWay() {
        begin();
        while (sent - acknowledged < 2 * GROUP) {
            leaveFor(sent - acknowledged);
        }

        int waiting = 0;
        for (; waiting < GROUP - 1; waiting++) {
            assertEquals(0, leaveFor(1), "after " + waiting);
        }
        int left = leaveFor(1);
        assertTrue(left >= GROUP, left + " have left");
    }

    @Test
    void allLeavesWhenNothingIsUnderWay() {
        begin();
        while (sent < ScriptedPeer.PSN + PACKETS - 1) {
            assertTrue(leaveFor(sent - acknowledged) > 0, "nothing has left behind " + sent);
        }

        assertEquals(0, leaveFor(sent - acknowledged));
        assertEquals(ScriptedPeer.PSN + PACKETS - 1, sent);
    }
}
