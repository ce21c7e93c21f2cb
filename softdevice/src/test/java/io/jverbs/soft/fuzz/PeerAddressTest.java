package io.jverbs.soft.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Gid;
import io.jverbs.MemoryRegion;
import io.jverbs.Mtu;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpAttributes;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.soft.ScriptedDevice;
import io.jverbs.soft.transport.Counter;
import io.jverbs.soft.wire.Icrc;
import io.jverbs.soft.wire.PacketBuffer;
import io.jverbs.soft.wire.PacketEncoder;
import io.jverbs.soft.wire.WireOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Catalogue item L27: a connection takes packets from its peer alone, whatever else about them is right. */
final class PeerAddressTest {
    private static final int UDP_PORT = 4791;
    private static final int PSN = 100;
    private static final int PKEY = 0xFFFF;
    private static final int OTHER_PKEY = 0xFFFE;
    private static final int BYTES = 64;
    private static final byte SENT = 0x33;
    private static final int ACK = 0x1F;

    private final ScriptedDevice device = new ScriptedDevice(Victim.GID, new VirtualTimers(), new Random(1),
            (packet, to) -> {});
    private final PacketBuffer buffer = new PacketBuffer(Arena.ofAuto().allocate(PacketBuffer.MAX_BYTES + 1, 64));
    private final PacketEncoder encoder = new PacketEncoder();
    private final Icrc icrc = new Icrc();
    private final WorkCompletions completions = WorkCompletions.create(4);
    private RdmaContext context;
    private CompletionQueue cq;
    private MemoryRegion memory;
    private QueuePair qp;

    @BeforeEach
    void open() {
        context = device.open();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void connect(QpType type) {
        ProtectionDomain pd = context.allocatePd();
        cq = context.createCompletionQueue(16);
        memory = pd.allocate(2 * BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        qp = pd.createQueuePair(QpInitAttributes.builder(type).cq(cq).build());
        boolean reliable = type == QpType.RC;
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(Access.REMOTE_WRITE)
                .build());
        qp.postReceive(ReceiveWorkRequest.create(1).sge(memory, 0, BYTES));
        QpAttributes.Builder ready = QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(Victim.PEER, 1, 1)).pathMtu(Mtu.MTU_256).destinationQpn(9).rqPsn(PSN);
        qp.modify((reliable ? ready.maxDestRdAtomic(1).minRnrTimer(1) : ready).build());
        QpAttributes.Builder send = QpAttributes.builder().state(QpState.RTS).sqPsn(PSN);
        qp.modify((reliable ? send.timeout(20).retryCount(7).rnrRetry(7).maxRdAtomic(1) : send).build());
    }

    private PacketEncoder packet(int opcode, int pkey, int payload) {
        return encoder.begin(buffer, opcode, 0, pkey, qp.number(), PSN, payload);
    }

    /** Sends what was encoded, with an ICRC that is right for its source. */
    private void from(Gid source) {
        icrc.between(source.high(), source.low(), UDP_PORT, Victim.GID.high(), Victim.GID.low(), UDP_PORT);
        encoder.finish(icrc);
        device.wire().deliver(buffer.bytes(), new InetSocketAddress(source.toInetAddress(), UDP_PORT));
    }

    private long counted(Counter counter) {
        return device.port().counted(counter);
    }

    private void assertDropped(Counter reason) {
        assertEquals(0, cq.poll(completions));
        assertEquals(1, counted(reason));
        assertEquals(0, counted(Counter.RECEIVED));
    }

    private void send(int transport, Gid source) {
        packet(transport | WireOpcode.SEND_ONLY, PKEY, BYTES);
        from(source);
    }

    private void write(int transport, Gid source) {
        packet(transport | WireOpcode.WRITE_ONLY, PKEY, BYTES).reth(memory.address() + BYTES, memory.rkey(), BYTES);
        buffer.segment().asSlice(encoder.payloadOffset(), BYTES).fill(SENT);
        from(source);
    }

    private static int transport(QpType type) {
        return type == QpType.RC ? WireOpcode.RC : WireOpcode.UC;
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aSendOfAStrangerIsDroppedAndThatOfThePeerWithTheSamePsnIsTaken(QpType type) {
        connect(type);
        send(transport(type), Victim.STRANGER);
        assertDropped(Counter.WRONG_ADDRESS);
        assertEquals(PSN, qp.query().rqPsn());

        send(transport(type), Victim.PEER);
        assertEquals(1, cq.poll(completions));
        assertEquals(1, counted(Counter.WRONG_ADDRESS));
        assertEquals(PSN + 1, qp.query().rqPsn());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    void aWriteOfAStrangerWritesNothing(QpType type) {
        connect(type);
        write(transport(type), Victim.STRANGER);
        assertDropped(Counter.WRONG_ADDRESS);
        assertEquals(0, memory.segment().get(ValueLayout.JAVA_BYTE, BYTES));

        write(transport(type), Victim.PEER);
        assertEquals(SENT, memory.segment().get(ValueLayout.JAVA_BYTE, BYTES));
    }

    @Test
    void aStrangersAcknowledgementCompletesNothing() {
        connect(QpType.RC);
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, BYTES));
        packet(WireOpcode.ACKNOWLEDGE, PKEY, 0).aeth(ACK, 1);
        from(Victim.STRANGER);
        assertDropped(Counter.WRONG_ADDRESS);

        packet(WireOpcode.ACKNOWLEDGE, PKEY, 0).aeth(ACK, 1);
        from(Victim.PEER);
        assertEquals(1, cq.poll(completions));
        assertEquals(WcOpcode.SEND, completions.opcode(0));
    }

    /** Catalogue item L22. */
    @Test
    void anAcknowledgementOfAnotherPartitionCompletesNothing() {
        connect(QpType.RC);
        qp.postSend(SendWorkRequest.create(1).opcode(WrOpcode.SEND).flags(SendFlags.SIGNALED).sge(memory, 0, BYTES));
        packet(WireOpcode.ACKNOWLEDGE, OTHER_PKEY, 0).aeth(ACK, 1);
        from(Victim.PEER);
        assertDropped(Counter.BAD_PKEY);
    }
}
