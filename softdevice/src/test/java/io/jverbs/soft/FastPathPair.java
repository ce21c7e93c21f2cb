package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.MemoryRegion;
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
import io.jverbs.Verbs;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.WrOpcode;
import io.jverbs.control.PortControl;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Base of the tests of the fast path: a pair of connected queue pairs whose requests succeed until a test changes
 * something. A device that executes simple requests on a fast path must then detect that it no longer applies.
 */
abstract class FastPathPair {
    static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ | Access.REMOTE_ATOMIC;
    static final int BYTES = 64;
    static final int LONG_MESSAGE = 3 * 4096;
    /** More requests than it takes until the device has cached the keys. */
    static final int WARM_UP = 6;
    private static final int RETRIES = 1;
    /** The code of an ACK timeout of 0.26 ms. */
    private static final int TIMEOUT = 6;
    static final byte SENT = 0x5C;
    /** A word of {@link #SENT}. */
    static final long SENT_WORD = 0x5C5C5C5C5C5C5C5CL;

    final WorkCompletions completions = WorkCompletions.create(64);
    RdmaContext context;
    ProtectionDomain pd;
    CompletionQueue cq;
    CompletionQueue receiverCq;
    QueuePair sender;
    QueuePair receiver;
    MemoryRegion source;
    MemoryRegion target;
    Arena targetArena;
    SendWorkRequest request;

    /** The kinds of requests. All of them bring bytes of the source to the target; an atomic brings 8 bytes. */
    enum Kind {
        WRITE(WrOpcode.RDMA_WRITE, 0, BYTES),
        SEND(WrOpcode.SEND, 0, BYTES),
        INLINE_WRITE(WrOpcode.RDMA_WRITE, SendFlags.INLINE, BYTES),
        INLINE_SEND(WrOpcode.SEND, SendFlags.INLINE, BYTES),
        READ(WrOpcode.RDMA_READ, 0, BYTES),
        /** The source stays as it is, because 0 is added. */
        FETCH_ADD(WrOpcode.ATOMIC_FETCH_AND_ADD, 0, Long.BYTES),
        /** The source stays as it is, because the comparison fails. */
        COMPARE_SWAP(WrOpcode.ATOMIC_CMP_AND_SWP, 0, Long.BYTES);

        final int bytes;
        private final WrOpcode opcode;
        private final int flags;

        Kind(WrOpcode opcode, int flags, int bytes) {
            this.opcode = opcode;
            this.flags = flags | SendFlags.SIGNALED;
            this.bytes = bytes;
        }

        boolean isSend() {
            return opcode == WrOpcode.SEND;
        }

        /** Whether the peer's memory is the source. */
        boolean isReadOrAtomic() {
            return ordinal() >= READ.ordinal();
        }
    }

    @BeforeEach
    void connect() {
        context = Verbs.open("soft");
        pd = context.allocatePd();
        cq = context.createCompletionQueue(64);
        receiverCq = context.createCompletionQueue(64);
        sender = queuePair(cq);
        receiver = queuePair(receiverCq);
        connect(sender, receiver);
        connect(receiver, sender);
        source = pd.allocate(LONG_MESSAGE, ALL);
        source.segment().fill(SENT);
        targetArena = Arena.ofShared();
        target = pd.registerMemory(targetArena.allocate(LONG_MESSAGE, Long.BYTES), ALL);
    }

    QueuePair queuePair(CompletionQueue queue) {
        return pd.createQueuePair(
                QpInitAttributes.builder(QpType.RC).cq(queue).maxSendWr(16).maxRecvWr(16).maxInlineData(BYTES)
                        .build());
    }

    static void connect(QueuePair qp, QueuePair peer) {
        connect(qp, peer, qp.localInfo().psn());
    }

    static void connect(QueuePair qp, QueuePair peer, int psn) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ALL).build());
        qp.modify(readyToReceive(peer, peer.localInfo().psn()));
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(psn).timeout(TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetry(0).maxRdAtomic(1).build());
    }

    static QpAttributes readyToReceive(QueuePair peer, int psn) {
        return QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.localInfo().gid(), 1, peer.context().preferredGid(1).index()))
                .pathMtu(peer.localInfo().mtu()).destinationQpn(peer.number()).rqPsn(psn)
                .maxDestRdAtomic(1).minRnrTimer(1).build();
    }

    @AfterEach
    void close() {
        control().setPkey(1, 0, 0xFFFF);
        control().setPkey(1, 1, 0);
        control().plugCable(1);
        context.close();
        if (targetArena.scope().isAlive()) {
            targetArena.close();
        }
    }

    void postReceive() {
        receiver.postReceive(ReceiveWorkRequest.create(1).wrId(7).sge(target, 0, BYTES));
    }

    /** Executes several requests, which succeed. */
    void warmUp(Kind kind) {
        request = request(kind);
        for (int i = 0; i < WARM_UP; i++) {
            target.segment().fill((byte) 0);
            executeSuccessfully(kind);
        }
    }

    SendWorkRequest request(Kind kind) {
        SendWorkRequest made = SendWorkRequest.create(1).opcode(kind.opcode).flags(kind.flags);
        return switch (kind) {
            case READ -> made.sge(target, 0, kind.bytes).remote(source.address(), source.rkey());
            case FETCH_ADD -> made.sge(target, 0, kind.bytes).fetchAndAdd(source.address(), source.rkey(), 0);
            case COMPARE_SWAP -> made.sge(target, 0, kind.bytes).compareAndSwap(source.address(), source.rkey(), 0, 1);
            default -> made.sge(source, 0, kind.bytes).remote(target.address(), target.rkey());
        };
    }

    void executeSuccessfully(Kind kind) {
        if (kind.isSend()) {
            postReceive();
        }
        sender.postSend(request.wrId(5));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        if (kind.isSend()) {
            assertEquals(WcStatus.SUCCESS, completed(receiverCq));
            assertEquals(BYTES, completions.byteLength(0));
        }
        assertEquals(SENT, target.segment().get(ValueLayout.JAVA_BYTE, kind.bytes - 1L));
    }

    WcStatus completed(CompletionQueue queue) {
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (queue.poll(completions) == 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("no completion within 10 s");
            }
            Thread.onSpinWait();
        }
        assertEquals(1, completions.count());
        return completions.status(0);
    }

    /** Applies a change after several successful requests, posts another request, and returns its status. */
    WcStatus after(Kind kind, Consumer<SendWorkRequest> change) {
        warmUp(kind);
        if (kind.isSend()) {
            postReceive();
        }
        change.accept(request);
        target.segment().fill((byte) 0);
        sender.postSend(request);
        return completed(cq);
    }

    void assertNothingWritten() {
        assertEquals(-1, target.segment().mismatch(MemorySegment.ofArray(new byte[LONG_MESSAGE])));
    }

    PortControl control() {
        return context.device().capability(PortControl.class).orElseThrow();
    }

    SendWorkRequest write(int rkey) {
        return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).sge(source, 0, BYTES)
                .remote(target.address(), rkey);
    }
}
