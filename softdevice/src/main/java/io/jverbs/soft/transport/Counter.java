package io.jverbs.soft.transport;

/**
 * What the device counts besides {@link Traffic}, named as the kernel's {@code hw_counters} where they have it. A packet that comes
 * is counted as received there or here under the reason why it was dropped; within the JVM a message is dropped as one packet.
 */
public enum Counter {
    /** Requests dropped because the P_Key does not match. */
    BAD_PKEY("bad_pkey"),
    /** Datagrams dropped because the Q_Key does not match. */
    BAD_QKEY("bad_qkey"),
    /** Messages dropped because no receive request was posted, or it was too small or could not be used. */
    NO_RECEIVE("no_receive"),
    /** Packets dropped because their ICRC says that they were damaged. */
    BAD_ICRC("bad_icrc"),
    /** Packets dropped because their headers make no sense. */
    MALFORMED("malformed"),
    /** Packets dropped because they are for no queue pair that there is. */
    UNKNOWN_QUEUE_PAIR("unknown_qp"),
    /** Packets dropped because the cable of the port that they come to is pulled. */
    PORT_DOWN("port_down"),
    /** Packets dropped because a program has asked for it, see {@link io.jverbs.control.PacketLoss}. */
    LOST("lost"),
    /** Requests dropped because the queue pair's state or type does not take them. */
    WRONG_STATE("wrong_state"),
    /** Requests dropped because they come from or go to another address than the queue pair's. */
    WRONG_ADDRESS("wrong_address"),
    /** Requests of an unreliable connection dropped because their length is not what their place in the message wants. */
    INVALID_REQUEST("invalid_request"),
    /** Requests that have no right to the memory or the key that they name, dropped or refused by a NAK. */
    REMOTE_ACCESS("resp_remote_access_errors"),
    /** Answers dropped because nothing under way asked for them, or they came before. */
    UNEXPECTED_RESPONSE("unexpected_response"),
    /** Datagrams to a group that came back from the network: its members in this JVM have them already. */
    OWN_MULTICAST("own_multicast"),
    /** READs and atomics dropped because more are under way than the queue pair answers at a time; they come again. */
    TOO_MANY_RD_ATOMIC("too_many_rd_atomic"),
    /** RC requests that came again. */
    DUPLICATE_REQUEST("duplicate_request"),
    /** RC requests that came too early: one before them is missing. */
    OUT_OF_SEQUENCE("out_of_seq_request"),
    /** NAKs sent for want of a receive request. */
    SENT_RNR("send_rnr_err"),
    /** NAKs received for want of a receive request. */
    RECEIVED_RNR("rcvd_rnr_err"),
    /** Times that no answer came in time and packets were sent again. */
    ACK_TIMEOUT("local_ack_timeout_err"),
    /** NAKs received because a packet was missing. */
    RECEIVED_SEQUENCE_NAK("rcvd_seq_err"),
    /** NAKs received because a request was invalid to the peer. */
    RECEIVED_NAK_INVALID("req_remote_invalid_request"),
    /** NAKs received because a request had no right to the peer's memory. */
    RECEIVED_NAK_ACCESS("req_remote_access_errors"),
    /** NAKs received because the peer could not use its receive request. */
    RECEIVED_NAK_OPERATION("req_remote_operation_errors"),
    /** Times that a requester went back and sent again; not because the peer had no receive request, see {@link #RECEIVED_RNR}. */
    RETRANSMISSION("retransmissions"),
    /** Requests that failed because the peer did not answer. */
    RETRY_EXCEEDED("retry_exceeded_err"),
    /** Requests that failed because the peer had no receive request. */
    RNR_RETRY_EXCEEDED("retry_rnr_exceeded_err"),
    /** Calls that were to send packets and that the system refused. */
    SEND_ERROR("send_err"),
    /** Packets lost because the socket's buffer was full, and stayed so for a moment. */
    SEND_BUFFER_FULL("send_buffer_full"),
    /** Times that the cable was pulled. */
    LINK_DOWNED("link_downed"),
    /** NAKs sent because a packet is missing. */
    SENT_NAK_SEQUENCE("sent_nak_sequence_error"),
    /** NAKs sent because a request was invalid. */
    SENT_NAK_INVALID("sent_nak_invalid_request"),
    /** NAKs sent because a request had no right to its memory. */
    SENT_NAK_ACCESS("sent_nak_access_error"),
    /** NAKs sent because the receive request could not be used. */
    SENT_NAK_OPERATION("sent_nak_operation_error");

    private final String label;

    Counter(String label) {
        this.label = label;
    }

    /** Whether it counts refusals. */
    boolean isNak() {
        return switch (this) {
            case SENT_RNR, SENT_NAK_SEQUENCE, SENT_NAK_INVALID, SENT_NAK_ACCESS, SENT_NAK_OPERATION -> true;
            default -> isOfReceivedNak();
        };
    }

    /** Whether the one that counts has sent what is counted. */
    boolean isOfSender() {
        return !isOfReceivedNak();
    }

    private boolean isOfReceivedNak() {
        return switch (this) {
            case RECEIVED_RNR, RECEIVED_SEQUENCE_NAK, RECEIVED_NAK_INVALID, RECEIVED_NAK_ACCESS,
                    RECEIVED_NAK_OPERATION ->
                true;
            default -> false;
        };
    }

    /** {@return the name under which operators know it} */
    public String label() {
        return label;
    }
}
