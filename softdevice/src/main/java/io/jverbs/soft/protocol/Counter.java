package io.jverbs.soft.protocol;

/**
 * The counters of a device besides {@link Traffic}. Labels are those of the Linux kernel's {@code hw_counters} where it
 * has such a counter. Each packet that arrives is counted either as received in {@link Traffic} or here by the reason
 * for which it was dropped. Within the JVM, a dropped message counts as one packet.
 */
public enum Counter {
    /** Requests dropped because the P_Key does not match. */
    BAD_PKEY("bad_pkey"),
    /** Datagrams dropped because the Q_Key does not match. */
    BAD_QKEY("bad_qkey"),
    /** Messages dropped because no receive request was posted, or because it was too small or could not be used. */
    NO_RECEIVE("no_receive"),
    /** Packets dropped because of a wrong ICRC. */
    BAD_ICRC("bad_icrc"),
    /** Packets dropped because their headers are invalid; at QP1, because of their length. */
    MALFORMED("malformed"),
    /** Packets dropped because the destination QPN is unknown. */
    UNKNOWN_QUEUE_PAIR("unknown_qp"),
    /** Packets dropped because the link of the receiving port is down. */
    PORT_DOWN("port_down"),
    /**
     * Packets dropped on request of a program, see {@link io.jverbs.control.PacketLoss} and
     * {@link io.jverbs.control.CmMessageFaults}.
     */
    LOST("lost"),
    /** Packets dropped because the queue pair's state or type does not accept them. */
    WRONG_STATE("wrong_state"),
    /** Packets dropped because an address is not that of the connection, or was removed from the port. */
    WRONG_ADDRESS("wrong_address"),
    /** UC requests dropped because their length is invalid for their position in the message. */
    INVALID_REQUEST("invalid_request"),
    /** Requests without access to the memory or key that they name, dropped or refused by a NAK. */
    REMOTE_ACCESS("resp_remote_access_errors"),
    /** Responses dropped because no outstanding request expects them, or because they are duplicates. */
    UNEXPECTED_RESPONSE("unexpected_response"),
    /**
     * Multicast datagrams of this JVM received from the network, since its members in this JVM received them directly;
     * and those that a queue pair has sent and must not receive itself.
     */
    OWN_MULTICAST("own_multicast"),
    /** READs and atomics dropped because more than max_dest_rd_atomic were outstanding; the peer sends them again. */
    TOO_MANY_RD_ATOMIC("too_many_rd_atomic"),
    /** Duplicate RC requests. */
    DUPLICATE_REQUEST("duplicate_request"),
    /** RC requests received out of sequence: a packet before them is missing. */
    OUT_OF_SEQUENCE("out_of_seq_request"),
    /** RNR NAKs sent: no receive request was posted. */
    SENT_RNR("send_rnr_err"),
    /** RNR NAKs received: the peer had no receive request posted. */
    RECEIVED_RNR("rcvd_rnr_err"),
    /** Requests that waited because the peer has stated no credits for them, or for a message before them. */
    CREDIT_WAIT("rc_crwaits"),
    /** ACKs sent because a receive request was posted after an ACK or an RNR NAK had stated that there is none. */
    SENT_CREDITS("sent_credit_updates"),
    /** ACKs received whose credits were ignored, because their MSN does not match the requests that were sent. */
    INVALID_MSN("invalid_msn"),
    /** ACK timeouts after which packets were sent again. */
    ACK_TIMEOUT("local_ack_timeout_err"),
    /**
     * Times that packets were sent again before the ACK timeout, because the round-trip time shows that they were lost.
     */
    ADAPTIVE_RETRANSMISSION("roce_adp_retrans"),
    /** Congestion notification packets (CNPs) received that had an effect on the path to their sender. */
    CNP_HANDLED("rp_cnp_handled"),
    /** CNPs received that had no effect, because they came too soon, or too little was sent since the last. */
    CNP_IGNORED("rp_cnp_ignored"),
    /** Packets received with the mark of congestion (CE of ECN). */
    ECN_MARKED("np_ecn_marked_roce_packets"),
    /** CNPs sent. */
    SENT_CNP("np_cnp_sent"),
    /** PSN sequence error NAKs received. */
    RECEIVED_SEQUENCE_NAK("rcvd_seq_err"),
    /** Invalid request NAKs received. */
    RECEIVED_NAK_INVALID("req_remote_invalid_request"),
    /** Remote access error NAKs received. */
    RECEIVED_NAK_ACCESS("req_remote_access_errors"),
    /** Remote operational error NAKs received: the peer could not use its receive request. */
    RECEIVED_NAK_OPERATION("req_remote_operation_errors"),
    /**
     * Times that a requester went back to an earlier PSN and sent again, except after an RNR NAK, which {@link
     * #RECEIVED_RNR} counts.
     */
    RETRANSMISSION("retransmissions"),
    /** Requests that failed because the peer did not respond. */
    RETRY_EXCEEDED("retry_exceeded_err"),
    /** Requests that failed because the peer had no receive request posted. */
    RNR_RETRY_EXCEEDED("retry_rnr_exceeded_err"),
    /** System calls to send packets that failed. */
    SEND_ERROR("send_err"),
    /** Packets dropped because the socket's send buffer was full and did not drain soon enough. */
    SEND_BUFFER_FULL("send_buffer_full"),
    /** Times that the link went down. */
    LINK_DOWNED("link_downed"),
    /** PSN sequence error NAKs sent. */
    SENT_NAK_SEQUENCE("sent_nak_sequence_error"),
    /** Invalid request NAKs sent. */
    SENT_NAK_INVALID("sent_nak_invalid_request"),
    /** Remote access error NAKs sent. */
    SENT_NAK_ACCESS("sent_nak_access_error"),
    /** Remote operational error NAKs sent: the receive request could not be used. */
    SENT_NAK_OPERATION("sent_nak_operation_error");

    private final String label;

    Counter(String label) {
        this.label = label;
    }

    /** Whether this counts NAKs. */
    public boolean isNak() {
        return switch (this) {
            case SENT_RNR, SENT_NAK_SEQUENCE, SENT_NAK_INVALID, SENT_NAK_ACCESS, SENT_NAK_OPERATION -> true;
            default -> isOfReceivedNak();
        };
    }

    /** Whether the queue pair that counts has sent the NAK, and not received it. */
    public boolean isOfSender() {
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

    /** {@return the name of the counter, as shown to operators} */
    public String label() {
        return label;
    }
}
