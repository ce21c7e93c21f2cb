package io.jverbs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests catalogue items D9 to D16 for every pair of states and every type. The table under test lists the attributes of
 * each transition; the expectations list the transitions of each attribute.
 */
class QpTransitionsTest {
    private static final List<QpType> TYPES = List.of(QpType.RC, QpType.UC, QpType.UD);
    private static final Set<QpState> STATES = EnumSet.range(QpState.RESET, QpState.ERR);

    /**
     * A row for each current state and a column for each next state. y: legal; n: illegal; c: legal for UC and UD only.
     */
    private static final String LEGAL = """
                  RESET INIT RTR RTS SQD SQE ERR
            RESET y     y    n   n   n   n   n
            INIT  y     y    y   n   n   n   y
            RTR   y     n    n   y   n   n   y
            RTS   y     n    n   y   y   n   y
            SQD   y     n    n   y   y   n   y
            SQE   y     n    n   c   n   n   y
            ERR   y     n    n   n   n   n   y
            """;

    /** Type, attribute, transitions that require it; transitions that allow it. */
    private static final String ATTRIBUTES = """
            RC PKEY_INDEX         RESET>INIT ; INIT>INIT INIT>RTR SQD>SQD
            RC PORT               RESET>INIT ; INIT>INIT SQD>SQD
            RC ACCESS_FLAGS       RESET>INIT ; INIT>INIT INIT>RTR RTR>RTS RTS>RTS SQD>SQD SQD>RTS
            RC AV                 INIT>RTR   ; SQD>SQD
            RC PATH_MTU           INIT>RTR   ;
            RC DEST_QPN           INIT>RTR   ;
            RC RQ_PSN             INIT>RTR   ;
            RC MAX_DEST_RD_ATOMIC INIT>RTR   ; SQD>SQD
            RC MIN_RNR_TIMER      INIT>RTR   ; RTR>RTS RTS>RTS SQD>SQD SQD>RTS
            RC SQ_PSN             RTR>RTS    ;
            RC TIMEOUT            RTR>RTS    ; SQD>SQD
            RC RETRY_CNT          RTR>RTS    ; SQD>SQD
            RC RNR_RETRY          RTR>RTS    ; SQD>SQD
            RC MAX_QP_RD_ATOMIC   RTR>RTS    ; SQD>SQD
            RC ALT_PATH                      ; INIT>RTR RTR>RTS RTS>RTS SQD>SQD SQD>RTS
            RC PATH_MIG_STATE                ; RTR>RTS RTS>RTS SQD>SQD SQD>RTS
            RC CUR_STATE                     ; RTR>RTS RTS>RTS SQD>RTS
            RC EN_SQD_ASYNC_NOTIFY           ; RTS>SQD
            UC PKEY_INDEX         RESET>INIT ; INIT>INIT INIT>RTR SQD>SQD
            UC PORT               RESET>INIT ; INIT>INIT
            UC ACCESS_FLAGS       RESET>INIT ; INIT>INIT INIT>RTR RTR>RTS RTS>RTS SQD>SQD SQD>RTS SQE>RTS
            UC AV                 INIT>RTR   ; SQD>SQD
            UC PATH_MTU           INIT>RTR   ;
            UC DEST_QPN           INIT>RTR   ;
            UC RQ_PSN             INIT>RTR   ;
            UC SQ_PSN             RTR>RTS    ;
            UC ALT_PATH                      ; INIT>RTR RTR>RTS RTS>RTS SQD>SQD SQD>RTS
            UC PATH_MIG_STATE                ; RTR>RTS RTS>RTS SQD>SQD SQD>RTS
            UC CUR_STATE                     ; RTR>RTS RTS>RTS SQD>RTS SQE>RTS
            UC EN_SQD_ASYNC_NOTIFY           ; RTS>SQD
            UD PKEY_INDEX         RESET>INIT ; INIT>INIT INIT>RTR SQD>SQD
            UD PORT               RESET>INIT ; INIT>INIT
            UD QKEY               RESET>INIT ; INIT>INIT INIT>RTR RTR>RTS RTS>RTS SQD>SQD SQD>RTS SQE>RTS
            UD SQ_PSN             RTR>RTS    ;
            UD CUR_STATE                     ; RTR>RTS RTS>RTS SQD>RTS SQE>RTS
            UD EN_SQD_ASYNC_NOTIFY           ; RTS>SQD
            """;

    /** A transition of one type, and what the two tables above state about it. */
    record Pair(QpType type, QpState from, QpState to) {

        boolean legal() {
            String row = LEGAL.lines().filter(line -> line.startsWith(from + " ")).findFirst().orElseThrow();
            String cell = row.trim().split(" +")[1 + to.ordinal()];
            return cell.equals("y") || cell.equals("c") && type != QpType.RC;
        }

        Set<QpAttribute> required() {
            return attributes(0);
        }

        Set<QpAttribute> optional() {
            return attributes(1);
        }

        private Set<QpAttribute> attributes(int column) {
            return ATTRIBUTES.lines().filter(line -> line.startsWith(type + " "))
                    .filter(line -> List.of(line.substring(22).split(";", 2)[column].trim().split(" +"))
                            .contains(from + ">" + to))
                    .map(line -> QpAttribute.valueOf(line.split(" ")[1]))
                    .collect(Collectors.toCollection(() -> EnumSet.noneOf(QpAttribute.class)));
        }

        QpAttributes.Builder withRequired() {
            QpAttributes.Builder builder = QpAttributes.builder().state(to);
            required().forEach(attribute -> setAttribute(builder, attribute, from));
            return builder;
        }

        @Override
        public String toString() {
            return from + " -> " + to + " of " + (type == QpType.RC ? "an " : "a ") + type + " queue pair";
        }
    }

    static Stream<Pair> allPairs() {
        return TYPES.stream().flatMap(type -> STATES.stream()
                .flatMap(from -> STATES.stream().map(to -> new Pair(type, from, to))));
    }

    static Stream<Pair> legalPairs() {
        return allPairs().filter(Pair::legal);
    }

    static Stream<Pair> illegalPairs() {
        return allPairs().filter(pair -> !pair.legal());
    }

    /** Sets an attribute to a value that is valid in the current state. */
    private static void setAttribute(QpAttributes.Builder builder, QpAttribute attribute, QpState current) {
        AhAttributes path = AhAttributes.to(Gid.parse("fe80::1"), 1, 0);
        switch (attribute) {
            case STATE -> throw new AssertionError("STATE is the target of the transition");
            case CUR_STATE -> builder.currentState(current);
            case EN_SQD_ASYNC_NOTIFY -> builder.enableSqdAsyncNotify(true);
            case ACCESS_FLAGS -> builder.accessFlags(0);
            case PKEY_INDEX -> builder.pkeyIndex(0);
            case PORT -> builder.port(1);
            case QKEY -> builder.qkey(0x1234);
            case AV -> builder.addressVector(path);
            case PATH_MTU -> builder.pathMtu(Mtu.MTU_1024);
            case TIMEOUT -> builder.timeout(14);
            case RETRY_CNT -> builder.retryCount(7);
            case RNR_RETRY -> builder.rnrRetry(7);
            case RQ_PSN -> builder.rqPsn(1);
            case MAX_QP_RD_ATOMIC -> builder.maxRdAtomic(1);
            case ALT_PATH -> builder.alternatePath(path);
            case MIN_RNR_TIMER -> builder.minRnrTimer(12);
            case SQ_PSN -> builder.sqPsn(1);
            case MAX_DEST_RD_ATOMIC -> builder.maxDestRdAtomic(1);
            case PATH_MIG_STATE -> builder.pathMigrationState(PathMigrationState.MIGRATED);
            case CAP -> throw new AssertionError("queue pairs cannot be resized");
            case DEST_QPN -> builder.destinationQpn(2);
        }
    }

    private static String refusal(QpType type, QpState current, QpAttributes.Builder attributes) {
        VerbsException e = assertThrows(VerbsException.class,
                () -> QpTransitions.check(type, current, attributes.build()), () -> attributes.build().toString());
        assertSame(Errno.EINVAL, e.error());
        assertEquals("modify_qp", e.operation());
        return e.getMessage();
    }

    @Test
    void theExpectationsCoverAllPairs() {
        assertEquals(147, allPairs().count());
        // UC and UD allow every transition of RC, and SQE -> RTS in addition.
        assertEquals(21 + 22 + 22, legalPairs().count());
        assertEquals(8 + 9 + 9, legalPairs()
                .filter(pair -> !pair.required().isEmpty() || !pair.optional().isEmpty()).count());
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void ruleOfALegalTransitionNamesItsAttributes(Pair pair) {
        QpTransitions.Rule rule = QpTransitions.rule(pair.type, pair.from, pair.to).orElseThrow();

        assertEquals(pair.required(), rule.required());
        assertEquals(pair.optional(), rule.optional());
    }

    @ParameterizedTest
    @MethodSource("illegalPairs")
    void illegalTransitionHasNoRule(Pair pair) {
        assertTrue(QpTransitions.rule(pair.type, pair.from, pair.to).isEmpty());
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void requiredAttributesAreEnough(Pair pair) {
        assertDoesNotThrow(() -> QpTransitions.check(pair.type, pair.from, pair.withRequired().build()));
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void missingRequiredAttributeIsNamed(Pair pair) {
        for (QpAttribute attribute : pair.required()) {
            String message = refusal(pair.type, pair.from, pair.withRequired().without(attribute));

            assertTrue(message.startsWith("modify_qp: EINVAL (22): " + pair + " lacks " + attribute + ";"), message);
        }
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void eachOptionalAttributeIsAccepted(Pair pair) {
        for (QpAttribute attribute : pair.optional()) {
            QpAttributes.Builder attributes = pair.withRequired();
            setAttribute(attributes, attribute, pair.from);
            assertDoesNotThrow(() -> QpTransitions.check(pair.type, pair.from, attributes.build()));
        }
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void allOptionalAttributesAreAcceptedTogether(Pair pair) {
        QpAttributes.Builder attributes = pair.withRequired();
        pair.optional().forEach(attribute -> setAttribute(attributes, attribute, pair.from));

        assertDoesNotThrow(() -> QpTransitions.check(pair.type, pair.from, attributes.build()));
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void eachOtherAttributeIsRefusedByName(Pair pair) {
        EnumSet<QpAttribute> others = EnumSet.allOf(QpAttribute.class);
        others.removeAll(pair.required());
        others.removeAll(pair.optional());
        others.removeAll(EnumSet.of(QpAttribute.STATE, QpAttribute.CAP));
        for (QpAttribute attribute : others) {
            QpAttributes.Builder attributes = pair.withRequired();
            setAttribute(attributes, attribute, pair.from);
            String message = refusal(pair.type, pair.from, attributes);

            assertTrue(message.startsWith(
                    "modify_qp: EINVAL (22): " + pair + ": not allowed here: " + attribute + ";"), message);
        }
    }

    @ParameterizedTest
    @MethodSource("legalPairs")
    void refusalListsTheLegalAttributes(Pair pair) {
        QpAttributes.Builder attributes = pair.withRequired();
        QpAttribute surplus = pair.type == QpType.UD ? QpAttribute.AV : QpAttribute.QKEY;
        setAttribute(attributes, surplus, pair.from);

        String message = refusal(pair.type, pair.from, attributes);

        assertTrue(message.endsWith("; required are " + list(pair.required()) + ", optional " + list(pair.optional())),
                message);
    }

    private static String list(Set<QpAttribute> attributes) {
        return attributes.isEmpty()
                ? "none"
                : attributes.stream().map(QpAttribute::name).collect(Collectors.joining(", "));
    }

    @ParameterizedTest
    @MethodSource("illegalPairs")
    void illegalTransitionIsRefusedListingTheLegalOnes(Pair pair) {
        String message = refusal(pair.type, pair.from, QpAttributes.builder().state(pair.to));
        String legal = STATES.stream().filter(to -> new Pair(pair.type, pair.from, to).legal()).map(QpState::name)
                .collect(Collectors.joining(", "));

        assertEquals("modify_qp: EINVAL (22): " + pair + " is not legal; legal from " + pair.from + ": " + legal,
                message);
    }

    @ParameterizedTest
    @MethodSource("allPairs")
    void modifyWithoutStateIsATransitionToTheSameState(Pair pair) {
        if (pair.from != pair.to) {
            return;
        }
        QpAttributes.Builder none = QpAttributes.builder();
        if (pair.legal()) {
            assertDoesNotThrow(() -> QpTransitions.check(pair.type, pair.from, none.build()));
        } else {
            String message = refusal(pair.type, pair.from, none);
            assertTrue(message.contains(pair + " (a modify without STATE) is not legal; legal from "),
                    message);
        }
    }

    @Test
    void modifyWithoutStateFollowsTheRuleOfTheCurrentState() {
        assertDoesNotThrow(() -> QpTransitions.check(QpType.RC, QpState.RTS,
                QpAttributes.builder().minRnrTimer(3).build()));

        assertTrue(refusal(QpType.RC, QpState.RTS, QpAttributes.builder().timeout(3))
                .contains("RTS -> RTS of an RC queue pair: not allowed here: TIMEOUT;"));
    }

    @Test
    void missingAndSurplusAttributesAreNamedTogether() {
        Pair pair = new Pair(QpType.RC, QpState.INIT, QpState.RTR);
        QpAttributes.Builder attributes = pair.withRequired().without(QpAttribute.RQ_PSN)
                .without(QpAttribute.PATH_MTU).qkey(7);

        assertEquals("modify_qp: EINVAL (22): INIT -> RTR of an RC queue pair lacks PATH_MTU, RQ_PSN; "
                + "not allowed here: QKEY; required are AV, PATH_MTU, RQ_PSN, MIN_RNR_TIMER, MAX_DEST_RD_ATOMIC, "
                + "DEST_QPN, optional ACCESS_FLAGS, PKEY_INDEX, ALT_PATH",
                refusal(QpType.RC, QpState.INIT, attributes));
    }

    @ParameterizedTest
    @EnumSource(names = {"RC", "UC", "UD"})
    void wrongCurrentStateIsRefused(QpType type) {
        for (QpState claimed : STATES) {
            QpAttributes.Builder attributes = new Pair(type, QpState.RTR, QpState.RTS).withRequired()
                    .currentState(claimed);
            if (claimed == QpState.RTR) {
                assertDoesNotThrow(() -> QpTransitions.check(type, QpState.RTR, attributes.build()));
            } else {
                String message = refusal(type, QpState.RTR, attributes);
                assertTrue(message.endsWith(": CUR_STATE says " + claimed + ", but the state is RTR"), message);
            }
        }
    }

    @Test
    void illegalTransitionIsReportedBeforeWrongCurrentStateAndThatBeforeAttributes() {
        QpAttributes.Builder all = QpAttributes.builder().currentState(QpState.SQD).qkey(1);

        assertTrue(refusal(QpType.RC, QpState.RTR, all.state(QpState.INIT)).contains("is not legal"));
        assertTrue(refusal(QpType.RC, QpState.RTR, all.state(QpState.RTS)).contains("CUR_STATE says SQD"));
        assertTrue(refusal(QpType.RC, QpState.RTR, all.currentState(QpState.RTR)).contains("lacks"));
    }

    @ParameterizedTest
    @CsvSource({"7", "-1", "2147483647"})
    void unknownStateNumberIsRefused(int number) {
        String message = refusal(QpType.UD, QpState.INIT, QpAttributes.builder().rawState(number));

        assertTrue(message.contains("INIT -> state " + number + " of a UD queue pair is not legal; legal from INIT: "
                + "RESET, INIT, RTR, ERR"), message);
    }

    @Test
    void unknownTypeHasNoLegalTransition() {
        String message = refusal(QpType.UNKNOWN, QpState.RESET, QpAttributes.builder().state(QpState.INIT));

        assertTrue(message.endsWith(
                ": RESET -> INIT of a queue pair of unknown type is not legal; legal from RESET: none"), message);
        assertTrue(QpTransitions.rule(QpType.RC, QpState.UNKNOWN, QpState.RESET).isEmpty());
    }

    @Test
    void targetIsTheGivenStateOrTheCurrentState() {
        assertSame(QpState.RTS, QpTransitions.target(QpState.RTR,
                QpAttributes.builder().state(QpState.RTS).build()));
        assertSame(QpState.RESET, QpTransitions.target(QpState.RTR,
                QpAttributes.builder().state(QpState.RESET).build()));
        assertSame(QpState.RTR, QpTransitions.target(QpState.RTR, QpAttributes.builder().qkey(1).build()));
        assertSame(QpState.UNKNOWN, QpTransitions.target(QpState.RTR, QpAttributes.builder().rawState(9).build()));
    }

    @Test
    void noRuleContainsStateOrCapabilities() {
        List<QpTransitions.Rule> rules = new ArrayList<>();
        allPairs().forEach(pair -> QpTransitions.rule(pair.type, pair.from, pair.to).ifPresent(rules::add));

        for (QpTransitions.Rule rule : rules) {
            for (QpAttribute attribute : List.of(QpAttribute.STATE, QpAttribute.CAP)) {
                assertFalse(rule.required().contains(attribute) || rule.optional().contains(attribute));
            }
        }
    }

    @Test
    void rulesCannotBeChanged() {
        QpTransitions.Rule rule = QpTransitions.rule(QpType.RC, QpState.INIT, QpState.RTR).orElseThrow();

        assertThrows(UnsupportedOperationException.class, () -> rule.required().clear());
        assertThrows(UnsupportedOperationException.class, () -> rule.optional().add(QpAttribute.QKEY));
    }
}
