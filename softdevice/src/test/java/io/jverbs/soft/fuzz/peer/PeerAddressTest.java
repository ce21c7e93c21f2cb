package io.jverbs.soft.fuzz.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.QpType;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.fuzz.FuzzedDevice;
import io.jverbs.soft.protocol.Counter;
import io.jverbs.soft.wire.Aeth;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Catalogue L27: a connected queue pair accepts packets only from its peer's address, even if they are valid. */
final class PeerAddressTest {
    private static final int PSN = ScriptedPeer.PSN;
    private static final int PKEY = ScriptedPeer.PKEY;
    private static final int OTHER_PKEY = 0xFFFE;
    private static final int BYTES = 64;
    private static final byte SENT = 0x33;

    private final WorkCompletions completions = WorkCompletions.create(4);
    private ScriptedPeer peer;
    private MemoryRegion memory;

    @AfterEach
    void close() {
        peer.close();
    }

    private void connect(QpType type) {
        peer = new ScriptedPeer(type, 1);
        memory = peer.memory(2 * BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        peer.qp.postReceive(ReceiveWorkRequest.create(1).sge(memory, 0, BYTES));
    }

    private void assertDropped(Counter reason) {
        assertEquals(0, peer.cq.poll(completions));
        assertEquals(1, peer.counted(reason));
        assertEquals(0, peer.received());
    }

    private void send(int transport, Gid source) {
        peer.packet(transport | WireOpcode.SEND_ONLY, PSN, PKEY, BYTES);
        peer.deliver(source);
    }

    private void write(int transport, Gid source) {
        peer.packet(transport | WireOpcode.WRITE_ONLY, PSN, PKEY, BYTES).reth(memory.address() + BYTES, memory.rkey(),
                BYTES);
        peer.fill(BYTES, SENT);
        peer.deliver(source);
    }

    private static int transport(QpType type) {
        return type == QpType.RC ? WireOpcode.RC : WireOpcode.UC;
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aSendFromAnotherAddressIsDroppedAndOneFromThePeerWithTheSamePsnIsAccepted(QpType type) {
        connect(type);
        send(transport(type), FuzzedDevice.OTHER_HOST);
        assertDropped(Counter.WRONG_ADDRESS);
        assertEquals(PSN, peer.qp.query().rqPsn());

        send(transport(type), FuzzedDevice.PEER);
        assertEquals(1, peer.cq.poll(completions));
        assertEquals(1, peer.counted(Counter.WRONG_ADDRESS));
        assertEquals(PSN + 1, peer.qp.query().rqPsn());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aWriteFromAnotherAddressWritesNothing(QpType type) {
        connect(type);
        write(transport(type), FuzzedDevice.OTHER_HOST);
        assertDropped(Counter.WRONG_ADDRESS);
        assertEquals(0, memory.segment().get(ValueLayout.JAVA_BYTE, BYTES));

        write(transport(type), FuzzedDevice.PEER);
        assertEquals(SENT, memory.segment().get(ValueLayout.JAVA_BYTE, BYTES));
    }

    @Test
    void anAckFromAnotherAddressCompletesNothing() {
        connect(QpType.RC);
        peer.qp.postSend(
                SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, BYTES));
        peer.packet(WireOpcode.ACKNOWLEDGE, PSN, PKEY, 0).aeth(Aeth.ACK, 1);
        peer.deliver(FuzzedDevice.OTHER_HOST);
        assertDropped(Counter.WRONG_ADDRESS);

        peer.packet(WireOpcode.ACKNOWLEDGE, PSN, PKEY, 0).aeth(Aeth.ACK, 1);
        peer.deliver(FuzzedDevice.PEER);
        assertEquals(1, peer.cq.poll(completions));
        assertEquals(WcOpcode.SEND, completions.opcode(0));
    }

    /** Catalogue L22. */
    @Test
    void anAckWithAPkeyOfAnotherPartitionCompletesNothing() {
        connect(QpType.RC);
        peer.qp.postSend(
                SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, BYTES));
        peer.packet(WireOpcode.ACKNOWLEDGE, PSN, OTHER_PKEY, 0).aeth(Aeth.ACK, 1);
        peer.deliver(FuzzedDevice.PEER);
        assertDropped(Counter.BAD_PKEY);
    }
}
