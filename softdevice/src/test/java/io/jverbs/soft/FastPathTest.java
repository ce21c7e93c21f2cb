package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.jverbs.Access;
import io.jverbs.AhAttributes;
import io.jverbs.CompletionQueue;
import io.jverbs.Errno;
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
import java.lang.ref.WeakReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * WRITE and SEND requests that follow many successful ones, after something has changed. A device that executes simple
 * requests on a fast path must detect that it no longer applies. Catalogue items B3, B17, D35, E1, E3 and the error
 * matrix of part F.
 */
final class FastPathTest {
    private static final int ALL = Access.LOCAL_WRITE | Access.REMOTE_WRITE | Access.REMOTE_READ;
    private static final int BYTES = 64;
    private static final int LONG_MESSAGE = 3 * 4096;
    /** More requests than it takes until the device has cached the keys. */
    private static final int WARM_UP = 6;
    private static final int RETRIES = 1;
    /** The code of an ACK timeout of 0.26 ms. */
    private static final int TIMEOUT = 6;
    private static final byte SENT = 0x5C;

    private final WorkCompletions completions = WorkCompletions.create(64);
    private RdmaContext context;
    private ProtectionDomain pd;
    private CompletionQueue cq;
    private CompletionQueue receiverCq;
    private QueuePair sender;
    private QueuePair receiver;
    private MemoryRegion source;
    private MemoryRegion target;
    private Arena targetArena;
    private SendWorkRequest request;

    private enum Kind {
        WRITE(WrOpcode.RDMA_WRITE, 0),
        SEND(WrOpcode.SEND, 0),
        INLINE_WRITE(WrOpcode.RDMA_WRITE,
                SendFlags.INLINE),
        INLINE_SEND(WrOpcode.SEND, SendFlags.INLINE);

        private final WrOpcode opcode;
        private final int flags;

        Kind(WrOpcode opcode, int flags) {
            this.opcode = opcode;
            this.flags = flags | SendFlags.SIGNALED;
        }

        boolean isSend() {
            return opcode == WrOpcode.SEND;
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

    private QueuePair queuePair(CompletionQueue queue) {
        return pd.createQueuePair(
                QpInitAttributes.builder(QpType.RC).cq(queue).maxSendWr(16).maxRecvWr(16).maxInlineData(BYTES)
                        .build());
    }

    private static void connect(QueuePair qp, QueuePair peer) {
        connect(qp, peer, qp.localInfo().psn());
    }

    private static void connect(QueuePair qp, QueuePair peer, int psn) {
        qp.modify(QpAttributes.builder().state(QpState.INIT).pkeyIndex(0).port(1).accessFlags(ALL).build());
        qp.modify(QpAttributes.builder().state(QpState.RTR)
                .addressVector(AhAttributes.to(peer.localInfo().gid(), 1, qp.context().preferredGid(1).index()))
                .pathMtu(peer.localInfo().mtu()).destinationQpn(peer.number()).rqPsn(peer.localInfo().psn())
                .maxDestRdAtomic(1).minRnrTimer(1).build());
        qp.modify(QpAttributes.builder().state(QpState.RTS).sqPsn(psn).timeout(TIMEOUT)
                .retryCount(RETRIES)
                .rnrRetry(0).maxRdAtomic(1).build());
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

    private void postReceive() {
        receiver.postReceive(ReceiveWorkRequest.create(1).wrId(7).sge(target, 0, BYTES));
    }

    /** Executes several requests, which succeed. */
    private void warmUp(Kind kind) {
        request = SendWorkRequest.create(1).opcode(kind.opcode).flags(kind.flags).sge(source, 0, BYTES)
                .remote(target.address(), target.rkey());
        for (int i = 0; i < WARM_UP; i++) {
            target.segment().fill((byte) 0);
            executeSuccessfully(kind);
        }
    }

    private void executeSuccessfully(Kind kind) {
        if (kind.isSend()) {
            postReceive();
        }
        sender.postSend(request.wrId(5));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        if (kind.isSend()) {
            assertEquals(WcStatus.SUCCESS, completed(receiverCq));
            assertEquals(BYTES, completions.byteLength(0));
        }
        assertEquals(SENT, target.segment().get(ValueLayout.JAVA_BYTE, BYTES - 1L));
    }

    private WcStatus completed(CompletionQueue queue) {
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
    private WcStatus after(Kind kind, Consumer<SendWorkRequest> change) {
        warmUp(kind);
        if (kind.isSend()) {
            postReceive();
        }
        change.accept(request);
        target.segment().fill((byte) 0);
        sender.postSend(request);
        return completed(cq);
    }

    private void assertNothingWritten() {
        assertEquals(-1, target.segment().mismatch(MemorySegment.ofArray(new byte[LONG_MESSAGE])));
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SEND"})
    void aWrongLkeyIsALocalProtectionError(Kind kind) {
        assertEquals(WcStatus.LOC_PROT_ERR,
                after(kind, each -> each.sge(0, source.address(), BYTES, source.lkey() ^ 0x100)));
        assertNothingWritten();
        assertEquals(QpState.ERR, sender.state());
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SEND"})
    void aRangeBeyondTheLocalRegionIsALocalProtectionError(Kind kind) {
        assertEquals(WcStatus.LOC_PROT_ERR,
                after(kind, each -> each.sge(0, source.address() + LONG_MESSAGE - BYTES + 1, BYTES, source.lkey())));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SEND"})
    void aRegionOfAnotherProtectionDomainIsALocalProtectionError(Kind kind) {
        MemoryRegion foreign = context.allocatePd().allocate(BYTES, ALL);
        assertEquals(WcStatus.LOC_PROT_ERR,
                after(kind, each -> each.sge(0, foreign.address(), BYTES, foreign.lkey())));
        assertNothingWritten();
    }

    /** Catalogue item E12: the region is of another protection domain. */
    @ParameterizedTest
    @EnumSource(names = {"INLINE_WRITE", "INLINE_SEND"})
    void theLkeyOfAnInlineElementIsIgnored(Kind kind) {
        MemoryRegion foreign = context.allocatePd().allocate(BYTES, ALL);
        foreign.segment().fill(SENT);
        warmUp(kind);
        target.segment().fill((byte) 0);
        request.sge(foreign, 0, BYTES);
        executeSuccessfully(kind);

        assertEquals(-1, target.segment().asSlice(0, BYTES).mismatch(foreign.segment()));
    }

    /** Catalogue item E13. */
    @ParameterizedTest
    @EnumSource(names = {"INLINE_WRITE", "INLINE_SEND"})
    void inlineDataLongerThanMaxInlineDataIsRefused(Kind kind) {
        warmUp(kind);
        target.segment().fill((byte) 0);

        assertEquals(Errno.EINVAL.code(), sender.tryPostSend(request.sge(source, 0, BYTES + 1)));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource(names = {"INLINE_WRITE", "INLINE_SEND"})
    void inlineDataInAClosedArenaIsRefused(Kind kind) {
        warmUp(kind);
        Arena arena = Arena.ofShared();
        request.sge(pd.registerMemory(arena.allocate(BYTES).fill(SENT), ALL), 0, BYTES);
        executeSuccessfully(kind);
        target.segment().fill((byte) 0);
        if (kind.isSend()) {
            postReceive();
        }
        arena.close();

        assertEquals(Errno.EFAULT.code(), sender.tryPostSend(request));
        assertNothingWritten();
    }

    @Test
    void aWrongRkeyIsARemoteAccessError() {
        assertEquals(WcStatus.REM_ACCESS_ERR,
                after(Kind.WRITE, each -> each.remote(target.address(), target.rkey() ^ 0x100)));
        assertNothingWritten();
        assertEquals(QpState.ERR, receiver.state());
    }

    @Test
    void aRangeBeyondTheRemoteRegionIsARemoteAccessError() {
        assertEquals(WcStatus.REM_ACCESS_ERR, after(Kind.WRITE,
                each -> each.remote(target.address() + LONG_MESSAGE - BYTES + 1, target.rkey())));
        assertNothingWritten();
    }

    @Test
    void aWriteToADeregisteredRegionIsARemoteAccessError() {
        MemoryRegion former = pd.allocate(BYTES, ALL);
        int rkey = former.rkey();
        long address = former.address();
        warmUp(Kind.WRITE);
        request.remote(address, rkey);
        for (int i = 0; i < WARM_UP; i++) {
            sender.postSend(request);
            assertEquals(WcStatus.SUCCESS, completed(cq));
        }
        former.close();
        sender.postSend(request);
        assertEquals(WcStatus.REM_ACCESS_ERR, completed(cq));
    }

    @Test
    void theMemoryOfADeregisteredRegionIsGarbageCollected() throws InterruptedException {
        WeakReference<MemorySegment> memory = writtenAndClosed();
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (memory.get() != null && System.nanoTime() - deadline < 0) {
            System.gc();
            Thread.sleep(1);
        }
        assertNull(memory.get(), "the queue pair still references the memory");
    }

    private WeakReference<MemorySegment> writtenAndClosed() {
        MemorySegment memory = Arena.ofAuto().allocate(BYTES, Long.BYTES);
        try (MemoryRegion region = pd.registerMemory(memory, ALL)) {
            warmUp(Kind.WRITE);
            request.remote(region.address(), region.rkey());
            for (int i = 0; i < WARM_UP; i++) {
                sender.postSend(request);
                assertEquals(WcStatus.SUCCESS, completed(cq));
            }
        }
        return new WeakReference<>(memory);
    }

    @ParameterizedTest
    @EnumSource
    void aTargetInAClosedArenaIsARemoteError(Kind kind) {
        warmUp(kind);
        if (kind.isSend()) {
            postReceive();
        }
        targetArena.close();
        sender.postSend(request);
        assertEquals(kind.isSend() ? WcStatus.REM_OP_ERR : WcStatus.REM_ACCESS_ERR, completed(cq));
    }

    @Test
    void aWriteWithoutRemoteWriteAtThePeerIsARemoteInvalidRequest() {
        assertEquals(WcStatus.REM_INV_REQ_ERR, after(Kind.WRITE, each -> receiver
                .modify(QpAttributes.builder().state(QpState.RTS).accessFlags(Access.REMOTE_READ).build())));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerInErrDoesNotRespond(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR,
                after(kind, each -> receiver.modify(QpAttributes.builder().state(QpState.ERR).build())));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aDestroyedPeerDoesNotRespond(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> receiver.close()));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerConnectedToAnotherQueuePairDoesNotRespond(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> {
            receiver.modify(QpAttributes.builder().state(QpState.RESET).build());
            QueuePair third = queuePair(cq);
            connect(receiver, third);
        }));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerWithAnotherPkeyDoesNotRespond(Kind kind) {
        control().setPkey(1, 1, 0x8001);
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> {
            receiver.modify(QpAttributes.builder().state(QpState.SQD).build());
            receiver.modify(QpAttributes.builder().state(QpState.SQD).pkeyIndex(1).build());
        }));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void requestsTimeOutWhenTheirPkeyIsRemovedFromTheTable(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> control().setPkey(1, 0, 0)));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void requestsTimeOutWhenTheCableIsPulled(Kind kind) {
        assertEquals(WcStatus.RETRY_EXC_ERR, after(kind, each -> control().pullCable(1)));
        assertNothingWritten();
    }

    private PortControl control() {
        return context.device().capability(PortControl.class).orElseThrow();
    }

    @ParameterizedTest
    @EnumSource
    void aQueuePairThatFailedAsResponderFlushesRequests(Kind kind) {
        assertEquals(WcStatus.WR_FLUSH_ERR, after(kind, each -> {
            QueuePair third = queuePair(receiverCq);
            connect(third, sender, sender.query().rqPsn());
            third.postSend(write(0x00BAD000));
            assertEquals(QpState.ERR, sender.state());
        }));
        assertEquals(QpState.RTS, receiver.state());
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aPeerThatFailedAsRequesterDoesNotRespond(Kind kind) {
        warmUp(kind);
        receiver.postSend(write(target.rkey()).sge(0, source.address(), BYTES, source.lkey() ^ 0x100));
        assertEquals(WcStatus.LOC_PROT_ERR, completed(receiverCq));
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(WcStatus.RETRY_EXC_ERR, completed(cq));
        assertNothingWritten();
    }

    private SendWorkRequest write(int rkey) {
        return SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).sge(source, 0, BYTES)
                .remote(target.address(), rkey);
    }

    @Test
    void aWriteAfterSendsIsRefusedByAPeerWithoutRemoteWrite() {
        receiver.modify(QpAttributes.builder().state(QpState.RTS).accessFlags(Access.REMOTE_READ).build());
        warmUp(Kind.SEND);
        target.segment().fill((byte) 0);
        sender.postSend(write(target.rkey()));
        assertEquals(WcStatus.REM_INV_REQ_ERR, completed(cq));
        assertNothingWritten();
    }

    /** Catalogue item L32: a request that the peer has executed before is acknowledged and not executed again. */
    @Test
    void aPsnThatAnotherQueuePairHasUsedIsADuplicate() {
        warmUp(Kind.WRITE);
        QueuePair third = queuePair(cq);
        connect(third, receiver, sender.query().sqPsn());
        third.postSend(write(target.rkey()));
        assertEquals(sender.query().sqPsn() + 1 & 0xFFFFFF, receiver.query().rqPsn());
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(WcStatus.SUCCESS, completed(cq));
        assertNothingWritten();
    }

    @Test
    void aSendWithoutAReceiveExceedsTheRnrRetries() {
        warmUp(Kind.SEND);
        sender.postSend(request);
        assertEquals(WcStatus.RNR_RETRY_EXC_ERR, completed(cq));
    }

    @Test
    void aSendLongerThanItsReceiveIsRefused() {
        assertEquals(WcStatus.REM_INV_REQ_ERR, after(Kind.SEND, each -> each.sge(source, 0, BYTES + 1)));
        assertEquals(WcStatus.LOC_LEN_ERR, completed(receiverCq));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aQueuePairInErrFlushesRequests(Kind kind) {
        assertEquals(WcStatus.WR_FLUSH_ERR,
                after(kind, each -> sender.modify(QpAttributes.builder().state(QpState.ERR).build())));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource
    void aRequestPostedInSqdWaitsForRts(Kind kind) {
        warmUp(kind);
        sender.modify(QpAttributes.builder().state(QpState.SQD).build());
        if (kind.isSend()) {
            postReceive();
        }
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(0, cq.poll(completions));
        assertNothingWritten();
        sender.modify(QpAttributes.builder().state(QpState.RTS).build());
        assertEquals(WcStatus.SUCCESS, completed(cq));
    }

    /** A request that is posted after one that waits completes after it. */
    @Test
    void aRequestDoesNotOvertakeOneThatWaitsForAReceive() {
        warmUp(Kind.SEND);
        sender.modify(QpAttributes.builder().state(QpState.SQD).build());
        sender.modify(QpAttributes.builder().state(QpState.SQD).rnrRetry(7).build());
        sender.modify(QpAttributes.builder().state(QpState.RTS).build());
        sender.postSend(request.wrId(1));
        sender.postSend(SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).flags(SendFlags.SIGNALED).wrId(2)
                .sge(source, 0, BYTES).remote(target.address(), target.rkey()));
        assertEquals(0, cq.poll(completions));
        postReceive();
        long deadline = System.nanoTime() + 10_000_000_000L;
        long expected = 1;
        while (expected <= 2 && System.nanoTime() - deadline < 0) {
            int count = cq.poll(completions);
            for (int i = 0; i < count; i++) {
                assertEquals(expected++, completions.wrId(i));
                assertEquals(WcStatus.SUCCESS, completions.status(i));
            }
        }
        assertEquals(3, expected);
    }

    /** Catalogue items E1 and E3. */
    @Test
    void aChainLongerThanTheQueueIsRefusedAtTheFirstRequestWithoutASlot() {
        warmUp(Kind.WRITE);
        SendWorkRequest head = null;
        int slots = sender.capabilities().maxSendWr();
        SendWorkRequest last = null;
        for (int i = 0; i <= slots; i++) {
            SendWorkRequest each = SendWorkRequest.create(1).opcode(WrOpcode.RDMA_WRITE).wrId(i)
                    .sge(source, 0, BYTES).remote(target.address(), target.rkey());
            head = head == null ? each : head;
            if (last != null) {
                last.next(each);
            }
            last = each;
        }
        assertEquals(Errno.ENOMEM.code(), sender.tryPostSend(head));
        assertEquals(slots, head.failed().wrId());
        last.next(head);
        assertEquals(Errno.ENOMEM.code(), sender.tryPostSend(head), "a cyclic chain");
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "SEND"})
    void aMessageOfSeveralPacketsUsesOnePsnForEach(Kind kind) {
        warmUp(kind);
        int before = sender.query().sqPsn();
        int mtu = sender.localInfo().mtu().bytes();
        receiver.postReceive(ReceiveWorkRequest.create(1).sge(target, 0, LONG_MESSAGE));
        sender.postSend(request.sge(source, 0, LONG_MESSAGE));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        int packets = (LONG_MESSAGE + mtu - 1) / mtu;
        assertEquals(before + packets & 0xFFFFFF, sender.query().sqPsn());
        assertEquals(sender.query().sqPsn(), receiver.query().rqPsn());
    }

    @Test
    void anUnsignaledRequestHasNoCompletion() {
        warmUp(Kind.WRITE);
        sender.postSend(request.flags(0));
        assertEquals(0, cq.poll(completions));
        assertEquals(SENT, target.segment().get(ValueLayout.JAVA_BYTE, 0));
    }
}
