package io.jverbs.soft.fuzz.peer;

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

/** Checks how many packets of a long message are sent when an ACK opens the congestion window. */
final class SendBurstTest {
    private static final int MTU = 256;
    private static final int PACKETS = 2000;
    private static final int BURST = 16;

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

    /** Acknowledges a number of packets; returns how many packets are sent in response. */
    private int sentAfterAck(int packets) {
        acknowledged += packets;
        peer.acknowledge(peer.qp, acknowledged, Aeth.ACK);
        List<ScriptedPeer.Sent> burst = peer.sent();
        sent += burst.size();
        return burst.size();
    }

    /** Catalogue L24: the last packet of a burst requests an ACK, so short bursts would cost an ACK each. */
    @Test
    void aBurstIsHeldUntilTheWindowHasRoomForAFullOneWhilePacketsAreInFlight() {
        begin();
        while (sent - acknowledged < 2 * BURST) {
            sentAfterAck(sent - acknowledged);
        }

        int held = 0;
        for (; held < BURST - 1; held++) {
            assertEquals(0, sentAfterAck(1), "packets sent when " + held + " are held");
        }
        int burst = sentAfterAck(1);
        assertTrue(burst >= BURST, burst + " packets were sent");
    }

    @Test
    void allPacketsAreSentWhenNoneIsInFlight() {
        begin();
        while (sent < ScriptedPeer.PSN + PACKETS - 1) {
            assertTrue(sentAfterAck(sent - acknowledged) > 0, "no packet was sent after PSN " + sent);
        }

        assertEquals(0, sentAfterAck(sent - acknowledged));
        assertEquals(ScriptedPeer.PSN + PACKETS - 1, sent);
    }
}
