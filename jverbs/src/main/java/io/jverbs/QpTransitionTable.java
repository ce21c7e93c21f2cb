package io.jverbs;

import static io.jverbs.QpAttribute.ACCESS_FLAGS;
import static io.jverbs.QpAttribute.ALT_PATH;
import static io.jverbs.QpAttribute.AV;
import static io.jverbs.QpAttribute.CUR_STATE;
import static io.jverbs.QpAttribute.DEST_QPN;
import static io.jverbs.QpAttribute.EN_SQD_ASYNC_NOTIFY;
import static io.jverbs.QpAttribute.MAX_DEST_RD_ATOMIC;
import static io.jverbs.QpAttribute.MAX_QP_RD_ATOMIC;
import static io.jverbs.QpAttribute.MIN_RNR_TIMER;
import static io.jverbs.QpAttribute.PATH_MIG_STATE;
import static io.jverbs.QpAttribute.PATH_MTU;
import static io.jverbs.QpAttribute.PKEY_INDEX;
import static io.jverbs.QpAttribute.PORT;
import static io.jverbs.QpAttribute.QKEY;
import static io.jverbs.QpAttribute.RETRY_CNT;
import static io.jverbs.QpAttribute.RNR_RETRY;
import static io.jverbs.QpAttribute.RQ_PSN;
import static io.jverbs.QpAttribute.SQ_PSN;
import static io.jverbs.QpAttribute.TIMEOUT;
import static io.jverbs.QpState.ERR;
import static io.jverbs.QpState.INIT;
import static io.jverbs.QpState.RESET;
import static io.jverbs.QpState.RTR;
import static io.jverbs.QpState.RTS;
import static io.jverbs.QpState.SQD;
import static io.jverbs.QpState.SQE;
import static io.jverbs.QpType.RC;
import static io.jverbs.QpType.UC;
import static io.jverbs.QpType.UD;

import io.jverbs.QpTransitions.Rule;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The table of legal state transitions and their attributes, as in ibv_modify_qp(3) and the InfiniBand Architecture
 * Specification, volume 1, chapter 11, Modify Queue Pair. Where the two differ, the table follows Linux, which rejects
 * RESET -> ERR. Immutable.
 */
final class QpTransitionTable {
    private static final Map<QpType, Map<QpState, Map<QpState, Row>>> RULES = new EnumMap<>(QpType.class);

    /**
     * A row of the table.
     *
     * @param required the bits of the attributes that must be present
     * @param allowed the bits of these and of the optional ones
     */
    record Row(Rule rule, int required, int allowed) {

        private static Row of(Rule rule) {
            int required = mask(rule.required());
            return new Row(rule, required, required | mask(rule.optional()));
        }

        private static int mask(Set<QpAttribute> attributes) {
            return attributes.stream().mapToInt(QpAttribute::bit).reduce(0, (all, each) -> all | each);
        }
    }

    static {
        for (QpType type : List.of(UD, UC, RC)) {
            for (QpState from : EnumSet.range(RESET, ERR)) {
                rule(type, from, RESET, needs(), takes());
            }
            for (QpState from : EnumSet.range(INIT, ERR)) {
                rule(type, from, ERR, needs(), takes());
            }
            rule(type, RTS, SQD, needs(), takes(EN_SQD_ASYNC_NOTIFY));
        }

        rule(UD, RESET, INIT, needs(PKEY_INDEX, PORT, QKEY), takes());
        rule(UC, RESET, INIT, needs(PKEY_INDEX, PORT, ACCESS_FLAGS), takes());
        rule(RC, RESET, INIT, needs(PKEY_INDEX, PORT, ACCESS_FLAGS), takes());

        rule(UD, INIT, INIT, needs(), takes(PKEY_INDEX, PORT, QKEY));
        rule(UC, INIT, INIT, needs(), takes(PKEY_INDEX, PORT, ACCESS_FLAGS));
        rule(RC, INIT, INIT, needs(), takes(PKEY_INDEX, PORT, ACCESS_FLAGS));

        rule(UD, INIT, RTR, needs(), takes(PKEY_INDEX, QKEY));
        rule(UC, INIT, RTR, needs(AV, PATH_MTU, DEST_QPN, RQ_PSN), takes(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));
        rule(RC, INIT, RTR, needs(AV, PATH_MTU, DEST_QPN, RQ_PSN, MAX_DEST_RD_ATOMIC, MIN_RNR_TIMER),
                takes(ALT_PATH, ACCESS_FLAGS, PKEY_INDEX));

        rule(UD, RTR, RTS, needs(SQ_PSN), takes(CUR_STATE, QKEY));
        rule(UC, RTR, RTS, needs(SQ_PSN), takes(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE));
        rule(RC, RTR, RTS, needs(SQ_PSN, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC),
                takes(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE));

        rule(UD, RTS, RTS, needs(), takes(CUR_STATE, QKEY));
        rule(UC, RTS, RTS, needs(), takes(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE));
        rule(RC, RTS, RTS, needs(), takes(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE));

        rule(UD, SQD, SQD, needs(), takes(PKEY_INDEX, QKEY));
        rule(UC, SQD, SQD, needs(), takes(AV, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, PATH_MIG_STATE));
        rule(RC, SQD, SQD, needs(), takes(PORT, AV, TIMEOUT, RETRY_CNT, RNR_RETRY, MAX_QP_RD_ATOMIC,
                MAX_DEST_RD_ATOMIC, ALT_PATH, ACCESS_FLAGS, PKEY_INDEX, MIN_RNR_TIMER, PATH_MIG_STATE));

        rule(UD, SQD, RTS, needs(), takes(CUR_STATE, QKEY));
        rule(UC, SQD, RTS, needs(), takes(CUR_STATE, ALT_PATH, ACCESS_FLAGS, PATH_MIG_STATE));
        rule(RC, SQD, RTS, needs(), takes(CUR_STATE, ALT_PATH, ACCESS_FLAGS, MIN_RNR_TIMER, PATH_MIG_STATE));

        // RC has no SQE: an error of the send queue moves the queue pair to ERR
        rule(UD, SQE, RTS, needs(), takes(CUR_STATE, QKEY));
        rule(UC, SQE, RTS, needs(), takes(CUR_STATE, ACCESS_FLAGS));
    }

    private QpTransitionTable() {}

    /** {@return the legal next states of a queue pair and the row of each, in the order of the states} */
    static Map<QpState, Row> from(QpType type, QpState state) {
        return RULES.getOrDefault(type, Map.of()).getOrDefault(state, Map.of());
    }

    private static void rule(QpType type, QpState from, QpState to, Set<QpAttribute> required,
            Set<QpAttribute> optional) {
        RULES.computeIfAbsent(type, unused -> new EnumMap<>(QpState.class))
                .computeIfAbsent(from, unused -> new EnumMap<>(QpState.class))
                .put(to, Row.of(new Rule(required, optional)));
    }

    private static Set<QpAttribute> needs(QpAttribute... attributes) {
        return Set.of(attributes);
    }

    private static Set<QpAttribute> takes(QpAttribute... attributes) {
        return Set.of(attributes);
    }
}
