package io.jverbs.soft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.ReceiveWorkRequest;
import io.jverbs.WcStatus;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * WRITE and SEND requests that follow many successful ones, after a key, a range or a right has changed. Catalogue
 * items B3, B17, E12, E13 and the error matrix of part F.
 */
final class FastPathTest extends FastPathPair {
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
    void aTargetInAClosedArenaIsAnError(Kind kind) {
        warmUp(kind);
        if (kind.isSend()) {
            postReceive();
        }
        targetArena.close();
        sender.postSend(request);
        WcStatus remote = kind.isSend() ? WcStatus.REM_OP_ERR : WcStatus.REM_ACCESS_ERR;
        assertEquals(kind.isReadOrAtomic() ? WcStatus.LOC_PROT_ERR : remote, completed(cq));
    }

    @Test
    void aWriteWithoutRemoteWriteAtThePeerIsARemoteInvalidRequest() {
        assertEquals(WcStatus.REM_INV_REQ_ERR, after(Kind.WRITE, each -> receiver
                .modify(QpAttributes.builder().state(QpState.RTS).accessFlags(Access.REMOTE_READ).build())));
        assertNothingWritten();
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

    /** The device loads a receive in advance if another one is posted when a message arrives. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16})
    void sendsTakeReceivesInTheirOrderHoweverManyArePostedInAdvance(int posted) {
        warmUp(Kind.SEND);
        for (int round = 0; round < 20; round++) {
            target.segment().fill((byte) 0);
            for (int i = 0; i < posted; i++) {
                receiver.postReceive(ReceiveWorkRequest.create(1).wrId(100L * round + i).sge(target, i * 2L * BYTES,
                        2L * BYTES));
            }
            for (int i = 0; i < posted; i++) {
                request.sge(source, 0, BYTES - i);
                sender.postSend(request);
                assertEquals(WcStatus.SUCCESS, completed(cq));
                assertEquals(WcStatus.SUCCESS, completed(receiverCq));
                assertEquals(100L * round + i, completions.wrId(0));
                assertEquals(BYTES - i, completions.byteLength(0));
                MemorySegment placed = target.segment().asSlice(i * 2L * BYTES, 2L * BYTES);
                assertEquals(BYTES - i, placed.mismatch(MemorySegment.ofArray(new byte[2 * BYTES]).fill(SENT)));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aReceiveThatIsTooShortEndsASendHoweverManyArePosted(int posted) {
        warmUp(Kind.SEND);
        for (int i = 0; i < posted; i++) {
            receiver.postReceive(
                    ReceiveWorkRequest.create(1).wrId(i).sge(target, 0, i == posted - 1 ? BYTES - 1 : BYTES));
        }
        for (int i = 0; i < posted - 1; i++) {
            sender.postSend(request);
            assertEquals(WcStatus.SUCCESS, completed(cq));
            assertEquals(WcStatus.SUCCESS, completed(receiverCq));
        }
        target.segment().fill((byte) 0);
        sender.postSend(request);
        assertEquals(WcStatus.REM_INV_REQ_ERR, completed(cq));
        assertEquals(WcStatus.LOC_LEN_ERR, completed(receiverCq));
        assertEquals(posted - 1L, completions.wrId(0));
        assertNothingWritten();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aReceiveOfAnotherProtectionDomainEndsASendHoweverManyArePosted(int posted) {
        MemoryRegion foreign = context.allocatePd().allocate(BYTES, ALL);
        warmUp(Kind.SEND);
        for (int i = 0; i < posted; i++) {
            receiver.postReceive(
                    ReceiveWorkRequest.create(1).wrId(i).sge(i == posted - 1 ? foreign : target, 0, BYTES));
        }
        for (int i = 0; i < posted - 1; i++) {
            sender.postSend(request);
            assertEquals(WcStatus.SUCCESS, completed(cq));
            assertEquals(WcStatus.SUCCESS, completed(receiverCq));
        }
        sender.postSend(request);
        assertEquals(WcStatus.REM_OP_ERR, completed(cq));
        assertEquals(WcStatus.LOC_PROT_ERR, completed(receiverCq));
        assertEquals(posted - 1L, completions.wrId(0));
        assertEquals(-1, foreign.segment().mismatch(MemorySegment.ofArray(new byte[BYTES])));
    }

    @Test
    void aReceiveWithoutElementsEndsASend() {
        warmUp(Kind.SEND);
        // each slot of the receive queue has had an element
        for (int i = 0; i < receiver.capabilities().maxRecvWr(); i++) {
            executeSuccessfully(Kind.SEND);
        }
        target.segment().fill((byte) 0);
        receiver.postReceive(ReceiveWorkRequest.create(1).wrId(9));
        sender.postSend(request);
        assertEquals(WcStatus.REM_INV_REQ_ERR, completed(cq));
        assertEquals(WcStatus.LOC_LEN_ERR, completed(receiverCq));
        assertEquals(9, completions.wrId(0));
        assertNothingWritten();
    }

    @Test
    void aChainOfReceivesIsPostedUpToTheFirstThatHasTooManyElements() {
        warmUp(Kind.SEND);
        int max = receiver.capabilities().maxRecvSge();
        ReceiveWorkRequest tooMany = ReceiveWorkRequest.create(max + 1).wrId(3).sgeCount(max + 1);
        ReceiveWorkRequest second = ReceiveWorkRequest.create(1).wrId(2).sge(target, 0, BYTES).next(tooMany);
        ReceiveWorkRequest first = ReceiveWorkRequest.create(1).wrId(1).sge(target, 0, BYTES).next(second);
        assertEquals(Errno.EINVAL.code(), receiver.tryPostReceive(first));
        assertSame(tooMany, first.failed());
        assertEquals(Errno.EINVAL.code(), receiver.tryPostReceive(tooMany));
        assertSame(tooMany, tooMany.failed());
        for (int i = 1; i <= 2; i++) {
            sender.postSend(request);
            assertEquals(WcStatus.SUCCESS, completed(cq));
            assertEquals(WcStatus.SUCCESS, completed(receiverCq));
            assertEquals(i, completions.wrId(0));
        }
    }

    @Test
    void aSendLongerThanItsReceiveIsRefused() {
        assertEquals(WcStatus.REM_INV_REQ_ERR, after(Kind.SEND, each -> each.sge(source, 0, BYTES + 1)));
        assertEquals(WcStatus.LOC_LEN_ERR, completed(receiverCq));
        assertNothingWritten();
    }
}
