package io.jverbs;

/**
 * The states of a queue pair; see ibv_modify_qp(3) and the InfiniBand Architecture Specification, volume 1, section
 * 10.3.1. {@link QpTransitions} lists the legal transitions and their attributes.
 */
public enum QpState {
    /** Reset, the initial state: nothing can be posted, and incoming packets are dropped. */
    RESET(0),
    /** Initialized: receive requests can be posted but are not processed, and incoming packets are dropped. */
    INIT(1),
    /** Ready to receive: incoming requests are executed and acknowledged, but send requests cannot be posted. */
    RTR(2),
    /** Ready to send: fully operational. */
    RTS(3),
    /**
     * Send queue drain: send requests that have started complete, and later ones remain queued. The receive side is
     * operational.
     */
    SQD(4),
    /**
     * Send queue error (UC and UD): send requests are flushed, and the receive side is operational. Only the device
     * moves a queue pair to this state.
     */
    SQE(5),
    /** Error: every request, including those posted later, completes with {@link WcStatus#WR_FLUSH_ERR}. */
    ERR(6),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<QpState> BY_CODE = CodeTable.of(values(), QpState::code, UNKNOWN);

    private final int code;

    QpState(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_qp_state}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_qp_state}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static QpState of(int code) {
        return BY_CODE.find(code);
    }
}
