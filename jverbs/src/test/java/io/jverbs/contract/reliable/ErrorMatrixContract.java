package io.jverbs.contract.reliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.MwType;
import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Window;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests one faulty request on a reliable connection: completions, events and states of both ends. */
final class ErrorMatrixContract extends VerbsContract {
    private static final int GARBAGE = 0x0BADBAD0;
    private static final int LATER = 99;

    /** A request of each kind, by name. */
    private enum Kind {
        SEND, WRITE, WRITE_IMM, READ, CAS, FAA
    }

    private Pair pair() {
        return rcPair(this::apart);
    }

    private PairOptions apart(PairOptions options) {
        return options.timeout(shortTimeout()).retry(fewRetries()).rnrRetry(1).minRnrTimer(1)
                .left(o -> o.separateCqs(left))
                .right(o -> o.separateCqs(right));
    }

    private static SendSpec request(Kind kind, long address, int rkey, Sge local) {
        return switch (kind) {
            case SEND -> SendSpec.send(local);
            case WRITE -> SendSpec.write(address, rkey, local);
            case WRITE_IMM -> SendSpec.writeImm(1, address, rkey, local);
            case READ -> SendSpec.read(address, rkey, local);
            case CAS -> SendSpec.compareAndSwap(address, rkey, 0, 1, local);
            case FAA -> SendSpec.fetchAndAdd(address, rkey, 1, local);
        };
    }

    /**
     * Posts the faulty request and another one behind it. Asserts that the first fails with one of the statuses, the
     * second is flushed, and no other completion arrives.
     */
    private void assertFails(Pair pair, SendSpec request, WcStatus... statuses) {
        pair.left().post(request.id(1), write(right.region(8), left.region(8).sge()).id(LATER));
        expect(pair.left().awaitSend()).status(statuses).id(1).qp(pair.left());
        assertFlushed(pair.left().sendCq(), LATER);
        pair.left().sendCq().assertQuiet();
        pair.left().awaitState(QpState.ERR);
    }

    private void assertEvent(Pair pair, AsyncEventType... accepted) {
        AsyncInfo event = right.end().awaitAsyncEvent(End.MAIN, 5_000);
        assertTrue(event != null && List.of(accepted).contains(event.type()), () -> "event " + event);
        assertEquals(pair.right().id(), event.qp());
        right.end().ackAsyncEvent(event.id());
        right.assertNoAsync();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Catalogue({"F35", "F34"})
    void anUnknownLocalKeyFailsTheRequesterOnly(Kind kind) {
        Pair pair = pair();
        pair.right().postRecv(recv(right.region(8).sge()).id(5));
        Region target = right.region(8);
        assertFails(pair, request(kind, target.address(), target.rkey(), Sge.raw(left.region(8).address(), 8, GARBAGE)),
                WcStatus.LOC_PROT_ERR);
        pair.right().assertStays(QpState.RTS);
        pair.right().recvCq().assertQuiet();
        right.assertNoAsync();
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    @Catalogue("F35")
    void aLocalElementBeyondItsRegionFailsTheRequesterOnly(Kind kind) {
        Pair pair = pair();
        pair.right().postRecv(recv(right.region(8).sge()).id(5));
        Region target = right.region(8);
        Region local = left.region(8);
        assertFails(pair, request(kind, target.address(), target.rkey(), local.sge(1, 8)), WcStatus.LOC_PROT_ERR);
        pair.right().assertStays(QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"READ", "CAS", "FAA"})
    @Catalogue({"F35", "B31", "F19"})
    void aResultThatCannotBeWrittenFailsTheRequesterOnly(Kind kind) {
        Pair pair = pair();
        Region target = right.region(8);
        Region readOnly = left.region(8, Access.REMOTE_READ);
        assertFails(pair, request(kind, target.address(), target.rkey(), readOnly.sge()), WcStatus.LOC_PROT_ERR);
        assertEquals(kind == Kind.READ ? 0 : 1, target.load(0));
        pair.right().assertStays(QpState.RTS);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"WRITE", "WRITE_IMM", "READ", "CAS", "FAA"})
    @Catalogue({"F35", "F36", "F40"})
    void aWrongRemoteKeyFailsBothEnds(Kind kind) {
        Pair pair = pair();
        Region target = right.region(8);
        pair.right().postRecv(recv().id(5));
        assertFails(pair, request(kind, target.address(), GARBAGE, left.region(8).sge()), WcStatus.REM_ACCESS_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.WR_FLUSH_ERR, WcStatus.LOC_ACCESS_ERR, WcStatus.LOC_PROT_ERR)
                .id(5);
        pair.right().awaitState(QpState.ERR);
        assertEvent(pair, AsyncEventType.QP_ACCESS_ERR);
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"WRITE", "READ", "CAS", "FAA"})
    @Catalogue({"F35", "F20", "F10"})
    void aRegionWithoutTheRightFailsBothEnds(Kind kind) {
        Pair pair = pair();
        Region target = right.region(8, Access.LOCAL_WRITE);
        assertFails(pair, request(kind, target.address(), target.rkey(), left.region(8).sge()),
                WcStatus.REM_ACCESS_ERR);
        pair.right().awaitState(QpState.ERR);
        assertEvent(pair, AsyncEventType.QP_ACCESS_ERR);
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"WRITE", "READ"})
    @Catalogue({"F35", "F41"})
    void aRangeThatLeavesTheRegionFailsAndWritesNothing(Kind kind) {
        Pair pair = pair();
        Region target = right.region(4096);
        assertFails(pair, request(kind, target.address() + 1, target.rkey(), left.region(4096).fill(3).sge()),
                WcStatus.REM_ACCESS_ERR);
        target.assertZero();
        assertEvent(pair, AsyncEventType.QP_ACCESS_ERR);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"WRITE", "READ", "CAS", "FAA"})
    @Catalogue({"F35", "B29", "F20"})
    void aQueuePairThatGrantsNothingFailsTheRequest(Kind kind) {
        Pair pair = rcPair(o -> apart(o).right(r -> r.access(0)));
        Region target = right.region(8);
        assertFails(pair, request(kind, target.address(), target.rkey(), left.region(8).sge()),
                WcStatus.REM_INV_REQ_ERR,
                WcStatus.REM_ACCESS_ERR);
        pair.right().awaitState(QpState.ERR);
        assertEvent(pair, AsyncEventType.QP_REQ_ERR, AsyncEventType.QP_ACCESS_ERR);
        target.assertZero();
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"CAS", "FAA"})
    @Catalogue({"F14", "F35"})
    void anUnalignedAtomicIsInvalidWhateverItsKeys(Kind kind) {
        Pair pair = pair();
        Region target = right.region(16);
        assertFails(pair, request(kind, target.address() + 4, GARBAGE, Sge.raw(0, 8, GARBAGE)),
                WcStatus.REM_INV_REQ_ERR);
        pair.right().awaitState(QpState.ERR);
        assertEvent(pair, AsyncEventType.QP_REQ_ERR);
        target.assertZero();
    }

    @ParameterizedTest(name = "later {0}")
    @ValueSource(booleans = {false, true})
    @Catalogue("F35")
    void aSendLongerThanItsReceiveFailsBothEnds(boolean later) {
        Pair pair = rcPair(later, this::apart);
        Region sink = right.region(8);
        pair.right().postRecv(recv(sink.sge()).id(5), recv().id(6));
        assertFails(pair, send(left.region(9).fill(1).sge()), WcStatus.REM_INV_REQ_ERR);
        // rxe reports the receive as an invalid request
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_LEN_ERR, WcStatus.REM_INV_REQ_ERR).id(5);
        assertFlushed(pair.right().recvCq(), 6);
        pair.right().awaitState(QpState.ERR);
        sink.assertZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"bad key", "no right to write", "beyond the region", "another domain"})
    @Catalogue("F35")
    void aReceiveThatCannotBeWrittenFailsBothEnds(String fault) {
        Pair pair = pair();
        Region region = right.region(8);
        Sge sink = switch (fault) {
            case "bad key" -> Sge.raw(region.address(), 8, GARBAGE);
            case "no right to write" -> right.region(8, Access.REMOTE_READ).sge();
            case "beyond the region" -> region.sge(4, 8);
            default -> Sge.inRegion(right.end().allocateRegion(right.newPd(), 8, Access.LOCAL_WRITE).id(), 0, 8);
        };
        pair.right().postRecv(recv(sink).id(5), recv().id(6));
        assertFails(pair, send(left.region(8).sge()), WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.LOC_PROT_ERR, WcStatus.LOC_QP_OP_ERR).id(5);
        assertFlushed(pair.right().recvCq(), 6);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("F39")
    void aReceiveIsCheckedForTheBytesOfTheMessageOnly() {
        Pair pair = pair();
        Region sink = right.region(8);
        pair.right().postRecv(recv(sink.sge(0, 64)).id(5));
        expect(pair.left().execute(send(left.region(8).fill(2).sge()))).status(WcStatus.SUCCESS, WcStatus.REM_OP_ERR);
        expect(pair.right().awaitRecv()).status(WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR).id(5);
    }

    @ParameterizedTest
    @EnumSource(value = Kind.class, names = {"SEND", "WRITE_IMM"})
    @Catalogue({"F35", "F24"})
    void aMissingReceiveFailsTheSenderOnly(Kind kind) {
        Pair pair = pair();
        Region target = right.region(8);
        assertFails(pair, request(kind, target.address(), target.rkey(), left.region(8).sge()),
                WcStatus.RNR_RETRY_EXC_ERR);
        pair.right().assertStays(QpState.RTS);
        right.assertNoAsync();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ERR", "RESET", "destroyed"})
    @Catalogue({"F35", "F33"})
    void aPeerThatDoesNotRespondFailsTheSenderAfterItsRetries(String state) {
        Pair pair = pair();
        if (state.equals("destroyed")) {
            pair.right().destroy();
        } else {
            pair.right().modify(QpState.valueOf(state));
        }
        assertFails(pair, send(left.region(8).sge()), WcStatus.RETRY_EXC_ERR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"number", "psn ahead", "psn behind", "gid"})
    @Catalogue({"F33", "F29", "F30"})
    void aMisaddressedRequestIsDropped(String what) {
        Region target = right.region(8);
        Pair pair = rcPair(o -> {
            apart(o);
            switch (what) {
                case "number" -> o.left(l -> l.destQpn(0xABCDEF));
                case "psn ahead" -> o.left(l -> l.psn(1000)).right(r -> r.rqPsn(10));
                case "psn behind" -> o.left(l -> l.psn(10)).right(r -> r.rqPsn(1000));
                default -> o.right(r -> r.destGid(nowhere()));
            }
        });
        assertFails(pair, write(target, left.region(8).fill(1).sge()), WcStatus.RETRY_EXC_ERR);
        target.assertZero();
        pair.right().assertStays(QpState.RTS);
    }

    /** Returns an unused address of the family of the right end's address. */
    private Gid nowhere() {
        return Gid.parse(right.gid().isIpv4Mapped() ? "198.51.100.99" : "fd00::99");
    }

    @Test
    @Catalogue("F45")
    void packetsOfAnotherMtuAreInvalid() {
        Pair pair = rcPair(o -> apart(o).left(l -> l.mtu(Mtu.MTU_512)).right(r -> r.mtu(Mtu.MTU_1024)));
        assertFails(pair, write(right.region(2048), left.region(2048).sge()), WcStatus.REM_INV_REQ_ERR);
        pair.right().awaitState(QpState.ERR);
    }

    private Window boundTo(Qp qp, Region region) {
        Window window = right.window(MwType.TYPE_2);
        qp.succeed(window.bind(window.nextRkey(), region.range(0, 8, Access.REMOTE_WRITE)));
        return window;
    }

    @ParameterizedTest
    @ValueSource(strings = {"unknown", "type 1", "another queue pair's", "a region's"})
    @Catalogue({"F37", "F35", "B45", "B49"})
    void aKeyThatCannotBeInvalidatedFailsTheReceiver(String key) {
        Pair pair = pair();
        Region region = right.region(8, Access.LOCAL_WRITE | Access.MW_BIND);
        int rkey = switch (key) {
            case "unknown" -> GARBAGE;
            case "type 1" -> right.window(MwType.TYPE_1).rkey();
            case "another queue pair's" -> boundTo(pair().right(), region).rkey();
            default -> region.rkey();
        };
        pair.right().postRecv(recv().id(5));
        pair.left().post(SendSpec.sendInv(rkey).signaled().id(1));
        expect(pair.right().awaitRecv()).error().id(5);
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("F38")
    void aWindowStaysBoundWhenTheInvalidatingSendFindsNoReceive() {
        Pair pair = pair();
        Region region = right.region(8, Access.LOCAL_WRITE | Access.MW_BIND);
        Window window = boundTo(pair.right(), region);
        pair.left().post(SendSpec.sendInv(window.rkey()).signaled().id(1));
        expect(pair.left().awaitSend()).status(WcStatus.RNR_RETRY_EXC_ERR).id(1);
        pair.left().modify(QpState.RESET);
        pair.left().connect(pair.right());
        assertErrnoOnClose(region);
    }

    /** Asserts that the region cannot be deregistered while a window is bound to it. */
    private void assertErrnoOnClose(Region region) {
        assertErrno(Errno.EBUSY, region::destroy, Errno.EINVAL);
    }

    @Test
    @Catalogue({"F42", "F43"})
    void oneSidedOperationsGenerateNoCompletionAtThePeer() {
        Pair pair = pair();
        Region target = right.region(8);
        Region local = left.region(8);
        pair.right().postRecv(recv().id(5));
        pair.left().succeed(write(target, local.sge()));
        pair.left().succeed(read(target, local.sge()));
        pair.left().succeed(fetchAndAdd(target, 1, local.sge()));
        pair.right().recvCq().assertQuiet();
        right.assertNoAsync();
        pair.left().succeed(SendSpec.writeImm(4, 0x1234, GARBAGE));
        expect(pair.right().awaitRecv()).success().id(5).immediate(4).bytes(0);
    }
}
