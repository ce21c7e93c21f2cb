package io.jverbs.soft.management.communication;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * The transitions of {@link CmState}, as in {@code drivers/infiniband/core/cm.c} of Linux and in section 12.9 of the
 * InfiniBand Architecture Specification.
 */
final class CmTransitions {
    /** The states, the inputs and the next state. An input that no row lists for a state leaves the state as it is. */
    private static final String TABLE = """
            IDLE                                                  | SEND_REQ       | REQ_SENT
            IDLE                                                  | REQ            | REQ_RCVD
            REQ_SENT                                              | MRA_OF_REQ     | MRA_REQ_RCVD
            REQ_SENT MRA_REQ_RCVD                                 | REP            | REP_RCVD
            REQ_RCVD                                              | SEND_MRA       | MRA_REQ_SENT
            REQ_RCVD MRA_REQ_SENT                                 | SEND_REP       | REP_SENT
            REP_SENT                                              | MRA_OF_REP     | MRA_REP_RCVD
            REP_SENT MRA_REP_RCVD                                 | RTU COMM_EST   | ESTABLISHED
            REP_RCVD                                              | SEND_MRA       | MRA_REP_SENT
            REP_RCVD MRA_REP_SENT                                 | SEND_RTU       | ESTABLISHED
            ESTABLISHED                                           | SEND_DREQ      | DREQ_SENT
            REP_SENT MRA_REP_RCVD ESTABLISHED DREQ_SENT           | DREQ           | DREQ_RCVD
            DREQ_RCVD                                             | SEND_DREP      | TIMEWAIT
            DREQ_SENT DREQ_RCVD                                   | DREP           | TIMEWAIT
            REQ_SENT MRA_REQ_RCVD REQ_RCVD MRA_REQ_SENT           | SEND_REJ       | IDLE
            REP_RCVD MRA_REP_SENT                                 | SEND_REJ       | IDLE
            REP_SENT MRA_REP_RCVD                                 | SEND_REJ       | TIMEWAIT
            REQ_SENT MRA_REQ_RCVD REQ_RCVD MRA_REQ_SENT           | REJ            | IDLE
            REP_SENT MRA_REP_RCVD                                 | REJ            | IDLE
            REQ_SENT MRA_REQ_RCVD REQ_RCVD MRA_REQ_SENT           | REJ_STALE      | TIMEWAIT
            REP_SENT MRA_REP_RCVD                                 | REJ_STALE      | TIMEWAIT
            REP_RCVD MRA_REP_SENT ESTABLISHED DREQ_SENT           | REJ REJ_STALE  | TIMEWAIT
            REQ_SENT MRA_REQ_RCVD REP_SENT MRA_REP_RCVD           | NO_RESPONSE    | IDLE
            DREQ_SENT                                             | NO_RESPONSE    | TIMEWAIT
            TIMEWAIT                                              | TIMEWAIT_EXIT  | IDLE
            """;
    private static final Map<CmState, Map<CmInput, CmState>> NEXT = parse();

    private CmTransitions() {}

    private static Map<CmState, Map<CmInput, CmState>> parse() {
        Map<CmState, Map<CmInput, CmState>> all = new EnumMap<>(CmState.class);
        for (CmState state : CmState.values()) {
            all.put(state, new EnumMap<>(CmInput.class));
        }
        TABLE.lines().map(line -> line.split("\\|")).forEach(row -> {
            CmState next = CmState.valueOf(row[2].strip());
            for (String state : row[0].strip().split(" +")) {
                for (String input : row[1].strip().split(" +")) {
                    if (all.get(CmState.valueOf(state)).put(CmInput.valueOf(input), next) != null) {
                        throw new IllegalStateException("two rows for " + state + " and " + input);
                    }
                }
            }
        });
        return all;
    }

    /** Returns the state after an input; null if the input is not allowed in this state, or is ignored. */
    static CmState next(CmState state, CmInput input) {
        return NEXT.get(state).get(input);
    }

    /** Returns the states in which an input is allowed, for messages. */
    static String allowed(CmInput input) {
        return String.join(", ", Arrays.stream(CmState.values()).filter(state -> next(state, input) != null)
                .map(CmState::name).toList());
    }
}
