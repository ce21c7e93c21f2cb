package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpCapabilities;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Cq;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.Infos.QpInfo;
import io.jverbs.contract.end.QpSpec;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.fixture.Catalogue;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the creation of queue pairs: their objects, their sizes, and what is refused. */
final class QpCreationContract extends QpStates {

    /** A size of a queue pair. */
    enum Size {
        SEND_WR, RECV_WR, SEND_SGE, RECV_SGE;

        int limit(Side side) {
            return this == SEND_WR || this == RECV_WR ? side.device().maxQpWr() : side.device().maxSge();
        }

        QpSpec ask(QpSpec spec, int count) {
            return switch (this) {
                case SEND_WR -> spec.wrs(count, 1);
                case RECV_WR -> spec.wrs(1, count);
                case SEND_SGE -> spec.maxSges(count, 1);
                case RECV_SGE -> spec.maxSges(1, count);
            };
        }

        int granted(QpInfo made) {
            return switch (this) {
                case SEND_WR -> made.capabilities().maxSendWr();
                case RECV_WR -> made.capabilities().maxRecvWr();
                case SEND_SGE -> made.capabilities().maxSendSge();
                case RECV_SGE -> made.capabilities().maxRecvSge();
            };
        }
    }

    private QpSpec spec(QpType type) {
        return QpSpec.of(type, left.pd(), left.cq().id());
    }

    private QpInfo create(QpSpec spec) {
        return left.end().createQp(spec);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D1")
    void aNewQueuePairIsInResetAndReturnsItsObjects(QpType type) {
        Cq sends = left.cq();
        Cq receives = left.cq();
        Srq srq = left.srq(16, 1);
        QpInfo shared = create(QpSpec.of(type, left.pd(), End.NONE).cqs(sends.id(), receives.id()).srq(srq.id()));
        assertEquals(QpState.RESET, left.end().qpState(shared.id()));
        assertEquals(type, shared.type());
        assertEquals(left.pd(), shared.pd());
        assertEquals(sends.id(), shared.sendCq());
        assertEquals(receives.id(), shared.recvCq());
        assertEquals(srq.id(), shared.srq());
        assertEquals("qp-" + shared.id(), shared.userContext());
        QpInfo own = create(QpSpec.of(type, left.newPd(), receives.id()));
        assertEquals(receives.id(), own.sendCq());
        assertEquals(End.NONE, own.srq());
        assertEquals("qp-" + own.id(), own.userContext());
    }

    @Test
    @Catalogue("D1")
    void qpnsAreAbove1AndOf24BitsAndUnique() {
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < 48; i++) {
            QpType type = QpType.values()[i % 3];
            int number = create(spec(type)).number();
            assertTrue(number > 1 && number < 1 << 24, () -> "number " + Integer.toHexString(number));
            assertTrue(seen.add(number), () -> "number " + Integer.toHexString(number) + " was given twice");
        }
    }

    @ParameterizedTest(name = "{0} {1}/{2} requests of {3}/{4} elements, {5} bytes inline")
    @CsvSource({"RC, 1, 1, 1, 1, 0", "RC, 3, 5, 2, 3, 7", "RC, 100, 17, 4, 1, 64", "UC, 7, 9, 3, 2, 33",
        "UD, 33, 65, 1, 2, 100", "UD, 1, 1000, 1, 1, 0"})
    @Catalogue("D2")
    void atLeastTheRequestedCapabilitiesAreGranted(QpType type, int sends, int receives, int sendSges, int recvSges,
            int inline) {
        QpInfo made = create(spec(type).wrs(sends, receives).maxSges(sendSges, recvSges).inline(inline));
        QpCapabilities granted = made.capabilities();
        assertTrue(granted.maxSendWr() >= sends, granted::toString);
        assertTrue(granted.maxRecvWr() >= receives, granted::toString);
        assertTrue(granted.maxSendSge() >= sendSges, granted::toString);
        assertTrue(granted.maxRecvSge() >= recvSges, granted::toString);
        assertTrue(granted.maxInlineData() >= inline, granted::toString);
        assertEquals(granted, left.end().queryQpObject(made.id()).capabilities());
    }

    @Test
    @Catalogue("D2")
    void grantedCapabilitiesCanBeUsed() {
        Pair pair = rcPair(o -> o.left(l -> l.wrs(3, 1).sges(3, 1).inline(21)));
        QpCapabilities granted = pair.left().info().capabilities();
        Region target = right.region(4096);
        byte[] most = new byte[granted.maxInlineData()];
        most[most.length - 1] = 42;
        pair.left().succeed(write(target, Sge.inline(most)).inline());
        assertEquals(42, target.bytes(most.length - 1L, 1)[0]);
        Region source = left.region(granted.maxSendSge()).fill(5);
        Sge[] bytes = new Sge[granted.maxSendSge()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = source.sge(i, 1);
        }
        pair.left().succeed(write(target, bytes));
        target.assertHolds(0, bytes.length, 5);
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("D3")
    @ResourceLock(GIBIBYTES)
    void theLimitOfTheDeviceIsGranted(Size size) {
        int limit = size.limit(left);
        for (QpType type : new QpType[] {QpType.RC, QpType.UC, QpType.UD}) {
            QpInfo made = create(size.ask(spec(type), limit));
            assertTrue(size.granted(made) >= limit, made::toString);
            left.end().destroy(made.id());
        }
    }

    @ParameterizedTest
    @EnumSource
    @Catalogue("D3")
    void moreThanTheLimitIsRefused(Size size) {
        int limit = size.limit(left);
        for (int count : new int[] {limit + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE}) {
            assertErrno(Errno.EINVAL, () -> create(size.ask(spec(QpType.RC), count)), Errno.ENOMEM);
            assertErrno(Errno.EINVAL, () -> create(size.ask(spec(QpType.UD), count)), Errno.ENOMEM);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE})
    @Catalogue("D3")
    void anInvalidInlineSizeIsRefused(int bytes) {
        assertErrno(Errno.EINVAL, () -> create(spec(QpType.RC).inline(bytes)), Errno.ENOMEM);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D3")
    void aQueuePairWithoutWorkRequestsIsLegal(QpType type) {
        Pair pair = pair(type, o -> o.wrs(0, 0));
        QpCapabilities granted = pair.left().info().capabilities();
        assertEquals(QpState.RTS, pair.left().state());
        // devices may grant more than 0
        if (granted.maxSendWr() == 0) {
            SendSpec request = message(pair, 1);
            assertEquals(Errno.ENOMEM.code(), pair.left().tryPost(request).errno());
        }
        if (granted.maxRecvWr() == 0) {
            assertEquals(Errno.ENOMEM.code(), pair.left().tryPostRecv(new Inbox(pair.left()).next()).errno());
        }
    }

    @Test
    @Catalogue("D3")
    void aQueuePairWithoutWorkRequestsStillResponds() {
        Pair pair = rcPair(o -> o.right(r -> r.wrs(0, 0)));
        Region target = right.region(64);
        pair.left().succeed(write(target, left.region(64).fill(3).sge()));
        target.assertHolds(3);
        Region back = left.region(64);
        pair.left().succeed(read(target, back.sge()));
        back.assertHolds(3);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D4")
    void aMissingCompletionQueueIsRefused(QpType type) {
        int cq = left.cq().id();
        assertErrno(Errno.EINVAL, () -> create(spec(type).cqs(End.NONE, cq)));
        assertErrno(Errno.EINVAL, () -> create(spec(type).cqs(cq, End.NONE)));
        assertErrno(Errno.EINVAL, () -> create(spec(type).cqs(End.NONE, End.NONE)));
        // refused queue pairs do not use it
        left.end().destroy(cq);
    }

    @Test
    @Catalogue("D4")
    void aClosedCompletionQueueOrSharedQueueIsRefused() {
        Cq closed = left.cq();
        closed.destroy();
        assertRefused(IllegalStateException.class, () -> create(spec(QpType.RC).cqs(closed.id(), left.cq().id())));
        assertRefused(IllegalStateException.class, () -> create(spec(QpType.RC).cqs(left.cq().id(), closed.id())));
        Srq srq = left.srq(4, 1);
        srq.destroy();
        assertRefused(IllegalStateException.class, () -> create(spec(QpType.RC).srq(srq.id())));
        int pd = left.newPd();
        left.end().destroy(pd);
        assertRefused(IllegalStateException.class, () -> create(spec(QpType.RC).pd(pd)));
    }

    @Test
    @Catalogue("D4")
    void objectsOfAnotherContextAreRefused() {
        int other = left.end().openContext();
        int foreignCq = left.end().createCq(other, 16, End.NONE, 0).id();
        int foreignPd = left.end().allocatePd(other);
        int foreignSrq = left.end().createSrq(foreignPd, 4, 1, 0).id();
        int own = left.cq().id();
        assertErrno(Errno.EINVAL, () -> create(spec(QpType.RC).cqs(foreignCq, own)), Errno.ENOENT);
        assertErrno(Errno.EINVAL, () -> create(spec(QpType.RC).cqs(own, foreignCq)), Errno.ENOENT);
        assertErrno(Errno.EINVAL, () -> create(spec(QpType.RC).srq(foreignSrq)), Errno.ENOENT);
        assertErrno(Errno.EINVAL, () -> create(spec(QpType.RC).pd(foreignPd)), Errno.ENOENT);
        left.end().destroy(foreignCq);
        left.end().destroy(foreignSrq);
        left.end().destroy(foreignPd);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 5, 6, 7, 11, 12, 254, 256, Integer.MAX_VALUE})
    @Catalogue("D4")
    void anUnknownTypeIsRefused(int type) {
        assertErrno(Errno.EOPNOTSUPP, () -> create(spec(QpType.RC).type(type)), Errno.EINVAL);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D5")
    void withASharedQueueTheSizesOfTheReceiveQueueAreIgnored(QpType type) {
        Srq srq = left.srq(4, 1);
        int[] sizes = {0, -1, Integer.MAX_VALUE, left.device().maxQpWr() + 1};
        for (int size : sizes) {
            QpInfo made = create(spec(type).srq(srq.id()).wrs(4, size).maxSges(1, size));
            assertEquals(srq.id(), made.srq());
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D5")
    void everyTypeReceivesFromASharedQueue(QpType type) {
        Srq srq = right.srq(4, 2);
        Pair pair = pair(type, o -> apart(o).right(r -> r.srq(srq)));
        Inbox inbox = new Inbox(pair.right());
        RecvSpec[] receives = {inbox.next(), inbox.next()};
        srq.post(receives);
        deliver(pair, 8);
        deliver(pair, 9);
        inbox.assertReceives(0, 8);
        inbox.assertReceives(1, 9);
        Qp second = right.qp(type, new QpOptions().srq(srq));
        assertEquals(srq.id(), second.info().srq());
        assertEquals(Collections.emptyList(), second.recvCq().poll(1));
    }
}
