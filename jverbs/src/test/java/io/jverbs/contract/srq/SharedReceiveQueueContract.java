package io.jverbs.contract.srq;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.QpType;
import io.jverbs.SrqAttributes;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Srq;
import io.jverbs.contract.end.Infos.PostResult;
import io.jverbs.contract.end.RecvSpec;
import io.jverbs.contract.end.Sge;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.fixture.Catalogue;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests shared receive queues after a refusal: requests posted before it are in the queue, in order, and nothing else
 * changed.
 */
final class SharedReceiveQueueContract extends QpStates {

    /** A bit of the device's capability flags. */
    private static final long SRQ_RESIZE = 1L << 13;

    private static final PostResult FULL = new PostResult(Errno.ENOMEM.code(), 0);

    private Pair sharing(Srq srq) {
        return rcPair(o -> apart(o).wrs(64, 1).right(r -> r.srq(srq)));
    }

    private static RecvSpec[] requests(int first, int count) {
        return IntStream.range(first, first + count).mapToObj(id -> recv().id(id)).toArray(RecvSpec[]::new);
    }

    /** Asserts that messages use these receive requests, in this order. */
    private static void assertUses(Pair pair, long... ids) {
        for (long id : ids) {
            pair.left().succeed(send());
            expect(pair.right().awaitRecv()).success().id(id).qp(pair.right());
        }
    }

    // Sizes

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 2", "100, 4", "1000, 1"})
    @Catalogue("I1")
    void atLeastTheRequestedSizeIsGranted(int maxWr, int maxSge) {
        Srq srq = left.srq(maxWr, maxSge);
        SrqAttributes granted = srq.query();
        assertTrue(granted.maxWr() >= maxWr, granted::toString);
        assertTrue(granted.maxSge() >= maxSge, granted::toString);
        assertEquals(0, granted.limit());
        srq.post(requests(0, maxWr));
        srq.destroy();
    }

    // Posting

    @Test
    @Catalogue("I2")
    void exactlyAsManyReceivesAsTheQueueHoldsCanBePosted() {
        Srq srq = right.srq(4, 1);
        for (int i = 0; i < srq.maxWr(); i++) {
            srq.post(recv().id(i));
        }
        assertEquals(FULL, srq.tryPost(recv().id(100)));
        assertErrno(Errno.ENOMEM, () -> right.end().postSrqReceive(srq.id(), List.of(recv().id(101))));
        assertUses(sharing(srq), 0);
        srq.post(recv().id(102));
        assertEquals(FULL, srq.tryPost(recv().id(103)));
    }

    @Test
    @Catalogue("I2")
    void aChainThatOverflowsTheQueueIsPostedUpToTheOverflow() {
        Srq srq = right.srq(4, 1);
        int room = srq.maxWr();
        assertEquals(new PostResult(Errno.ENOMEM.code(), room), srq.tryPost(requests(0, room + 3)));
        Pair pair = sharing(srq);
        assertUses(pair, IntStream.range(0, room).asLongStream().toArray());
        srq.post(recv().id(1000));
        assertUses(pair, 1000);
    }

    @Test
    @Catalogue("I2")
    void aReceiveWithTooManyElementsIsRefusedWithThoseBehindIt() {
        Srq srq = right.srq(4, 2);
        Sge[] tooMany = new Sge[srq.maxSge() + 1];
        Region sink = right.region(64);
        for (int i = 0; i < tooMany.length; i++) {
            tooMany[i] = sink.sge(i, 1);
        }
        assertEquals(new PostResult(Errno.EINVAL.code(), 1),
                srq.tryPost(recv().id(1), recv(tooMany).id(2), recv().id(3)));
        assertErrno(Errno.EINVAL, () -> right.end().postSrqReceive(srq.id(), List.of(recv(tooMany))));
        srq.post(recv().id(4));
        assertUses(sharing(srq), 1, 4);
        sink.assertZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @Catalogue("I2")
    void anEndlessChainFillsTheQueueAndIsThenRefused(int length) {
        Srq srq = right.srq(4, 1);
        int room = srq.maxWr();
        assertEquals(new PostResult(Errno.ENOMEM.code(), room % length),
                right.end().tryPostSrqReceiveCycle(srq.id(), List.of(requests(0, length))));
        assertUses(sharing(srq), IntStream.range(0, room).mapToLong(i -> i % length).toArray());
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("I3")
    void aQueuePairWithASharedQueueRefusesItsOwnReceives(QpType type) {
        SharedInbox inbox = new SharedInbox(right, 4);
        Pair pair = pair(type, o -> apart(o).right(r -> r.srq(inbox.srq())));
        Region own = right.region(128);
        PostResult refused = new PostResult(Errno.EINVAL.code(), 0);
        assertEquals(refused, pair.right().tryPostRecv(recv(own.sge()).id(77), recv(own.sge()).id(78)));
        assertErrno(Errno.EINVAL, () -> right.end().postReceive(pair.right().id(), List.of(recv(own.sge()).id(79))));
        inbox.post(1);
        deliver(pair, 1);
        inbox.assertReceives(pair.right(), 0, 1);
        pair.right().recvCq().assertQuiet();
        own.assertZero();
    }

    // Modification

    /** Changes the size. Aborts the test if the device reports that it cannot. */
    private void resize(Srq srq, int maxWr) {
        try {
            srq.resize(maxWr);
        } catch (VerbsFailure e) {
            Assumptions.assumeTrue(reportsResize(), "the device does not resize shared receive queues");
            throw e;
        }
    }

    private boolean reportsResize() {
        return (right.device().deviceCapFlags() & SRQ_RESIZE) != 0;
    }

    @Test
    @Catalogue("I7")
    void resizeSucceedsExactlyIfTheDeviceReportsIt() {
        Srq srq = right.srq(4, 1);
        int more = 4 * srq.maxWr();
        if (reportsResize()) {
            srq.resize(more);
            assertTrue(srq.query().maxWr() >= more);
        } else {
            assertErrno(Errno.ENOSYS, () -> srq.resize(more), Errno.EINVAL, Errno.EOPNOTSUPP);
            assertEquals(srq.maxWr(), srq.query().maxWr());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    @Catalogue("I7")
    void aLargerQueueKeepsItsReceivesInOrderAndAcceptsMore(int usedBefore) {
        Srq srq = right.srq(4, 1);
        Pair pair = sharing(srq);
        int room = srq.maxWr();
        // so that the posted requests start at different entries of the queue
        srq.post(requests(1000, usedBefore + 1));
        assertUses(pair, IntStream.rangeClosed(1000, 1000 + usedBefore).asLongStream().toArray());
        srq.post(requests(0, room));
        resize(srq, room + 3);
        int larger = srq.query().maxWr();
        assertTrue(larger >= room + 3, () -> "maxWr " + larger);
        srq.post(requests(room, larger - room));
        assertEquals(FULL, srq.tryPost(recv()));
        assertUses(pair, IntStream.range(0, larger).asLongStream().toArray());
    }

    @Test
    @Catalogue("I7")
    void aQueueDoesNotShrinkBelowThePostedRequests() {
        Srq srq = right.srq(16, 1);
        Pair pair = sharing(srq);
        srq.post(requests(0, 6));
        resize(srq, 8);
        int granted = srq.query().maxWr();
        assertTrue(granted >= 8, () -> "maxWr " + granted);
        assertErrno(Errno.EINVAL, () -> srq.resize(5));
        assertErrno(Errno.EINVAL, () -> srq.resize(1));
        assertEquals(granted, srq.query().maxWr());
        assertUses(pair, 0, 1, 2, 3, 4, 5);
        srq.post(requests(10, 2));
        assertUses(pair, 10, 11);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
    @Catalogue("I7")
    void aSizeOutOfRangeChangesNothing(int maxWr) {
        Srq srq = right.srq(8, 1);
        srq.limit(3);
        SrqAttributes before = srq.query();
        assertErrno(Errno.EINVAL, () -> srq.resize(maxWr), Errno.ENOSYS, Errno.EOPNOTSUPP);
        assertErrno(Errno.EINVAL, () -> right.end().modifySrq(srq.id(), maxWr, 2), Errno.ENOSYS, Errno.EOPNOTSUPP);
        assertEquals(before, srq.query());
    }

    @Test
    @Catalogue("I7")
    void aBadLimitKeepsTheSizeAndABadSizeKeepsTheLimit() {
        Srq srq = right.srq(8, 1);
        srq.limit(3);
        srq.post(requests(0, 6));
        SrqAttributes before = srq.query();
        int larger = 2 * before.maxWr();
        assertErrno(Errno.EINVAL, () -> right.end().modifySrq(srq.id(), larger, 4 * larger), Errno.ENOSYS,
                Errno.EOPNOTSUPP);
        assertEquals(before, srq.query());
        // five are fewer than posted
        assertErrno(Errno.EINVAL, () -> right.end().modifySrq(srq.id(), 5, 2), Errno.ENOSYS, Errno.EOPNOTSUPP);
        assertEquals(before, srq.query());
    }

    @Test
    @Catalogue("I7")
    void sizeAndLimitChangeTogether() {
        Srq srq = right.srq(8, 1);
        int larger = 2 * srq.maxWr();
        resize(srq, srq.maxWr());
        right.end().modifySrq(srq.id(), larger, larger);
        assertTrue(srq.query().maxWr() >= larger);
        assertEquals(larger, srq.query().limit());
    }

    // Destruction

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("I11")
    void destroyOfAQueueWithQueuePairsIsRefusedAndItKeepsWorking(QpType type) {
        SharedInbox inbox = new SharedInbox(right, 4);
        Pair first = pair(type, o -> apart(o).right(r -> r.srq(inbox.srq())));
        Pair second = pair(type, o -> apart(o).right(r -> r.srq(inbox.srq())));
        assertErrno(Errno.EBUSY, inbox.srq()::destroy);
        first.right().destroy();
        assertErrno(Errno.EBUSY, inbox.srq()::destroy);
        inbox.post(2);
        deliver(second, 1);
        inbox.assertReceives(second.right(), 0, 1);
        second.right().destroy();
        // a posted receive does not prevent it
        inbox.srq().destroy();
        assertRefused(IllegalStateException.class, () -> inbox.srq().tryPost(recv()));
    }
}
