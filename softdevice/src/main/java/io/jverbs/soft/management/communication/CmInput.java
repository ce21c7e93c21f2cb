package io.jverbs.soft.management.communication;

/** What can change the {@link CmState}: a message that is sent or arrives, or a time that has passed. */
enum CmInput {
    SEND_REQ,
    SEND_MRA,
    SEND_REP,
    SEND_RTU,
    SEND_REJ,
    SEND_DREQ,
    SEND_DREP,
    /** The queue pair has received a packet before the RTU arrived, see rdma_notify(3). */
    COMM_EST,
    REQ,
    MRA_OF_REQ,
    MRA_OF_REP,
    REP,
    RTU,
    DREQ,
    DREP,
    /** A REJ for any reason but a stale connection. */
    REJ,
    /** A REJ because of a stale connection. */
    REJ_STALE,
    /** The message was sent as often as allowed, and no response has arrived in time. */
    NO_RESPONSE,
    /** The time in TIMEWAIT has passed. */
    TIMEWAIT_EXIT
}
