package io.jverbs;

/** What can happen to a device and its objects outside any request; see ibv_get_async_event(3). */
public enum AsyncEventType {
    /** A completion queue failed, usually because it overflowed. Concerns a completion queue. */
    CQ_ERR(0),
    /** An error that could not be reported in a completion moved the queue pair to ERR. */
    QP_FATAL(1),
    /** The peer sent an invalid request; the queue pair is in ERR. */
    QP_REQ_ERR(2),
    /** The peer used a remote key without the right to; the queue pair is in ERR. */
    QP_ACCESS_ERR(3),
    /** The first packet arrived at a queue pair in RTR. */
    COMM_EST(4),
    /** The send queue of a queue pair in SQD has finished what it had started. */
    SQ_DRAINED(5),
    /** A connection moved to its alternate path. */
    PATH_MIG(6),
    /** A connection could not move to its alternate path. */
    PATH_MIG_ERR(7),
    /** The device failed or was removed. Concerns neither an object nor a port. */
    DEVICE_FATAL(8),
    /** A port became active. */
    PORT_ACTIVE(9),
    /** A port went down. Queue pairs keep their state; their traffic times out. */
    PORT_ERR(10),
    /** The LID of a port changed. */
    LID_CHANGE(11),
    /** The P_Key table of a port changed. */
    PKEY_CHANGE(12),
    /** A port has another subnet manager. */
    SM_CHANGE(13),
    /** A shared receive queue failed. */
    SRQ_ERR(14),
    /** A shared receive queue holds fewer requests than its limit, which is now disarmed. */
    SRQ_LIMIT_REACHED(15),
    /** A queue pair in ERR has taken its last request from its shared receive queue. */
    QP_LAST_WQE_REACHED(16),
    /** The subnet manager asks the clients of a port to register anew. */
    CLIENT_REREGISTER(17),
    /** The GID table of a port changed. */
    GID_CHANGE(18),
    /** A work queue without a queue pair failed. */
    WQ_FATAL(19),
    /** The speed of a port changed. */
    DEVICE_SPEED_CHANGE(20),
    /** A number that is none of the events known here. */
    UNKNOWN(-1);

    private static final CodeTable<AsyncEventType> BY_CODE = CodeTable.of(values(), AsyncEventType::code, UNKNOWN);

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_event_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds an event by its number.
     *
     * @param code a value of {@code enum ibv_event_type}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static AsyncEventType of(int code) {
        return BY_CODE.find(code);
    }
}
