package io.jverbs.soft.management.communication;

/** The state of one half of a connection, as {@code enum ib_cm_state} of Linux. {@link CmTransitions} has the table. */
public enum CmState {
    /** There is no connection. */
    IDLE,
    /** A REQ was sent. */
    REQ_SENT,
    /** A REQ has arrived. */
    REQ_RCVD,
    /** As {@link #REQ_RCVD}; an MRA responds to a repeated REQ. */
    MRA_REQ_SENT,
    /** As {@link #REQ_SENT}; the peer asked for more time with an MRA. */
    MRA_REQ_RCVD,
    /** A REP was sent. */
    REP_SENT,
    /** A REP has arrived. */
    REP_RCVD,
    /** As {@link #REP_RCVD}; an MRA responds to a repeated REP. */
    MRA_REP_SENT,
    /** As {@link #REP_SENT}; the peer asked for more time with an MRA. */
    MRA_REP_RCVD,
    /** The connection is established. */
    ESTABLISHED,
    /** A DREQ was sent. */
    DREQ_SENT,
    /** A DREQ has arrived, and no DREP was sent. */
    DREQ_RCVD,
    /** The connection has ended; packets of it may still arrive. */
    TIMEWAIT
}
