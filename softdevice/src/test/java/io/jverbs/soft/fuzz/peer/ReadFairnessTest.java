package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.wire.WireOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Checks that the number of READ response packets sent between two receives is bounded, and that all queue pairs share
 * it equally.
 */
final class ReadFairnessTest {
    private static final int FIRST = ScriptedPeer.PSN;
    private static final int COUNT = 10;
    private static final int PACKETS = 1000;
    /** The maximum number of response packets of a turn. */
    private static final int TURN = 64;
    private static final int BURST = 32;

    private final ScriptedPeer peer = new ScriptedPeer(QpType.RC, 1);

    @AfterEach
    void close() {
        peer.close();
    }

    @Test
    void aTurnSendsALimitedNumberOfPacketsAndServesAllQueuePairsEqually() {
        MemoryRegion memory = peer.memory(PACKETS * ScriptedPeer.MTU, Access.LOCAL_WRITE | Access.REMOTE_READ);
        List<QueuePair> all = new ArrayList<>();
        for (int i = 0; i < COUNT; i++) {
            all.add(peer.connect(QpType.RC, 1, FIRST, 1000 + i));
        }
        for (QueuePair qp : all) {
            int before = peer.sent().size();
            assertTrue(before <= TURN, () -> before + " packets were sent in a turn");
            peer.packetWithAck(qp, WireOpcode.READ_REQUEST, FIRST, 0).reth(memory.address(), memory.rkey(),
                    PACKETS * ScriptedPeer.MTU);
            peer.deliver(FuzzedDevice.PEER);
        }
        peer.sent();
        for (int turn = 0; turn < COUNT; turn++) {
            peer.pollOnce();
            assertEquals(TURN, peer.sent().size());
        }
        peer.lastPsns().clear();
        for (int turn = 0; turn < COUNT * BURST / TURN; turn++) {
            peer.pollOnce();
        }
        assertEquals(COUNT, peer.lastPsns().size(), "number of queue pairs that sent packets");
    }
}
