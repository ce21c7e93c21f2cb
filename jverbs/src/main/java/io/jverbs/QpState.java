package io.jverbs;

/**
 * The states of a queue pair; see ibv_modify_qp(3) and the InfiniBand Architecture Specification, volume 1, section
 * 10.3.1. Which changes are legal, and with which attributes, is in {@link QpTransitions}.
 */
public enum QpState {
    /** As created: nothing may be posted, what arrives is dropped. */
    RESET(0),
    /** Initialised: receives may be posted and wait, what arrives is dropped. */
    INIT(1),
    /** Ready to receive: receives are served and acknowledged, sends may not be posted yet. */
    RTR(2),
    /** Ready to send: all operations work. */
    RTS(3),
    /** Send queue drained: sends that have started complete, those posted later wait; receiving goes on. */
    SQD(4),
    /**
     * Send queue in error (UC and UD): sends are flushed, receiving goes on. Only the device brings a queue pair
     * here.
     */
    SQE(5),
    /** Error: every request, also one posted later, completes with {@link WcStatus#WR_FLUSH_ERR}. */
    ERR(6),
    /** A number that is no state. */
    UNKNOWN(-1);

    private static final CodeTable<QpState> BY_CODE = CodeTable.of(values(), QpState::code, UNKNOWN);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_qp_state}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a state by its number.
     *
     * @param code a value of {@code enum ibv_qp_state}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static QpState of(int code) {
        return BY_CODE.find(code);
    }
}
