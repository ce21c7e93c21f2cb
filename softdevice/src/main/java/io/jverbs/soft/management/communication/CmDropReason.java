package io.jverbs.soft.management.communication;

/**
 * Why a message that has arrived was passed to no connection and to no program. The labels are the names of the
 * counters.
 */
public enum CmDropReason {
    /**
     * The message was repeated, or came too late; some such messages are responded to again. As {@code
     * cm_rx_duplicates} of Linux.
     */
    DUPLICATE("cm_rx_duplicates"),
    /** There is no connection and no request with the IDs of the message. */
    UNKNOWN_ID("cm_rx_unknown_ids"),
    /** A REQ or a SIDR_REQ that was refused: no program listens for its service ID and address. */
    NO_LISTENER("cm_rx_no_listener"),
    /** A REQ that was refused: the GIDs of its path are not those of its packet. */
    FOREIGN_GID("cm_rx_foreign_gid"),
    /** A REQ or a SIDR_REQ that was refused: the addresses in its header are not those of its packet. */
    FOREIGN_ADDRESS("cm_rx_foreign_address"),
    /** A REQ or a SIDR_REQ that was refused: its header cannot be decoded. */
    BAD_HEADER("cm_rx_bad_header"),
    /** A REQ or a SIDR_REQ that was refused: the listener has queue pairs of another type. */
    WRONG_TYPE("cm_rx_wrong_type"),
    /** A REQ that was refused: its queue pair is part of another connection. */
    STALE_REQ("cm_rx_stale_req"),
    /** A REP that was refused: its queue pair is part of another connection. */
    STALE_REP("cm_rx_stale_rep"),
    /** A REQ or a SIDR_REQ to a listener with a full backlog; the peer sends it again. */
    BACKLOG_FULL("cm_rx_backlog_full"),
    /** Messages arrive faster than they are processed; the peer sends it again. */
    QUEUE_FULL("cm_rx_queue_full");

    private final String label;

    CmDropReason(String label) {
        this.label = label;
    }

    /** Whether the message was responded to with a refusal, without asking a program. */
    boolean isRefusal() {
        return switch (this) {
            case NO_LISTENER, FOREIGN_GID, FOREIGN_ADDRESS, BAD_HEADER, WRONG_TYPE, STALE_REQ, STALE_REP -> true;
            case DUPLICATE, UNKNOWN_ID, BACKLOG_FULL, QUEUE_FULL -> false;
        };
    }

    /** {@return the name of the counter} */
    public String label() {
        return label;
    }
}
