package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.AhAttributes;
import io.jverbs.DeviceAttributes;
import io.jverbs.Errno;
import io.jverbs.Gid;
import io.jverbs.Mtu;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.dsl.QpOptions;
import io.jverbs.contract.dsl.Side;
import io.jverbs.contract.end.ControlCommands.Ability;
import io.jverbs.contract.end.End;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.fixture.Catalogue;
import io.jverbs.contract.queuepair.Transitions.Transition;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the ranges of attribute values, and the values that queries return. */
final class QpAttributeContract extends QpStates {

    /** A value of one attribute, used together with all other attributes of a transition of an RC queue pair. */
    record Value(QpState from, QpState to, QpAttribute attribute, String text, Function<Side, Object> value) {

        @Override
        public String toString() {
            return from + " -> " + to + " with " + attribute + " " + text;
        }
    }

    private static final List<QpState> RESET_INIT = List.of(QpState.RESET, QpState.INIT);
    private static final List<QpState> INIT_RTR = List.of(QpState.INIT, QpState.RTR);
    private static final List<QpState> RTR_RTS = List.of(QpState.RTR, QpState.RTS);
    private static final List<QpState> RTS_RTS = List.of(QpState.RTS, QpState.RTS);
    private static final List<QpState> SQD_SQD = List.of(QpState.SQD, QpState.SQD);

    private static void add(List<Value> values, List<QpState> step, QpAttribute attribute, Integer... numbers) {
        for (Integer number : numbers) {
            add(values, step, attribute, number.toString(), side -> number);
        }
    }

    private static void add(List<Value> values, List<QpState> step, QpAttribute attribute, String text,
            Function<Side, Object> value) {
        values.add(new Value(step.getFirst(), step.getLast(), attribute, text, value));
    }

    private static int maxInitiator(Side side) {
        return side.device().maxQpInitRdAtom();
    }

    private static int maxResponder(Side side) {
        return side.device().maxQpRdAtom();
    }

    static Stream<Value> outOfRange() {
        List<Value> all = new ArrayList<>();
        for (List<QpState> step : List.of(RESET_INIT, SQD_SQD)) {
            add(all, step, QpAttribute.PORT, 0, -1, 255);
            add(all, step, QpAttribute.PORT, "one too many", side -> side.device().portCount() + 1);
            add(all, step, QpAttribute.PKEY_INDEX, -1, 0x10000);
            add(all, step, QpAttribute.PKEY_INDEX, "one too many", side -> side.port().pkeyTableLength());
        }
        add(all, INIT_RTR, QpAttribute.PKEY_INDEX, "one too many", side -> side.port().pkeyTableLength());
        add(all, INIT_RTR, QpAttribute.PATH_MTU, 0, 6, -1, 1024);
        for (List<QpState> step : List.of(INIT_RTR, SQD_SQD)) {
            add(all, step, QpAttribute.MAX_DEST_RD_ATOMIC, "one too many", side -> maxResponder(side) + 1);
            add(all, step, QpAttribute.MAX_DEST_RD_ATOMIC, -1, Integer.MAX_VALUE);
        }
        for (List<QpState> step : List.of(RTR_RTS, SQD_SQD)) {
            add(all, step, QpAttribute.TIMEOUT, 32, -1, 256);
            add(all, step, QpAttribute.RETRY_CNT, 8, -1, 256);
            add(all, step, QpAttribute.RNR_RETRY, 8, -1, 256);
            add(all, step, QpAttribute.MAX_QP_RD_ATOMIC, "one too many", side -> maxInitiator(side) + 1);
            add(all, step, QpAttribute.MAX_QP_RD_ATOMIC, -1, Integer.MAX_VALUE);
        }
        for (List<QpState> step : List.of(INIT_RTR, RTR_RTS, RTS_RTS, SQD_SQD)) {
            add(all, step, QpAttribute.MIN_RNR_TIMER, 32, -1, 256);
        }
        return all.stream();
    }

    static Stream<Value> atTheEdge() {
        List<Value> all = new ArrayList<>();
        add(all, RESET_INIT, QpAttribute.PORT, "the last", side -> side.device().portCount());
        add(all, INIT_RTR, QpAttribute.PATH_MTU, 1);
        add(all, INIT_RTR, QpAttribute.PATH_MTU, "the largest", side -> side.port().activeMtu().code());
        for (List<QpState> step : List.of(INIT_RTR, SQD_SQD)) {
            add(all, step, QpAttribute.MAX_DEST_RD_ATOMIC, 0);
            add(all, step, QpAttribute.MAX_DEST_RD_ATOMIC, "the most", QpAttributeContract::maxResponder);
        }
        for (List<QpState> step : List.of(RTR_RTS, SQD_SQD)) {
            add(all, step, QpAttribute.TIMEOUT, 0, 31);
            add(all, step, QpAttribute.RETRY_CNT, 0, 7);
            add(all, step, QpAttribute.RNR_RETRY, 0, 7);
            add(all, step, QpAttribute.MAX_QP_RD_ATOMIC, 0);
            add(all, step, QpAttribute.MAX_QP_RD_ATOMIC, "the most", QpAttributeContract::maxInitiator);
        }
        for (List<QpState> step : List.of(INIT_RTR, RTR_RTS, RTS_RTS, SQD_SQD)) {
            add(all, step, QpAttribute.MIN_RNR_TIMER, 0, 31);
        }
        return all.stream();
    }

    /**
     * Returns the required attributes of the transition and the value, so that other attributes would change as well.
     */
    private QpAttr with(Pair pair, Value value) {
        Transition step = Transitions.find(QpType.RC, value.from(), value.to()).orElseThrow();
        return change(pair, value.to(), value.from(), step.required())
                .with(value.attribute(), value.value().apply(left));
    }

    private static VerbsFailure assertRefusedUnchanged(Qp qp, QpAttr attributes) {
        QpAttr before = qp.query();
        VerbsFailure failure = assertErrno(Errno.EINVAL, () -> qp.modify(attributes));
        assertEquals(before, qp.query(), () -> "attributes after the refusal of " + attributes);
        return failure;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("outOfRange")
    @Catalogue("D17")
    void aValueOutOfRangeIsRefusedAndNothingChanges(Value value) {
        Pair pair = leftIn(QpType.RC, value.from());
        QpAttr bad = with(pair, value);
        if (value.to() == QpState.SQD) {
            // the valid attributes must not be applied either
            bad = bad.access(0);
        }
        VerbsFailure failure = assertRefusedUnchanged(pair.left(), bad);
        String number = Integer.toString(bad.number(value.attribute()));
        assertTrue(failure.getMessage().contains(number), failure::getMessage);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("atTheEdge")
    @Catalogue("D17")
    void aValueAtTheLimitOfItsRangeIsAccepted(Value value) {
        Pair pair = leftIn(QpType.RC, value.from());
        QpAttr good = with(pair, value);
        pair.left().modify(good);
        assertShows(good, pair.left().query());
    }

    @Test
    @Catalogue("D17")
    void aPathFromASourceThatDoesNotExistIsRefused() {
        AhAttributes path = left.pathTo(right);
        int length = left.port().gidTableLength();
        for (QpState from : List.of(QpState.INIT, QpState.SQD)) {
            Pair pair = leftIn(QpType.RC, from);
            QpAttr attributes = from == QpState.SQD
                    ? QpAttr.to(from).access(0)
                    : pair.left().options().rtrAttributes(QpType.RC, left, pair.right());
            for (int index : new int[] {-1, length, Integer.MAX_VALUE}) {
                assertRefusedUnchanged(pair.left(), attributes.av(path.toBuilder().sgidIndex(index).build()));
            }
            for (int port : new int[] {0, left.device().portCount() + 1}) {
                assertRefusedUnchanged(pair.left(), attributes.av(path.toBuilder().port(port).build()));
            }
            pair.left().modify(attributes.av(path));
        }
    }

    @Test
    @Catalogue("D17")
    void aPathFromAnEmptyEntryOfTheGidTableIsRefused() {
        int empty = 0;
        int length = left.port().gidTableLength();
        while (empty < length && !left.end().queryGid(End.MAIN, Side.PORT, empty).equals(Gid.ZERO)) {
            empty++;
        }
        Assumptions.assumeTrue(empty < length, "every entry of the GID table is in use");
        Pair pair = leftIn(QpType.UC, QpState.INIT);
        QpAttr attributes = pair.left().options().rtrAttributes(QpType.UC, left, pair.right());
        assertRefusedUnchanged(pair.left(),
                attributes.av(left.pathTo(right).toBuilder().sgidIndex(empty).build()));
        pair.left().modify(attributes);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("D17")
    void aPathMtuAboveThatOfThePortIsRefused(QpType type) {
        requires(left, Ability.PORT_CONTROL);
        left.end().setActiveMtu(Side.PORT, Mtu.MTU_1024);
        Pair pair = leftIn(type, QpState.INIT);
        QpAttr attributes = pair.left().options().rtrAttributes(type, left, pair.right());
        assertRefusedUnchanged(pair.left(), attributes.mtu(Mtu.MTU_2048));
        pair.left().modify(attributes.mtu(Mtu.MTU_1024));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC"})
    @Catalogue("D18")
    void onlyTheLow24BitsOfAPsnAreUsed(QpType type) {
        Pair pair = pair(type, o -> o.left(l -> l.psn(0xab_fffffe).rqPsn(0x7f_000001))
                .right(r -> r.rqPsn(0xfffffe).psn(1)));
        assertEquals(0xfffffe, pair.left().query().number(QpAttribute.SQ_PSN));
        assertEquals(1, pair.left().query().number(QpAttribute.RQ_PSN));
        Inbox there = new Inbox(pair.right()).post(4);
        Inbox back = new Inbox(pair.left()).post(1);
        for (int i = 0; i < 4; i++) {
            deliver(pair, i);
            there.assertReceives(i, i);
        }
        expect(pair.right().execute(message(pair, pair.right(), 9))).success();
        back.assertReceives(0, 9);
    }

    @ParameterizedTest
    @CsvSource({"RC, 0x1000011", "RC, -1", "UC, 0x1000011", "UC, 0x7f000011"})
    @Catalogue("D18")
    void aQueuePairNumberOfMoreThan24BitsIsRefused(QpType type, int number) {
        Pair pair = leftIn(type, QpState.INIT);
        QpAttr attributes = pair.left().options().rtrAttributes(type, left, pair.right());
        assertRefusedUnchanged(pair.left(), attributes.destQpn(number));
        pair.left().modify(attributes.destQpn(0xff_fffe));
        assertEquals(0xff_fffe, pair.left().query().number(QpAttribute.DEST_QPN));
    }

    @ParameterizedTest
    @ValueSource(ints = {0x8000_0000, 0x8001_0000, -1})
    @Catalogue("D19")
    void aPrivilegedQkeyIsSetOrRefusedForLackOfPrivilege(int qkey) {
        Pair pair = leftIn(QpType.UD, QpState.RTS);
        QpAttr before = pair.left().query();
        try {
            pair.left().modify(QpAttr.none().qkey(qkey));
        } catch (VerbsFailure refused) {
            assertEquals(Errno.EPERM, refused.error(), refused::getMessage);
            assertEquals(before, pair.left().query());
            return;
        }
        assertEquals(qkey, pair.left().query().number(QpAttribute.QKEY));
        // a request with the most significant bit set carries the Q_Key of its sender
        pair.right().modify(QpAttr.none().qkey(qkey));
        Inbox inbox = new Inbox(pair.right()).post(1);
        expect(pair.left().execute(message(pair, 1).to(pair.toRight(), pair.right().number(), qkey))).success();
        inbox.assertReceives(0, 1);
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D20")
    void aQueryReturnsTheStateAndAllSetAttributes(QpType type) {
        Pair pair = leftIn(type, QpState.RESET);
        Qp qp = pair.left();
        assertEquals(QpState.RESET, qp.query().state());
        QpAttr set = QpAttr.none();
        for (QpAttr step : List.of(qp.options().initAttributes(type),
                qp.options().rtrAttributes(type, left, pair.right()), qp.options().rtsAttributes(type))) {
            qp.modify(step);
            for (QpAttribute attribute : step.values().keySet()) {
                set = set.with(attribute, step.values().get(attribute));
            }
            assertShows(set, qp.query());
        }
        qp.modify(QpState.ERR);
        assertShows(set.state(QpState.ERR), qp.query());
        qp.modify(QpState.RESET);
        assertEquals(QpState.RESET, qp.query().state());
    }

    @Test
    @Catalogue("D20")
    void aQueryAfterAFailureReturnsErr() {
        Pair pair = leftIn(QpType.RC, QpState.RTS);
        expect(pair.left().execute(send(garbage()))).error();
        pair.left().awaitState(QpState.ERR);
        QpAttr seen = pair.left().query();
        assertEquals(QpState.ERR, seen.state());
        assertEquals(pair.right().number(), seen.number(QpAttribute.DEST_QPN));
        assertEquals(QpState.RTS, pair.right().query().state());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 16, 100})
    @Catalogue("D21")
    void aQueryReturnsAtLeastTheRequestedReadAndAtomicDepth(int count) {
        DeviceAttributes device = left.device();
        int initiator = Math.min(count, device.maxQpInitRdAtom());
        int responder = Math.min(count, device.maxQpRdAtom());
        Pair pair = rcPair(o -> o.left(l -> l.maxRdAtomic(initiator).maxDestRdAtomic(responder)));
        QpAttr seen = pair.left().query();
        assertTrue(seen.number(QpAttribute.MAX_QP_RD_ATOMIC) >= initiator, seen::toString);
        assertTrue(seen.number(QpAttribute.MAX_DEST_RD_ATOMIC) >= responder, seen::toString);
        assertTrue(seen.number(QpAttribute.MAX_QP_RD_ATOMIC) <= device.maxQpInitRdAtom(), seen::toString);
        assertEquals(QpOptions.REMOTE_ALL, seen.number(QpAttribute.ACCESS_FLAGS));
    }
}
