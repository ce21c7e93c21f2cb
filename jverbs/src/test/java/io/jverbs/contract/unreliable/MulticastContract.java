package io.jverbs.contract.unreliable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.VerbsContract;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.PairOptions;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Region;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.SendSpec;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.fixture.Catalogue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests multicast: each member of the group receives one copy of a datagram. */
final class MulticastContract extends VerbsContract {
    private static final int GRH = 40;
    private static final int MULTICAST_QPN = 0xFFFFFF;
    private static final int QKEY = 0x77;
    private static final Gid IPV4_GROUPS = Gid.parse("::ffff:239.1.0.0");
    private static final Gid IPV6_GROUPS = Gid.parse("ff12::1:0");
    private static final AtomicInteger NEXT = new AtomicInteger(0x0203);

    /** A group number that no other test uses, because tests may run in parallel. */
    private final int number = NEXT.getAndIncrement();

    /** Returns a group of the address family of the ends, which the packets to the group have. */
    private Gid group() {
        Gid groups = left.gid().isIpv4Mapped() ? IPV4_GROUPS : IPV6_GROUPS;
        return Gid.of(groups.high(), groups.low() + number);
    }

    private PairOptions apart(PairOptions options) {
        return options.qkey(QKEY).left(o -> o.separateCqs(left)).right(o -> o.separateCqs(right));
    }

    private Pair pair() {
        return udPair(this::apart);
    }

    private static QpOptions apart(Side side) {
        return new QpOptions().qkey(QKEY).separateCqs(side);
    }

    private Qp member(Side side) {
        Qp qp = side.qp(QpType.UD, apart(side));
        qp.connect(qp);
        attach(qp, group());
        return qp;
    }

    private static void attach(Qp qp, Gid group) {
        qp.side().end().attachMulticast(qp.id(), group, 0);
    }

    private static void detach(Qp qp, Gid group) {
        qp.side().end().detachMulticast(qp.id(), group, 0);
    }

    private SendSpec toGroup(Region payload) {
        AhAttributes path = left.pathTo(right).toBuilder().destination(group()).build();
        return send(payload.sge()).to(left.ah(path), MULTICAST_QPN, QKEY);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("H20")
    void onlyUdQueuePairsCanBeAttached(QpType type) {
        Qp qp = right.qp(type);
        assertErrno(Errno.EINVAL, () -> attach(qp, group()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"fe80::1", "::ffff:10.0.0.1", "::", "2001:db8::1"})
    @Catalogue("H20")
    void onlyMulticastGidsAreAccepted(String address) {
        Qp qp = right.qp(QpType.UD);
        assertErrno(Errno.EINVAL, () -> attach(qp, Gid.parse(address)));
    }

    @Test
    @Catalogue("H20")
    void attachingTwiceDeliversOnce() {
        Pair pair = pair();
        attach(pair.right(), group());
        attach(pair.right(), group());
        Region sink = right.region(2 * (GRH + 8));
        pair.right().postRecv(recv(sink.sge(0, GRH + 8)).id(1), recv(sink.sge(GRH + 8, GRH + 8)).id(2));
        pair.left().succeed(toGroup(left.region(8).fill(1)));
        expect(pair.right().awaitRecv()).success().id(1);
        assertNoCompletion(pair.right().recvCq());
        detach(pair.right(), group());
    }

    @Test
    @Catalogue("H21")
    void everyMemberGetsOneCopy() {
        Pair pair = pair();
        List<Qp> members = new ArrayList<>(List.of(member(right), member(right), member(left)));
        List<Region> sinks = new ArrayList<>();
        for (Qp member : members) {
            Region sink = member.side().region(GRH + 32);
            sinks.add(sink);
            member.postRecv(recv(sink.sge()).id(4));
        }
        pair.left().succeed(toGroup(left.region(32).fill(8)));
        for (int i = 0; i < members.size(); i++) {
            expect(members.get(i).awaitRecv()).success().id(4).bytes(GRH + 32).from(pair.left());
            sinks.get(i).assertHolds(GRH, 32, 8);
            detach(members.get(i), group());
        }
    }

    @Test
    @Catalogue("H21")
    void aMemberWithAnotherQkeyOrWithoutReceiveReceivesNothing() {
        Pair pair = pair();
        Qp other = right.qp(QpType.UD, new QpOptions().qkey(QKEY + 1).separateCqs(right));
        other.connect(other);
        attach(other, group());
        other.postRecv(recv(right.region(GRH + 8).sge()));
        Qp unready = member(right);
        Qp ready = member(right);
        ready.postRecv(recv(right.region(GRH + 8).sge()).id(5));
        pair.left().succeed(toGroup(left.region(8)));
        expect(ready.awaitRecv()).success().id(5);
        assertNoCompletion(other.recvCq());
        assertNoCompletion(unready.recvCq());
        List.of(other, unready, ready).forEach(qp -> detach(qp, group()));
    }

    @Test
    @Catalogue("H21")
    void aDatagramToAGroupWithAnotherQpnIsDropped() {
        Pair pair = pair();
        Qp member = member(right);
        member.postRecv(recv(right.region(GRH + 8).sge()).id(1));
        pair.right().postRecv(recv(right.region(GRH + 8).sge()).id(2));
        AhAttributes path = left.pathTo(right).toBuilder().destination(group()).build();
        int ah = left.ah(path);
        Region payload = left.region(8);
        // neither a member nor a queue pair with this number receives it
        pair.left().succeed(send(payload.sge()).to(ah, member.number(), QKEY));
        pair.left().succeed(send(payload.sge()).to(ah, pair.right().number(), QKEY));
        assertNoCompletion(member.recvCq());
        assertNoCompletion(pair.right().recvCq());
        pair.left().succeed(toGroup(payload));
        expect(member.awaitRecv()).success().id(1);
        detach(member, group());
    }

    @Test
    @Catalogue("H21")
    void aDatagramWithTheMulticastQpnToAUnicastGidIsDropped() {
        Pair pair = pair();
        Qp member = member(right);
        member.postRecv(recv(right.region(GRH + 8).sge()).id(1));
        pair.left().succeed(send(left.region(8).sge()).to(left.ah(left.pathTo(right)), MULTICAST_QPN, QKEY));
        assertNoCompletion(member.recvCq());
        detach(member, group());
    }

    @Test
    @Catalogue("H22")
    void aSenderThatIsAMemberGetsItsOwnCopy() {
        Pair pair = pair();
        attach(pair.left(), group());
        Region sink = left.region(GRH + 8);
        pair.left().postRecv(recv(sink.sge()).id(6));
        pair.left().succeed(toGroup(left.region(8).fill(2)));
        expect(pair.left().awaitRecv()).success().id(6).from(pair.left());
        sink.assertHolds(GRH, 8, 2);
        detach(pair.left(), group());
    }

    /** A device that does not support the creation flag refuses the queue pair. */
    @Test
    @Catalogue("H22")
    void aSenderThatBlocksItsOwnDatagramsGetsNoCopy() {
        Qp sender;
        try {
            sender = left.qp(QpType.UD, apart(left).spec(s -> s.blockOwnMulticast(true)));
        } catch (VerbsFailure refused) {
            assertTrue(List.of(Errno.EOPNOTSUPP, Errno.EINVAL).contains(refused.error()), refused.toString());
            return;
        }
        sender.connect(sender);
        attach(sender, group());
        sender.postRecv(recv(left.region(GRH + 8).sge()).id(1));
        Qp near = member(left);
        Qp far = member(right);
        near.postRecv(recv(left.region(GRH + 8).sge()).id(2));
        far.postRecv(recv(right.region(GRH + 8).sge()).id(3));
        sender.succeed(toGroup(left.region(8)));
        expect(near.awaitRecv()).success().id(2).from(sender);
        expect(far.awaitRecv()).success().id(3).from(sender);
        assertNoCompletion(sender.recvCq());
        far.succeed(send(right.region(8).sge()).to(
                right.ah(right.pathTo(left).toBuilder().destination(group()).build()), MULTICAST_QPN, QKEY));
        expect(sender.awaitRecv()).success().id(1).from(far);
        List.of(sender, near, far).forEach(qp -> detach(qp, group()));
    }

    @Test
    @Catalogue("H23")
    void aDetachedQueuePairReceivesNothingMore() {
        Pair pair = pair();
        Qp detached = member(right);
        Qp attached = member(right);
        detached.postRecv(recv(right.region(GRH + 8).sge()).id(1));
        attached.postRecv(recv(right.region(GRH + 8).sge()).id(2));
        detach(detached, group());
        pair.left().succeed(toGroup(left.region(8)));
        expect(attached.awaitRecv()).success().id(2);
        assertNoCompletion(detached.recvCq());
        detach(attached, group());
    }

    @Test
    @Catalogue("H23")
    void detachingANonMemberIsRefused() {
        Qp qp = right.qp(QpType.UD);
        assertErrno(Errno.EINVAL, () -> detach(qp, group()));
    }

    @Test
    @Catalogue("H23")
    void aMemberCannotBeDestroyed() {
        Qp qp = member(right);
        assertErrno(Errno.EBUSY, qp::destroy);
        qp.assertStays(QpState.RTS);
        detach(qp, group());
        qp.destroy();
    }

    @Test
    @Catalogue("H24")
    void aGroupAcceptsMembersUpToTheLimitOfTheDevice() {
        int max = right.device().maxMcastQpAttach();
        Assumptions.assumeTrue(max <= 300, "the device allows too many members to create all of them");
        List<Qp> members = new ArrayList<>();
        for (int i = 0; i < max; i++) {
            Qp qp = right.qp(QpType.UD, new QpOptions().upTo(QpState.RESET));
            attach(qp, group());
            members.add(qp);
        }
        Qp oneMore = right.qp(QpType.UD, new QpOptions().upTo(QpState.RESET));
        assertErrno(Errno.ENOMEM, () -> attach(oneMore, group()));
        members.forEach(qp -> detach(qp, group()));
        attach(oneMore, group());
        detach(oneMore, group());
    }

    @Test
    @Catalogue("H25")
    void aMemberInInitReceivesNothingAndStaysAMember() {
        Pair pair = pair();
        Qp late = right.qp(QpType.UD, new QpOptions().qkey(QKEY).separateCqs(right));
        late.toInit();
        attach(late, group());
        late.postRecv(recv(right.region(GRH + 8).sge()).id(3));
        pair.left().succeed(toGroup(left.region(8)));
        assertNoCompletion(late.recvCq());
        late.toRtr(late);
        pair.left().succeed(toGroup(left.region(8)));
        expect(late.awaitRecv()).success().id(3);
        detach(late, group());
    }

    @Test
    @Catalogue("H21")
    void theGroupIsTheDestinationInTheGrhArea() {
        Pair pair = pair();
        attach(pair.right(), group());
        Region sink = right.region(GRH + 8);
        pair.right().postRecv(recv(sink.sge()));
        pair.left().succeed(toGroup(left.region(8)));
        expect(pair.right().awaitRecv()).success();
        int group = 0;
        for (byte part : sink.bytes(36, 4)) {
            group = group << 8 | part & 0xFF;
        }
        assertEquals((int) group().low(), group);
        detach(pair.right(), group());
    }
}
