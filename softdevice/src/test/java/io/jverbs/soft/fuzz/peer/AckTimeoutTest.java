package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Catalogue F30: a response that is queued at the socket and was not read yet prevents an ACK timeout. */
final class AckTimeoutTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int BYTES = 8;
    private static final ScriptedPeer.Sent REQUEST = new ScriptedPeer.Sent(WireOpcode.RC | WireOpcode.WRITE_ONLY, PSN,
            0);

    private final WorkCompletions completions = WorkCompletions.create(2);
    private ScriptedPeer peer;
    private MemoryRegion memory;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 1);
        memory = peer.memory(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void post() {
        peer.qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED)
                .sge(memory, 0, BYTES).remote(memory.address(), memory.rkey()));
    }

    @Test
    void anAckQueuedAtTheSocketIsProcessedBeforeTheTimeoutRetransmits() {
        post();
        peer.beginAck(peer.qp, PSN, Aeth.ACK);
        peer.queueAtSocket();

        peer.advance(2 * ScriptedPeer.TIMEOUT_NANOS);
        assertEquals(List.of(REQUEST), peer.sent());
        assertEquals(0, peer.counted(Counter.ACK_TIMEOUT));
        assertEquals(1, peer.cq.poll(completions));
        assertTrue(completions.isSuccess(0));
    }

    @Test
    void anUnexpectedAckQueuedAtTheSocketDoesNotPreventTheTimeout() {
        post();
        peer.beginAck(peer.qp, PSN - 1, Aeth.ACK);
        peer.queueAtSocket();

        peer.advance(ScriptedPeer.TIMEOUT_NANOS);
        assertEquals(List.of(REQUEST, REQUEST), peer.sent());
        assertEquals(1, peer.counted(Counter.ACK_TIMEOUT));
        assertEquals(1, peer.counted(Counter.UNEXPECTED_RESPONSE));
    }

    @Test
    void anAckQueuedAtTheSocketPreventsRetryExceeded() {
        post();
        // exhausts the retries; the timeout grows up to four times its initial value
        peer.advance((1 + 2 + 4 * (ScriptedPeer.RETRIES - 2)) * ScriptedPeer.TIMEOUT_NANOS);
        assertEquals(Collections.nCopies(1 + ScriptedPeer.RETRIES, REQUEST), peer.sent());
        peer.beginAck(peer.qp, PSN, Aeth.ACK);
        peer.queueAtSocket();

        peer.advance(8 * ScriptedPeer.TIMEOUT_NANOS);
        assertEquals(1, peer.cq.poll(completions));
        assertTrue(completions.isSuccess(0));
        assertEquals(QpState.RTS, peer.qp.state());
    }
}
