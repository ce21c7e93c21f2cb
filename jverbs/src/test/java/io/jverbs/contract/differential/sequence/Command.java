package io.jverbs.contract.differential.sequence;

/** Calls of the control path, legal and illegal. */
public enum Command {
    TO_ERR,
    TO_RESET,
    TO_SQD,
    SQD_TO_RTS,
    NO_REMOTE_RIGHTS,
    /** The result of the query is compared. */
    QUERY,
    RTS_TO_INIT,
    RTS_TO_RTR,
    RTS_WITH_PORT,
    RTS_WITH_PSN,
    RTS_SAME,
    REGISTER_REMOTE_WRITE_ALONE,
    REGISTER_ATOMIC_ALONE,
    REGISTER_READ_ONLY,
    DESTROY_BUSY_DOMAIN,
    DESTROY_BUSY_CQ,
    DESTROY_BUSY_SRQ,
    CQ_OF_SIZE_ZERO,
    CQ_TOO_LARGE,
    CQ_BAD_VECTOR,
    QP_TOO_MANY_ELEMENTS,
    QP_TOO_MANY_REQUESTS,
    SEND_TOO_MANY_ELEMENTS,
    RECEIVE_TOO_MANY_ELEMENTS,
    INLINE_TOO_LONG,
    UNKNOWN_OPCODE,
    RESIZE_CQ,
    NEW_WINDOW,
    WINDOW_OF_UNKNOWN_TYPE,
    BAD_PKEY_INDEX,
    BAD_GID_INDEX,
    SRQ_LIMIT,
    SRQ_LIMIT_TOO_HIGH
}
