package io.jverbs.contract.queuepair;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.jverbs.Errno;
import io.jverbs.LinkLayer;
import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import io.jverbs.contract.QpStates;
import io.jverbs.contract.dsl.Pair;
import io.jverbs.contract.dsl.Qp;
import io.jverbs.contract.end.QpAttr;
import io.jverbs.contract.end.VerbsFailure;
import io.jverbs.contract.fixture.Catalogue;
import io.jverbs.contract.queuepair.Transitions.Situation;
import io.jverbs.contract.queuepair.Transitions.Transition;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the table of transitions: every row with its attributes, and all transitions that are not in the table. */
final class QpTransitionContract extends QpStates {

    private static final String FROM_TABLE = "io.jverbs.contract.queuepair.Transitions#";

    private static QpAttr required(Transition transition, Pair pair) {
        return change(pair, transition.to(), transition.from(), transition.required());
    }

    /** Asserts that the modify is refused with EINVAL, and that a query returns the same values as before. */
    private static VerbsFailure assertRefusedUnchanged(Qp qp, QpAttr attributes) {
        QpAttr before = qp.query();
        VerbsFailure failure = assertErrno(Errno.EINVAL, () -> qp.modify(attributes));
        assertEquals(before, qp.query(), () -> "attributes after the refusal of " + attributes);
        return failure;
    }

    private boolean isAlternatePathOnEthernet(QpAttribute attribute) {
        return attribute == QpAttribute.ALT_PATH && left.port().linkLayer() == LinkLayer.ETHERNET;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "legal")
    @Catalogue("D9")
    void aLegalTransitionNeedsItsRequiredAttributesOnly(Transition transition) {
        Pair pair = leftIn(transition.type(), transition.from());
        QpAttr exactly = required(transition, pair);
        pair.left().modify(exactly);
        assertEquals(transition.to(), pair.left().state());
        assertShows(exactly, pair.left().query());
    }

    @ParameterizedTest(name = "{0} without {1}")
    @MethodSource(FROM_TABLE + "required")
    @Catalogue("D10")
    void aRequiredAttributeThatIsMissingIsNamedAndNothingChanges(Transition transition, QpAttribute missing) {
        Pair pair = leftIn(transition.type(), transition.from());
        QpAttr complete = required(transition, pair);
        VerbsFailure failure = assertRefusedUnchanged(pair.left(), complete.without(missing));
        assertTrue(failure.getMessage().contains(missing.name()), failure::getMessage);
        pair.left().modify(complete);
        assertShows(complete, pair.left().query());
    }

    @ParameterizedTest(name = "{0} with {1}")
    @MethodSource(FROM_TABLE + "optional")
    @Catalogue("D11")
    void anOptionalAttributeIsAccepted(Transition transition, QpAttribute optional) {
        Pair pair = leftIn(transition.type(), transition.from());
        QpAttr more = required(transition, pair).with(optional, value(pair, transition.from(), optional));
        if (isAlternatePathOnEthernet(optional)) {
            assertRefusedUnchanged(pair.left(), more);
        } else {
            pair.left().modify(more);
            assertEquals(transition.to(), pair.left().state());
            assertShows(more, pair.left().query());
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "legal")
    @Catalogue("D11")
    void allOptionalAttributesAreAcceptedTogether(Transition transition) {
        Pair pair = leftIn(transition.type(), transition.from());
        QpAttr all = required(transition, pair);
        for (QpAttribute optional : transition.optional()) {
            if (!isAlternatePathOnEthernet(optional)) {
                all = all.with(optional, value(pair, transition.from(), optional));
            }
        }
        pair.left().modify(all);
        assertEquals(transition.to(), pair.left().state());
        assertShows(all, pair.left().query());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "legal")
    @Catalogue({"D9", "D11"})
    void anyOtherAttributeIsNamedAndNothingChanges(Transition transition) {
        Pair pair = leftIn(transition.type(), transition.from());
        QpAttr exactly = required(transition, pair);
        Stream<Executable> each = transition.outside().stream().map(surplus -> () -> {
            VerbsFailure failure = assertRefusedUnchanged(pair.left(),
                    exactly.with(surplus, value(pair, transition.from(), surplus)));
            assertTrue(failure.getMessage().contains(surplus.name()), failure::getMessage);
        });
        assertAll(each);
        pair.left().modify(exactly);
        assertEquals(transition.to(), pair.left().state());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "illegal")
    @Catalogue("D12")
    void anyOtherTransitionIsRefusedAndNothingChanges(Transition transition) {
        assertIllegal(transition);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "toSendQueueError")
    @Catalogue({"D12", "D14"})
    void modifyToSqeIsRefused(Transition transition) {
        assertIllegal(transition);
    }

    /**
     * Asserts that neither the state alone moves the queue pair, nor the state with all attributes that legal
     * transitions to it require.
     */
    private void assertIllegal(Transition transition) {
        Pair pair = leftIn(transition.type(), transition.from());
        assertRefusedUnchanged(pair.left(), QpAttr.to(transition.to()));
        EnumSet<QpAttribute> requiredElsewhere = EnumSet.noneOf(QpAttribute.class);
        Transitions.legal().filter(each -> each.type() == transition.type() && each.to() == transition.to())
                .forEach(each -> requiredElsewhere.addAll(each.required()));
        assertRefusedUnchanged(pair.left(), change(pair, transition.to(), transition.from(), requiredElsewhere));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    @Catalogue("D13")
    void fromResetToErrorIsRefusedOrDone(QpType type) {
        Qp qp = leftIn(type, QpState.RESET).left();
        try {
            qp.modify(QpState.ERR);
            // [S] permits it from any state
            assertEquals(QpState.ERR, qp.state());
            qp.modify(QpState.RESET);
        } catch (VerbsFailure refused) {
            assertEquals(Errno.EINVAL, refused.error());
            assertEquals(QpState.RESET, qp.state());
        }
        qp.toInit();
        assertEquals(QpState.INIT, qp.state());
    }

    @ParameterizedTest
    @ValueSource(ints = {7, 8, -1, Integer.MAX_VALUE})
    @Catalogue({"D12", "D14"})
    void anUnknownStateNumberIsRefused(int number) {
        for (QpType type : Set.of(QpType.RC, QpType.UD)) {
            Qp qp = leftIn(type, QpState.INIT).left();
            assertRefusedUnchanged(qp, QpAttr.none().with(QpAttribute.STATE, number));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "withCurrentState")
    @Catalogue("D15")
    void aWrongCurrentStateIsRefusedAndNothingChanges(Transition transition) {
        Pair pair = leftIn(transition.type(), transition.from());
        QpAttr exactly = required(transition, pair);
        assertAll(Transitions.states().filter(state -> state != transition.from())
                .map(claimed -> () -> assertRefusedUnchanged(pair.left(), exactly.currentState(claimed))));
        pair.left().modify(exactly.currentState(transition.from()));
        assertEquals(transition.to(), pair.left().state());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(FROM_TABLE + "situations")
    @Catalogue("D16")
    void aModifyWithoutStateFollowsTheRuleOfTheCurrentState(Situation situation) {
        QpState state = situation.state();
        Pair pair = leftIn(situation.type(), state);
        Qp qp = pair.left();
        Optional<Transition> stay = Transitions.find(situation.type(), state, state);
        if (stay.isPresent()) {
            qp.modify(QpAttr.none());
        } else {
            assertRefusedUnchanged(qp, QpAttr.none());
        }
        Set<QpAttribute> taken = stay.map(Transition::optional).orElse(Set.of());
        EnumSet<QpAttribute> all = EnumSet.allOf(QpAttribute.class);
        all.removeAll(EnumSet.of(QpAttribute.STATE, QpAttribute.CAP));
        assertAll(all.stream().map(attribute -> () -> {
            QpAttr change = QpAttr.none().with(attribute, value(pair, state, attribute));
            if (taken.contains(attribute) && !isAlternatePathOnEthernet(attribute)) {
                qp.modify(change);
                assertShows(change, qp.query());
            } else {
                assertRefusedUnchanged(qp, change);
            }
        }));
        assertEquals(state, qp.state());
    }
}
