package io.jverbs.contract.queuepair;

import io.jverbs.QpAttribute;
import io.jverbs.QpState;
import io.jverbs.QpType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;

/**
 * The table of legal transitions of the catalogue, row by row, and lists derived from it. An RC queue pair is never in
 * SQE, so its transitions from SQE are omitted.
 */
final class Transitions {

    /** Transitions to RESET and to ERR need no row, because they allow no attribute except the state. */
    private static final String TABLE = """
            RC RESET>INIT : PKEY_INDEX PORT ACCESS_FLAGS :
            RC INIT>INIT  : : PKEY_INDEX PORT ACCESS_FLAGS
            RC INIT>RTR   : AV PATH_MTU DEST_QPN RQ_PSN MAX_DEST_RD_ATOMIC MIN_RNR_TIMER \
                          : ALT_PATH ACCESS_FLAGS PKEY_INDEX
            RC RTR>RTS    : SQ_PSN TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC \
                          : CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE
            RC RTS>RTS    : : CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE MIN_RNR_TIMER
            RC RTS>SQD    : : EN_SQD_ASYNC_NOTIFY
            RC SQD>SQD    : : PORT AV TIMEOUT RETRY_CNT RNR_RETRY MAX_QP_RD_ATOMIC MAX_DEST_RD_ATOMIC ALT_PATH \
                              ACCESS_FLAGS PKEY_INDEX MIN_RNR_TIMER PATH_MIG_STATE
            RC SQD>RTS    : : CUR_STATE ALT_PATH ACCESS_FLAGS MIN_RNR_TIMER PATH_MIG_STATE
            UC RESET>INIT : PKEY_INDEX PORT ACCESS_FLAGS :
            UC INIT>INIT  : : PKEY_INDEX PORT ACCESS_FLAGS
            UC INIT>RTR   : AV PATH_MTU DEST_QPN RQ_PSN : ALT_PATH ACCESS_FLAGS PKEY_INDEX
            UC RTR>RTS    : SQ_PSN : CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
            UC RTS>RTS    : : CUR_STATE ACCESS_FLAGS ALT_PATH PATH_MIG_STATE
            UC RTS>SQD    : : EN_SQD_ASYNC_NOTIFY
            UC SQD>SQD    : : AV ALT_PATH ACCESS_FLAGS PKEY_INDEX PATH_MIG_STATE
            UC SQD>RTS    : : CUR_STATE ALT_PATH ACCESS_FLAGS PATH_MIG_STATE
            UC SQE>RTS    : : CUR_STATE ACCESS_FLAGS
            UD RESET>INIT : PKEY_INDEX PORT QKEY :
            UD INIT>INIT  : : PKEY_INDEX PORT QKEY
            UD INIT>RTR   : : PKEY_INDEX QKEY
            UD RTR>RTS    : SQ_PSN : CUR_STATE QKEY
            UD RTS>RTS    : : CUR_STATE QKEY
            UD RTS>SQD    : : EN_SQD_ASYNC_NOTIFY
            UD SQD>SQD    : : PKEY_INDEX QKEY
            UD SQD>RTS    : : CUR_STATE QKEY
            UD SQE>RTS    : : CUR_STATE QKEY
            """;

    private static final List<QpType> TYPES = List.of(QpType.RC, QpType.UC, QpType.UD);
    private static final List<Transition> LEGAL = readLegal();

    private Transitions() {}

    /** A change of state, with the required and the optional attributes besides STATE. */
    record Transition(QpType type, QpState from, QpState to, Set<QpAttribute> required, Set<QpAttribute> optional) {

        Transition {
            required = copy(required);
            optional = copy(optional);
        }

        private static Set<QpAttribute> copy(Set<QpAttribute> attributes) {
            EnumSet<QpAttribute> copy = EnumSet.noneOf(QpAttribute.class);
            copy.addAll(attributes);
            return Collections.unmodifiableSet(copy);
        }

        /** Returns the attributes that this transition must refuse. The API cannot set CAP. */
        Set<QpAttribute> outside() {
            EnumSet<QpAttribute> others = EnumSet.allOf(QpAttribute.class);
            others.removeAll(EnumSet.of(QpAttribute.STATE, QpAttribute.CAP));
            others.removeAll(required);
            others.removeAll(optional);
            return others;
        }

        @Override
        public String toString() {
            return type + " " + from + " -> " + to;
        }
    }

    /** A type, and a state that its queue pairs can have. */
    record Situation(QpType type, QpState state) {

        @Override
        public String toString() {
            return type + " in " + state;
        }
    }

    private static List<Transition> readLegal() {
        List<Transition> all = new ArrayList<>();
        for (Situation from : situations().toList()) {
            all.add(new Transition(from.type(), from.state(), QpState.RESET, Set.of(), Set.of()));
            if (from.state() != QpState.RESET) {
                all.add(new Transition(from.type(), from.state(), QpState.ERR, Set.of(), Set.of()));
            }
        }
        TABLE.lines().map(line -> line.split(":", -1)).forEach(row -> {
            String[] head = row[0].strip().split("[ >]");
            all.add(new Transition(QpType.valueOf(head[0]), QpState.valueOf(head[1]), QpState.valueOf(head[2]),
                    attributes(row[1]), attributes(row[2])));
        });
        return List.copyOf(all);
    }

    private static Set<QpAttribute> attributes(String names) {
        EnumSet<QpAttribute> attributes = EnumSet.noneOf(QpAttribute.class);
        Stream.of(names.strip().split(" +")).filter(name -> !name.isEmpty()).map(QpAttribute::valueOf)
                .forEach(attributes::add);
        return attributes;
    }

    /** Returns every type in every state that it can have. */
    static Stream<Situation> situations() {
        return TYPES.stream().flatMap(type -> states().filter(state -> type != QpType.RC || state != QpState.SQE)
                .map(state -> new Situation(type, state)));
    }

    static Stream<QpState> states() {
        return EnumSet.range(QpState.RESET, QpState.ERR).stream();
    }

    static Stream<Transition> legal() {
        return LEGAL.stream();
    }

    static Optional<Transition> find(QpType type, QpState from, QpState to) {
        return legal().filter(each -> each.type() == type && each.from() == from && each.to() == to).findFirst();
    }

    /** Returns every legal transition with each of its required attributes. */
    static Stream<Arguments> required() {
        return legal().flatMap(each -> each.required().stream().map(attribute -> Arguments.of(each, attribute)));
    }

    /** Returns every legal transition with each of its optional attributes. */
    static Stream<Arguments> optional() {
        return legal().flatMap(each -> each.optional().stream().map(attribute -> Arguments.of(each, attribute)));
    }

    /**
     * Returns every pair of states that is not in the table, except RESET to ERR, which is optional, and those to SQE.
     */
    static Stream<Transition> illegal() {
        return outsideTheTable().filter(each -> each.to() != QpState.SQE)
                .filter(each -> each.from() != QpState.RESET || each.to() != QpState.ERR);
    }

    static Stream<Transition> toSendQueueError() {
        return outsideTheTable().filter(each -> each.to() == QpState.SQE);
    }

    private static Stream<Transition> outsideTheTable() {
        return situations().flatMap(from -> states()
                .filter(to -> find(from.type(), from.state(), to).isEmpty())
                .map(to -> new Transition(from.type(), from.state(), to, Set.of(), Set.of())));
    }

    /** Returns the transitions that accept CUR_STATE. */
    static Stream<Transition> withCurrentState() {
        return legal().filter(each -> each.optional().contains(QpAttribute.CUR_STATE));
    }
}
