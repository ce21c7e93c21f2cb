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
    /**
     * A REQ or a SIDR_REQ that was responded to with a refusal, because no program can be asked; or a REP of a queue
     * pair that is part of another connection.
     */
    REFUSED("cm_rx_refused"),
    /** A REQ or a SIDR_REQ to a listener with a full backlog; the peer sends it again. */
    BACKLOG_FULL("cm_rx_backlog_full"),
    /** Messages arrive faster than they are processed; the peer sends it again. */
    QUEUE_FULL("cm_rx_queue_full");

    private final String label;

    CmDropReason(String label) {
        this.label = label;
    }

    /** {@return the name of the counter} */
    public String label() {
        return label;
    }
}
