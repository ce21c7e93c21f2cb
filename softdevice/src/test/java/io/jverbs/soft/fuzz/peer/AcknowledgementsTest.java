package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendWorkRequest;
import io.jverbs.WrOpcode;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A pending ACK is sent exactly once: together with requests to the same peer if that needs no additional system call,
 * otherwise in the engine's next turn.
 */
final class AcknowledgementsTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 8;
    /** The number of packets of a READ response that takes more than one turn. */
    private static final int PACKETS = 96;
    private static final ScriptedPeer.Sent REQUEST = new ScriptedPeer.Sent(WireOpcode.RC | WireOpcode.WRITE_ONLY, PSN,
            0);

    private ScriptedPeer peer;
    private MemoryRegion memory;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 1);
        memory = peer.memory((long) PACKETS * ScriptedPeer.MTU,
                Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private static ScriptedPeer.Sent acknowledgement(int psn) {
        return new ScriptedPeer.Sent(WireOpcode.ACKNOWLEDGE, psn, Aeth.ack(0));
    }

    /** Delivers a WRITE that requests an acknowledgement. The ACK is pending afterwards and not sent. */
    private void receive(int psn) {
        peer.packetWithAck(WireOpcode.RC | WireOpcode.WRITE_ONLY, psn, BYTES).reth(memory.address(), memory.rkey(),
                BYTES);
        peer.deliver(FuzzedDevice.PEER);
    }

    private void post() {
        peer.qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(0).sge(memory, 0, BYTES)
                .remote(memory.address(), memory.rkey()));
    }

    private List<ScriptedPeer.Sent> sentUntilIdle() {
        peer.pollUntilIdle();
        return peer.sent();
    }

    @Test
    void aPendingAckIsSentOnceWithARequest() {
        peer.batchSends();
        receive(PSN);
        assertEquals(List.of(), peer.sent());

        post();
        assertEquals(List.of(REQUEST, acknowledgement(PSN)), peer.sent());
        assertEquals(List.of(), sentUntilIdle());
    }

    @Test
    void anAckThatNeedsItsOwnSystemCallIsSentInTheNextTurn() {
        receive(PSN);

        post();
        assertEquals(List.of(REQUEST), peer.sent());
        assertEquals(List.of(acknowledgement(PSN)), sentUntilIdle());
    }

    @Test
    void noAckIsSentWithARequestIfNoneIsPending() {
        peer.batchSends();

        post();
        assertEquals(List.of(REQUEST), peer.sent());
        assertEquals(List.of(), sentUntilIdle());
    }

    @Test
    void anAckDoesNotOvertakeTheReadResponseOfAnEarlierRequest() {
        peer.batchSends();
        peer.packet(WireOpcode.READ_REQUEST, PSN, ScriptedPeer.PKEY, 0).reth(memory.address(), memory.rkey(),
                PACKETS * ScriptedPeer.MTU);
        peer.deliver(FuzzedDevice.PEER);
        receive(PSN + PACKETS);
        peer.sent();

        post();
        assertEquals(List.of(REQUEST), peer.sent());
        List<ScriptedPeer.Sent> remaining = sentUntilIdle();
        assertEquals(acknowledgement(PSN + PACKETS), remaining.getLast());
        assertEquals(WireOpcode.READ_RESPONSE_LAST, remaining.get(remaining.size() - 2).opcode());
    }

    @Test
    void aPendingAckIsSentBeforeModifyToErrAndNotAgain() {
        peer.batchSends();
        receive(PSN);
        peer.qp.modify(QpAttributes.builder().state(QpState.ERR).build());
        assertEquals(List.of(acknowledgement(PSN)), peer.sent());

        post();
        assertEquals(List.of(), sentUntilIdle());
    }

    @Test
    void aPendingAckIsSentBeforeTheQueuePairIsDestroyed() {
        receive(PSN);
        peer.qp.close();
        assertEquals(List.of(acknowledgement(PSN)), peer.sent());
    }

    @Test
    void aPendingAckIsSentAfterTheQueuePairFailed() {
        receive(PSN);
        peer.qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(0)
                .sge(0, memory.address(), BYTES, ~memory.lkey()).remote(memory.address(), memory.rkey()));
        assertEquals(QpState.ERR, peer.qp.query().state());
        assertEquals(List.of(acknowledgement(PSN)), sentUntilIdle());
    }
}
