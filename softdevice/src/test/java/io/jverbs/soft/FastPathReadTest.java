package io.jverbs.soft;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.jverbs.Access;
import io.jverbs.Errno;
import io.jverbs.MemoryRegion;
import io.jverbs.QpAttributes;
import io.jverbs.QpState;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * READ and atomic requests that follow many successful ones, after a key, a range, a right or a limit has changed.
 * Catalogue items B30, B31, F7, F8, F14, F15, F16, F18 and the error matrix of part F.
 */
final class FastPathReadTest extends FastPathPair {
    private void assertRefusedByPeer(WcStatus status) {
        assertEquals(status, completed(cq));
        assertEquals(QpState.ERR, sender.state());
        assertEquals(QpState.ERR, receiver.state());
        assertNothingWritten();
        assertEquals(SENT_WORD, source.segment().get(JAVA_LONG, 0), "the peer's memory");
    }

    private void afterWarmUp(Kind kind) {
        warmUp(kind);
        target.segment().fill((byte) 0);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void theCompletionHasTheOpcodeAndTheLength(Kind kind) {
        warmUp(kind);
        WcOpcode opcode = switch (kind) {
            case READ -> WcOpcode.RDMA_READ;
            case FETCH_ADD -> WcOpcode.FETCH_ADD;
            default -> WcOpcode.COMP_SWAP;
        };
        assertEquals(opcode, completions.opcode(0));
        assertEquals(kind.bytes, completions.byteLength(0));
        assertEquals(5, completions.wrId(0));
        assertEquals(sender.number(), completions.qpNumber(0));
    }

    @Test
    void eachFetchAddAddsOnceAndReturnsTheFormerValue() {
        warmUp(Kind.FETCH_ADD);
        for (int i = 0; i < 100; i++) {
            sender.postSend(request.fetchAndAdd(source.address() + 8, source.rkey(), 3));
            assertEquals(WcStatus.SUCCESS, completed(cq));
            assertEquals(SENT_WORD + 3L * i, target.segment().get(JAVA_LONG, 0));
        }
        assertEquals(SENT_WORD + 300, source.segment().get(JAVA_LONG, 8));
        assertEquals(SENT_WORD, source.segment().get(JAVA_LONG, 0));
        assertEquals(SENT_WORD, source.segment().get(JAVA_LONG, 16));
    }

    @Test
    void aCompareSwapStoresOnlyIfTheValueIsTheExpectedOne() {
        warmUp(Kind.COMPARE_SWAP);
        sender.postSend(request.compareAndSwap(source.address(), source.rkey(), SENT_WORD + 1, 7));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        assertEquals(SENT_WORD, source.segment().get(JAVA_LONG, 0));
        sender.postSend(request.compareAndSwap(source.address(), source.rkey(), SENT_WORD, 7));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        assertEquals(SENT_WORD, target.segment().get(JAVA_LONG, 0));
        assertEquals(7, source.segment().get(JAVA_LONG, 0));
    }

    @Test
    void aReadOfSeveralPacketsUsesOnePsnForEachPacketOfTheResponse() {
        afterWarmUp(Kind.READ);
        int before = sender.query().sqPsn();
        int mtu = sender.localInfo().mtu().bytes();
        sender.postSend(request.sge(target, 0, LONG_MESSAGE));
        assertEquals(WcStatus.SUCCESS, completed(cq));
        assertEquals(LONG_MESSAGE, completions.byteLength(0));
        assertEquals(-1, target.segment().mismatch(source.segment()));
        assertEquals(before + (LONG_MESSAGE + mtu - 1) / mtu & 0xFFFFFF, sender.query().sqPsn());
        assertEquals(sender.query().sqPsn(), receiver.query().rqPsn());
    }

    @Test
    void anUnsignaledReadHasNoCompletion() {
        afterWarmUp(Kind.READ);
        sender.postSend(request.flags(0));
        assertEquals(0, cq.poll(completions));
        assertEquals(SENT_WORD, target.segment().get(JAVA_LONG, BYTES - 8));
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aWrongLkeyIsALocalProtectionError(Kind kind) {
        assertEquals(WcStatus.LOC_PROT_ERR,
                after(kind, each -> each.sge(0, target.address(), kind.bytes, target.lkey() ^ 0x100)));
        assertNothingWritten();
        assertEquals(QpState.ERR, sender.state());
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aRegionWithoutLocalWriteIsALocalProtectionError(Kind kind) {
        MemoryRegion readOnly = pd.allocate(BYTES, 0);
        assertEquals(WcStatus.LOC_PROT_ERR, after(kind, each -> each.sge(readOnly, 0, kind.bytes)));
        assertEquals(0, readOnly.segment().get(JAVA_LONG, 0));
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aWrongRkeyIsARemoteAccessError(Kind kind) {
        afterWarmUp(kind);
        sender.postSend(named(kind, source.address(), source.rkey() ^ 0x100));
        assertRefusedByPeer(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aRangeBeyondTheRemoteRegionIsARemoteAccessError(Kind kind) {
        afterWarmUp(kind);
        sender.postSend(named(kind, source.address() + LONG_MESSAGE, source.rkey()));
        assertRefusedByPeer(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aRegionWithoutTheRightIsARemoteAccessError(Kind kind) {
        MemoryRegion written = pd.allocate(BYTES, Access.LOCAL_WRITE | Access.REMOTE_WRITE);
        afterWarmUp(kind);
        sender.postSend(named(kind, written.address(), written.rkey()));
        assertRefusedByPeer(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aDeregisteredRegionIsARemoteAccessError(Kind kind) {
        MemoryRegion former = pd.allocate(BYTES, ALL);
        former.segment().fill(SENT);
        warmUp(kind);
        request = named(kind, former.address(), former.rkey());
        for (int i = 0; i < WARM_UP; i++) {
            executeSuccessfully(kind);
        }
        target.segment().fill((byte) 0);
        former.close();
        sender.postSend(request);
        assertRefusedByPeer(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void aSourceInAClosedArenaIsARemoteAccessError(Kind kind) {
        Arena arena = Arena.ofShared();
        MemoryRegion former = pd.registerMemory(arena.allocate(BYTES, Long.BYTES).fill(SENT), ALL);
        warmUp(kind);
        request = named(kind, former.address(), former.rkey());
        for (int i = 0; i < WARM_UP; i++) {
            executeSuccessfully(kind);
        }
        target.segment().fill((byte) 0);
        arena.close();
        sender.postSend(request);
        assertRefusedByPeer(WcStatus.REM_ACCESS_ERR);
    }

    @ParameterizedTest
    @CsvSource({"READ, 3", "FETCH_ADD, 7", "COMPARE_SWAP, 7"})
    void aPeerWithoutTheRightRefusesTheRequest(Kind kind, int flags) {
        afterWarmUp(kind);
        int without = kind == Kind.READ ? flags & ~Access.REMOTE_READ : flags & ~Access.REMOTE_ATOMIC;
        receiver.modify(QpAttributes.builder().state(QpState.RTS).accessFlags(without).build());
        sender.postSend(request);
        assertRefusedByPeer(WcStatus.REM_INV_REQ_ERR);
    }

    @ParameterizedTest
    @EnumSource(names = {"FETCH_ADD", "COMPARE_SWAP"})
    void anAddressThatIsNotAlignedIsARemoteInvalidRequest(Kind kind) {
        afterWarmUp(kind);
        sender.postSend(named(kind, source.address() + 4, source.rkey()));
        assertRefusedByPeer(WcStatus.REM_INV_REQ_ERR);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 12})
    void anAtomicOfAnotherLengthIsALocalLengthError(int length) {
        assertEquals(WcStatus.LOC_LEN_ERR, after(Kind.FETCH_ADD, each -> each.sge(target, 0, length)));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void anInlineRequestIsRefused(Kind kind) {
        afterWarmUp(kind);
        assertEquals(Errno.EINVAL.code(),
                sender.tryPostSend(request.flags(SendFlags.SIGNALED | SendFlags.INLINE)));
        assertNothingWritten();
    }

    @ParameterizedTest
    @EnumSource(names = {"READ", "FETCH_ADD", "COMPARE_SWAP"})
    void maxRdAtomicOfZeroRefusesTheRequest(Kind kind) {
        afterWarmUp(kind);
        sender.modify(QpAttributes.builder().state(QpState.SQD).build());
        sender.modify(QpAttributes.builder().state(QpState.SQD).maxRdAtomic(0).build());
        sender.modify(QpAttributes.builder().state(QpState.RTS).build());
        assertEquals(Errno.EINVAL.code(), sender.tryPostSend(request));
        assertNothingWritten();
    }

    private SendWorkRequest named(Kind kind, long address, int rkey) {
        return switch (kind) {
            case READ -> request(kind).remote(address, rkey);
            case FETCH_ADD -> request(kind).fetchAndAdd(address, rkey, 0);
            default -> request(kind).compareAndSwap(address, rkey, 0, 1);
        };
    }
}
