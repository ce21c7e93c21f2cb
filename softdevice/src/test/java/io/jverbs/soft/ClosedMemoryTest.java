package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.QpType;
import io.jverbs.QueuePair;
import io.jverbs.RdmaContext;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests that use a registered region whose arena is closed complete in error; the JVM never crashes. */
final class ClosedMemoryTest {
    private static final int ACCESS = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ
            | Access.REMOTE_ATOMIC;
    private static final int BYTES = 64;

    private final WorkCompletions completions = WorkCompletions.create(8);
    private RdmaContext context;
    private ProtectionDomain pd;
    private CompletionQueue sendCq;
    private CompletionQueue recvCq;
    private QueuePair sender;
    private QueuePair receiver;
    private MemoryRegion valid;
    private MemoryRegion closed;

    @BeforeEach
    void connect() {
        context = Verbs.open("soft");
        pd = context.allocatePd();
        sendCq = context.createCompletionQueue(8);
        recvCq = context.createCompletionQueue(8);
        QpInitAttributes init = QpInitAttributes.builder(QpType.RC).sendCq(sendCq).recvCq(recvCq).build();
        sender = pd.createQueuePair(init);
        receiver = pd.createQueuePair(init);
        sender.connect(receiver.localInfo());
        receiver.connect(sender.localInfo());
        valid = pd.allocate(BYTES, ACCESS);
        try (Arena arena = Arena.ofShared()) {
            closed = pd.registerMemory(arena.allocate(BYTES, Long.BYTES), ACCESS);
        }
    }

    @AfterEach
    void close() {
        context.close();
    }

    private WcStatus execute(SendWorkRequest request) {
        sender.postSend(request.flags(SendFlags.SIGNALED));
        assertEquals(1, sendCq.poll(completions));
        return completions.status(0);
    }

    @Test
    void aWriteFromClosedMemoryIsALocalProtectionError() {
        assertEquals(WcStatus.LOC_PROT_ERR, execute(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
                .sge(closed, 0, BYTES).remote(valid.address(), valid.rkey())));
    }

    @Test
    void aSendFromClosedMemoryDoesNotConsumeTheReceive() {
        receiver.postReceive(ReceiveWorkRequest.create(1).wrId(9).sge(valid, 0, BYTES));
        assertEquals(WcStatus.LOC_PROT_ERR,
                execute(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(closed, 0, BYTES)));
        assertEquals(0, recvCq.poll(completions));
    }

    @Test
    void aWriteToClosedMemoryIsARemoteAccessError() {
        assertEquals(WcStatus.REM_ACCESS_ERR, execute(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE)
                .sge(valid, 0, BYTES).remote(closed.address(), closed.rkey())));
    }

    @Test
    void aReadFromClosedMemoryIsARemoteAccessError() {
        assertEquals(WcStatus.REM_ACCESS_ERR, execute(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ)
                .sge(valid, 0, BYTES).remote(closed.address(), closed.rkey())));
    }

    @Test
    void aReadIntoClosedMemoryIsALocalProtectionError() {
        assertEquals(WcStatus.LOC_PROT_ERR, execute(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_READ)
                .sge(closed, 0, BYTES).remote(valid.address(), valid.rkey())));
    }

    @Test
    void anAtomicOnClosedMemoryIsARemoteAccessError() {
        assertEquals(WcStatus.REM_ACCESS_ERR, execute(SendWorkRequest.create(1)
                .fetchAndAdd(closed.address(), closed.rkey(), 1).sge(valid, 0, Long.BYTES)));
    }

    @Test
    void anAtomicWithItsResultInClosedMemoryIsExecutedAndIsALocalProtectionError() {
        assertEquals(WcStatus.LOC_PROT_ERR, execute(SendWorkRequest.create(1)
                .fetchAndAdd(valid.address(), valid.rkey(), 5).sge(closed, 0, Long.BYTES)));
        assertEquals(5, valid.segment().get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void aReceiveIntoClosedMemoryFailsOnBothSides() {
        receiver.postReceive(ReceiveWorkRequest.create(1).wrId(9).sge(closed, 0, BYTES));
        assertEquals(WcStatus.REM_OP_ERR,
                execute(SendWorkRequest.create(1).opcode(WrOpcode.SEND).sge(valid, 0, BYTES)));
        assertEquals(1, recvCq.poll(completions));
        assertEquals(WcStatus.LOC_PROT_ERR, completions.status(0));
    }
}
