package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.MemoryRegion;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.WireOpcode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Catalogue L21, L32: a repeated READ request gets a response if it names, with the same key, a part of the memory that
 * the original READ named at that PSN. Any other duplicate is dropped, and the response that is being sent continues.
 */
final class RepeatedReadTest {
    private static final int MTU = ScriptedPeer.MTU;
    private static final int FIRST = ScriptedPeer.PSN;
    /** The number of packets of the response: more than are sent in two turns. */
    private static final int PACKETS = 80;
    private static final int BYTES = PACKETS * MTU - 100;
    /** The number of packets of this queue pair in a turn. */
    private static final int BURST = 32;
    /** The index of the packet from which the READ is repeated. */
    private static final int AGAIN = 10;
    private static final int REMAINDER = BYTES - AGAIN * MTU;

    private ScriptedPeer peer;
    private MemoryRegion memory;
    private MemoryRegion other;

    @BeforeEach
    void connect() {
        peer = new ScriptedPeer(QpType.RC, 4);
        memory = peer.memory(2 * BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
        other = peer.memory(2 * BYTES, Access.LOCAL_WRITE | Access.REMOTE_READ);
        read(FIRST, 0, memory.rkey(), BYTES);
    }

    @AfterEach
    void close() {
        peer.close();
    }

    private void read(int psn, long offset, int rkey, int bytes) {
        peer.packet(WireOpcode.READ_REQUEST, psn, ScriptedPeer.PKEY, 0).reth(memory.address() + offset, rkey, bytes);
        peer.deliver(FuzzedDevice.PEER);
    }

    private List<ScriptedPeer.Sent> sentUntilIdle() {
        peer.pollUntilIdle();
        return peer.sent();
    }

    private void assertOnlyTheOriginalResponseIsSent() {
        List<ScriptedPeer.Sent> sent = sentUntilIdle();
        assertEquals(PACKETS, sent.size());
        for (int i = 0; i < PACKETS; i++) {
            assertEquals(FIRST + i, sent.get(i).psn());
        }
        assertEquals(1, peer.counted(Counter.DUPLICATE_REQUEST));
        assertEquals(QpState.RTS, peer.qp.state());
    }

    @ParameterizedTest(name = "during the response: {0}, address offset {1}, length offset {2}")
    @CsvSource({"true, 1, 0", "true, -1, 0", "true, -256, 0", "true, 0, 1", "true, 0, 1000000", "true, 0, -2147483648",
        "false, 1, 0", "false, -1, 0", "false, -256, 0", "false, 0, 1", "false, 0, 1000000",
        "false, 0, -2147483648"})
    void aRepeatedReadOfOtherMemoryIsDropped(boolean duringResponse, int farther, int longer) {
        if (duringResponse) {
            peer.pollOnce();
        } else {
            peer.pollUntilIdle();
        }
        read(FIRST + AGAIN, (long) AGAIN * MTU + farther, memory.rkey(), REMAINDER + longer);
        assertOnlyTheOriginalResponseIsSent();
    }

    @ParameterizedTest(name = "during the response: {0}")
    @CsvSource({"true", "false"})
    void aRepeatedReadWithAnotherKeyIsDropped(boolean duringResponse) {
        if (duringResponse) {
            peer.pollOnce();
        } else {
            peer.pollUntilIdle();
        }
        read(FIRST + AGAIN, other.address() - memory.address() + (long) AGAIN * MTU, other.rkey(), REMAINDER);
        assertOnlyTheOriginalResponseIsSent();
    }

    @ParameterizedTest(name = "during the response: {0}")
    @CsvSource({"true", "false"})
    void anAtomicWithThePsnOfAReadIsDropped(boolean duringResponse) {
        if (duringResponse) {
            peer.pollOnce();
        } else {
            peer.pollUntilIdle();
        }
        peer.packet(WireOpcode.FETCH_ADD, FIRST + AGAIN, ScriptedPeer.PKEY, 0).atomicEth(memory.address(),
                memory.rkey(), 1, 0);
        peer.deliver(FuzzedDevice.PEER);
        assertOnlyTheOriginalResponseIsSent();
    }

    @ParameterizedTest(name = "{0} bytes")
    @CsvSource({"0, 1", "1, 1", "256, 1", "257, 2", "2560, 10", "17820, 70"})
    void aReadRepeatedInPartGetsAResponseOfTheRequestedLength(int bytes, int packets) {
        sentUntilIdle();
        long before = peer.sentBytes();
        read(FIRST + AGAIN, (long) AGAIN * MTU, memory.rkey(), bytes);
        List<ScriptedPeer.Sent> sent = sentUntilIdle();
        assertEquals(packets, sent.size());
        assertEquals(FIRST + AGAIN, sent.getFirst().psn());
        assertEquals(packets == 1 ? WireOpcode.READ_RESPONSE_ONLY : WireOpcode.READ_RESPONSE_FIRST,
                sent.getFirst().opcode());
        assertEquals(packets == 1 ? WireOpcode.READ_RESPONSE_ONLY : WireOpcode.READ_RESPONSE_LAST,
                sent.getLast().opcode());
        int padded = (bytes + 3) / 4 * 4;
        // BTH and ICRC in each packet, AETH in the first and in the last one
        assertEquals(padded + packets * (12 + 4) + Math.min(packets, 2) * 4, peer.sentBytes() - before);
    }

    /**
     * A requester that repeats a READ expects a new response: Linux's rxe accepts only a FIRST or ONLY packet as its
     * first.
     */
    @Test
    void aResponseThatIsRestartedBeginsWithAFirstPacket() {
        peer.pollOnce();
        assertEquals(BURST, peer.sent().size());
        read(FIRST + AGAIN, (long) AGAIN * MTU, memory.rkey(), REMAINDER);
        peer.sent();
        peer.pollOnce();
        ScriptedPeer.Sent first = peer.sent().getFirst();
        assertEquals(FIRST + AGAIN, first.psn());
        assertEquals(WireOpcode.READ_RESPONSE_FIRST, first.opcode());
    }
}
