package io.jverbs.contract.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Access;
import io.jverbs.AsyncEventType;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.PortState;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.WcStatus;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Job;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Waits;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.AsyncInfo;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests asynchronous events: what raises them, which context receives them, and their acknowledgement. */
final class AsyncEventContract extends VerbsContract {
    private static final int PORT = 1;

    /** Moves the right queue pair to ERR by a WRITE without the access right. */
    private Pair accessError() {
        Pair pair = rcPair(o -> o.left(l -> l.separateCqs(left)).right(r -> r.separateCqs(right)));
        expect(pair.left().execute(write(right.region(8, Access.LOCAL_WRITE), left.region(8).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        return pair;
    }

    @Test
    @Catalogue("J1")
    void pollingWithoutEventsReturnsNull() {
        assertNull(left.end().awaitAsyncEvent(End.MAIN, 0));
    }

    @Test
    @Catalogue("J1")
    void aWaitBlocksUntilAnEventIsRaised() {
        Pair pair = rcPair();
        Job waiting = right.background(end -> end.awaitAsyncEvent(End.MAIN, 20_000));
        waiting.assertBlocked();
        pair.left().execute(write(right.region(8, 0), left.region(8).sge()));
        AsyncInfo event = (AsyncInfo) waiting.await();
        assertEquals(pair.right().id(), event.qp());
        right.end().ackAsyncEvent(event.id());
    }

    @Test
    @Catalogue("J2")
    void destroyBlocksUntilEventsAreAcknowledged() {
        Pair pair = accessError();
        AsyncInfo event = right.end().awaitAsyncEvent(End.MAIN, 5_000);
        assertEquals(pair.right().id(), event.qp());
        Job closing = right.background(end -> end.destroy(pair.right().id()));
        closing.assertBlocked();
        right.end().ackAsyncEvent(event.id());
        closing.await();
    }

    @Test
    @Catalogue("J2")
    void unretrievedEventsAreDiscardedWithTheirObject() {
        Pair pair = accessError();
        pair.right().awaitState(QpState.ERR);
        pair.right().destroy();
        right.assertNoAsync();
    }

    @ParameterizedTest
    @CsvSource({"CQ_ERR,0", "QP_FATAL,1", "QP_REQ_ERR,2", "QP_ACCESS_ERR,3", "COMM_EST,4", "SQ_DRAINED,5", "PATH_MIG,6",
        "PATH_MIG_ERR,7", "DEVICE_FATAL,8", "PORT_ACTIVE,9", "PORT_ERR,10", "LID_CHANGE,11", "PKEY_CHANGE,12",
        "SM_CHANGE,13", "SRQ_ERR,14", "SRQ_LIMIT_REACHED,15", "QP_LAST_WQE_REACHED,16", "CLIENT_REREGISTER,17",
        "GID_CHANGE,18", "WQ_FATAL,19", "DEVICE_SPEED_CHANGE,20"})
    @Catalogue("J3")
    void eachEventHasItsNumber(AsyncEventType type, int number) {
        assertEquals(number, type.code());
        assertEquals(type, AsyncEventType.of(number));
    }

    @Test
    @Catalogue({"J4", "J5"})
    void aWriteWithoutRightRaisesAnAccessErrorEvent() {
        Pair pair = accessError();
        AsyncInfo event = right.awaitAsync(AsyncEventType.QP_ACCESS_ERR);
        assertEquals(pair.right().id(), event.qp());
        assertEquals(List.of(End.NONE, End.NONE, 0), List.of(event.cq(), event.srq(), event.port()));
        pair.right().awaitState(QpState.ERR);
    }

    @Test
    @Catalogue("J5")
    void aReadWithoutRightRaisesAnAccessErrorEvent() {
        Pair pair = rcPair();
        expect(pair.left().execute(read(right.region(8, Access.LOCAL_WRITE), left.region(8).sge())))
                .status(WcStatus.REM_ACCESS_ERR);
        assertEquals(pair.right().id(), right.awaitAsync(AsyncEventType.QP_ACCESS_ERR).qp());
    }

    @Test
    @Catalogue("J6")
    void anInvalidRequestRaisesARequestErrorEvent() {
        Pair pair = rcPair(o -> o.right(r -> r.access(0)));
        pair.left().execute(write(right.region(8), left.region(8).sge()));
        AsyncInfo event = right.end().awaitAsyncEvent(End.MAIN, Waits.deadline());
        assertNotNull(event, "no asynchronous event came");
        // some devices report an access error
        assertTrue(List.of(AsyncEventType.QP_REQ_ERR, AsyncEventType.QP_ACCESS_ERR).contains(event.type()),
                event::toString);
        assertEquals(pair.right().id(), event.qp());
        right.end().ackAsyncEvent(event.id());
    }

    @Test
    @Catalogue("J8")
    void anErrorReportedByACompletionRaisesNoEvent() {
        Pair pair = rcPair();
        pair.right().postRecv(recv(right.region(8).sge()).id(1), recv().id(2));
        expect(pair.left().execute(send(left.region(9).sge()))).status(WcStatus.REM_INV_REQ_ERR);
        pair.right().awaitState(QpState.ERR);
        right.assertNoAsync();
        left.assertNoAsync();
    }

    @Test
    @Catalogue("J9")
    void aPulledCableRaisesPortErrAndTrafficTimesOut() {
        requires(right, Ability.PORT_CONTROL);
        Pair pair = rcPair(o -> o.timeout(silentPeerTimeout()).retry(1));
        right.end().pullCable(PORT);
        assertEquals(PORT, right.awaitAsync(AsyncEventType.PORT_ERR).port());
        assertEquals(PortState.DOWN, right.end().queryPort(End.MAIN, PORT).state());
        expect(pair.left().execute(send())).status(WcStatus.RETRY_EXC_ERR);
        pair.right().assertStays(QpState.RTS);
        right.end().plugCable(PORT);
        right.awaitAsync(AsyncEventType.PORT_ACTIVE);
        assertEquals(PortState.ACTIVE, right.end().queryPort(End.MAIN, PORT).state());
        left.drainAsync();
        assertDelivers(rcPair());
    }

    @Test
    @Catalogue("J9")
    void aMessageIsRetriedUntilTheCableIsPluggedIn() {
        requires(right, Ability.PORT_CONTROL);
        Pair pair = rcPair(o -> o.timeout(14).retry(7));
        pair.right().postRecv(recv().id(4));
        right.end().pullCable(PORT);
        pair.left().post(send().signaled().id(3));
        assertNoCompletion(pair.left().sendCq());
        right.end().plugCable(PORT);
        expect(pair.left().awaitSend()).success().id(3);
        expect(pair.right().awaitRecv()).success().id(4);
        right.drainAsync();
        left.drainAsync();
    }

    @Test
    @Catalogue({"J10", "A19"})
    void addingAndRemovingAGidRaisesGidChange() {
        requires(right, Ability.PORT_CONTROL);
        int index = right.end().addGid(PORT, Gid.parse("fd00::77"));
        assertEquals(PORT, right.awaitAsync(AsyncEventType.GID_CHANGE).port());
        right.end().removeGid(PORT, index);
        right.awaitAsync(AsyncEventType.GID_CHANGE);
    }

    @Test
    @Catalogue("J11")
    void aRemovedDeviceRaisesDeviceFatalAndItsObjectsCanBeClosed() {
        Side spare = spare();
        requires(spare, Ability.REMOVAL);
        Pair pair = pair(QpType.RC, spare, spare, o -> {});
        pair.right().postRecv(recv().id(1));
        spare.end().removeDevice();
        assertTrue(spare.end().deviceRemoved());
        boolean fatal = false;
        for (AsyncInfo event : spare.drainAsync()) {
            fatal |= event.type() == AsyncEventType.DEVICE_FATAL;
        }
        assertTrue(fatal, "DEVICE_FATAL should be raised");
        assertErrno(Errno.EIO, () -> spare.end().queryDevice(End.MAIN));
        assertErrno(Errno.EIO, spare::newPd);
        assertEquals(Errno.EIO.code(), pair.left().tryPost(send()).errno());
        pair.right().recvCq().poll(8).forEach(wc -> expect(wc).flushed());
        pair.left().destroy();
        pair.right().destroy();
    }

    @Test
    @Catalogue("J12")
    void anEventOfAnObjectIsDeliveredToItsContextOnly() {
        int other = right.end().openContext();
        accessError();
        right.awaitAsync(AsyncEventType.QP_ACCESS_ERR);
        assertNull(right.end().awaitAsyncEvent(other, 50));
    }

    @Test
    @Catalogue("J12")
    void anEventOfAPortIsDeliveredToEveryContext() {
        requires(right, Ability.PORT_CONTROL);
        int other = right.end().openContext();
        right.end().pullCable(PORT);
        right.awaitAsync(AsyncEventType.PORT_ERR);
        right.awaitAsync(other, AsyncEventType.PORT_ERR);
        right.end().plugCable(PORT);
        right.awaitAsync(AsyncEventType.PORT_ACTIVE);
        right.awaitAsync(other, AsyncEventType.PORT_ACTIVE);
        left.drainAsync();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Catalogue("J13")
    void drainingRaisesOneEventIfRequested(boolean requested) {
        Pair pair = rcPair();
        Qp qp = pair.left();
        qp.modify(QpAttr.to(QpState.SQD).sqdNotify(requested));
        if (requested) {
            assertEquals(qp.id(), left.awaitAsync(AsyncEventType.SQ_DRAINED).qp());
        }
        pair.right().postRecv(recv());
        qp.post(send().signaled());
        left.assertNoAsync();
        qp.modify(QpState.RTS);
        expect(qp.awaitSend()).success();
        qp.modify(QpState.SQD);
        left.assertNoAsync();
        assertFalse(qp.query().draining());
    }
}
