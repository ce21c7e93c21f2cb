package io.jverbs;

/**
 * The types of asynchronous events; see ibv_get_async_event(3). {@link AsyncEvent} says which object an event concerns.
 */
public enum AsyncEventType {
    /** A completion queue failed, usually because it overflowed. */
    CQ_ERR(0),
    /** An error that no completion can report moved a queue pair to ERR. */
    QP_FATAL(1),
    /** The peer sent an invalid request. The queue pair is in ERR. */
    QP_REQ_ERR(2),
    /** The peer used a remote key without permission. The queue pair is in ERR. */
    QP_ACCESS_ERR(3),
    /** A queue pair in RTR received its first packet. */
    COMM_EST(4),
    /** A queue pair in SQD completed all send requests that it had started. */
    SQ_DRAINED(5),
    /** A connection migrated to its alternate path. */
    PATH_MIG(6),
    /** A connection could not migrate to its alternate path. */
    PATH_MIG_ERR(7),
    /** The device failed or was removed. The event names neither an object nor a port. */
    DEVICE_FATAL(8),
    /** A port became active. */
    PORT_ACTIVE(9),
    /** A port went down. Queue pairs keep their state, and their traffic times out. */
    PORT_ERR(10),
    /** The LID of a port changed. */
    LID_CHANGE(11),
    /** The P_Key table of a port changed. */
    PKEY_CHANGE(12),
    /** The subnet manager of a port changed. */
    SM_CHANGE(13),
    /** A shared receive queue failed. */
    SRQ_ERR(14),
    /** A shared receive queue holds fewer requests than its limit. The limit is disarmed. */
    SRQ_LIMIT_REACHED(15),
    /** A queue pair in ERR takes no more requests from its shared receive queue. */
    QP_LAST_WQE_REACHED(16),
    /** The subnet manager asks the clients of a port to register again. */
    CLIENT_REREGISTER(17),
    /** The GID table of a port changed. */
    GID_CHANGE(18),
    /** A work queue that belongs to no queue pair failed. */
    WQ_FATAL(19),
    /** The speed of a port changed. */
    DEVICE_SPEED_CHANGE(20),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<AsyncEventType> BY_CODE = CodeTable.of(values(), AsyncEventType::code, UNKNOWN);

    private final int code;

    AsyncEventType(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_event_type}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_event_type}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static AsyncEventType of(int code) {
        return BY_CODE.find(code);
    }
}
