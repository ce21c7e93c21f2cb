package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Catalogue L33: an ACK or NAK whose PSN lies within a READ does not replace the READ response. It acknowledges earlier
 * requests, and the requester repeats the READ from the first missing packet.
 */
final class AcknowledgedReadTest {
    private static final int MTU = ScriptedPeer.MTU;
    /** The PSN of the WRITE, which is posted before the READ. */
    private static final int FIRST = ScriptedPeer.PSN;
    private static final int READ = FIRST + 1;
    private static final int PACKETS = 4;
    private static final byte VALUE = 0x5A;

    private final WorkCompletions completions = WorkCompletions.create(1);
    private ScriptedPeer peer;
    private MemoryRegion memory;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 2);
        memory = peer.memory(PACKETS * MTU, Access.LOCAL_WRITE);
        post(WrOpcode.RDMA_WRITE, MTU, 1);
        post(WrOpcode.RDMA_READ, PACKETS * MTU, 2);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void post(WrOpcode opcode, int bytes, long id) {
        peer.qp.postSend(
                SendWorkRequest.create(1).wrId(id).opcode(opcode).flags(SendFlags.SIGNALED).sge(memory, 0, bytes)
                        .remote(1 << 20, 1));
    }

    private void respond(int from) {
        for (int i = from; i < PACKETS; i++) {
            int opcode = i == 0
                    ? WireOpcode.READ_RESPONSE_FIRST
                    : i == PACKETS - 1 ? WireOpcode.READ_RESPONSE_LAST : WireOpcode.READ_RESPONSE_MIDDLE;
            peer.respond(peer.qp, opcode, READ + i, MTU, VALUE);
        }
    }

    private void assertCompletes(long id, WcStatus status) {
        assertEquals(1, peer.cq.poll(completions));
        assertEquals(id, completions.wrId(0));
        assertEquals(status, completions.status(0));
    }

    @ParameterizedTest(name = "ACK of response packet {0} after {1} response packets")
    @CsvSource({"0, 0", "1, 0", "2, 0", "3, 0", "1, 1", "2, 1", "3, 1", "3, 3"})
    void anAckWithinAReadCompletesEarlierRequestsAndRepeatsTheReadOnce(int offset, int arrived) {
        for (int i = 0; i < arrived; i++) {
            peer.respond(peer.qp, i == 0 ? WireOpcode.READ_RESPONSE_FIRST : WireOpcode.READ_RESPONSE_MIDDLE, READ + i,
                    MTU, VALUE);
        }
        peer.reads();
        for (int i = 0; i < 3; i++) {
            peer.acknowledge(peer.qp, READ + offset, Aeth.ACK);
        }
        assertCompletes(1, WcStatus.SUCCESS);
        assertEquals(0, peer.cq.poll(completions), "completions before the READ response is complete");
        ScriptedPeer.Read repeated = peer.reads().getFirst();
        assertEquals(READ + arrived, repeated.psn(), "PSN of the repeated READ request");
        assertEquals(1, peer.counted(Counter.RETRANSMISSION), "retransmissions");

        respond(arrived);
        assertCompletes(2, WcStatus.SUCCESS);
        for (int i = 0; i < PACKETS * MTU; i++) {
            assertEquals(VALUE, memory.segment().get(ValueLayout.JAVA_BYTE, i));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aSequenceNakWithinAReadCompletesEarlierRequestsAndRepeatsTheRead(int offset) {
        peer.reads();
        peer.acknowledge(peer.qp, READ + offset, Aeth.NAK_PSN_SEQUENCE_ERROR);
        assertCompletes(1, WcStatus.SUCCESS);
        assertEquals(READ, peer.reads().getFirst().psn());
        respond(0);
        assertCompletes(2, WcStatus.SUCCESS);
    }

    /**
     * A peer whose memory is deregistered during a READ sends the NAK with the PSN at which it stopped. Response
     * packets before that PSN may be lost.
     */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void anAccessNakWithinAReadFailsTheRead(int offset) {
        peer.acknowledge(peer.qp, READ + offset, 0x62);
        assertCompletes(1, WcStatus.SUCCESS);
        assertCompletes(2, WcStatus.REM_ACCESS_ERR);
        assertEquals(0, peer.counted(Counter.RETRANSMISSION));
    }
}
