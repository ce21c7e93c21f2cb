package io.jverbs;

/**
 * How a work request ended; see ibv_poll_cq(3) and ibv_wc_status_str(3).
 *
 * <p>
 * After any status but {@link #SUCCESS} only the request's id, the status, the queue pair's number and the vendor's
 * error code are defined. On RC queue pairs every error moves the queue pair to {@link QpState#ERR}.
 */
public enum WcStatus {
    /** The request is complete. */
    SUCCESS(0),
    /** Local length error: a message too long for the receive it met, or for the queue pair. */
    LOC_LEN_ERR(1),
    /** Local queue pair operation error: the request is inconsistent with itself or its queue pair. */
    LOC_QP_OP_ERR(2),
    /** Local end-to-end context error; of reliable datagrams, which no device implements. */
    LOC_EEC_OP_ERR(3),
    /** Local protection error: a local key is not valid for the memory or the access. */
    LOC_PROT_ERR(4),
    /** The queue pair was in error, or went there, before the request was carried out. */
    WR_FLUSH_ERR(5),
    /** A memory window could not be bound: rights, range, domain or state forbid it. */
    MW_BIND_ERR(6),
    /** The peer answered with a packet that fits no request. */
    BAD_RESP_ERR(7),
    /** Local access error while an RDMA WRITE with immediate data arrived. */
    LOC_ACCESS_ERR(8),
    /** Remote invalid request: the peer does not allow or understand it, or has no room for the message. */
    REM_INV_REQ_ERR(9),
    /** Remote access error: the remote key does not give this access to this memory. */
    REM_ACCESS_ERR(10),
    /** Remote operation error: the peer failed on its own side, for instance on a bad local key. */
    REM_OP_ERR(11),
    /** No answer within the timeout and its retries: the peer is away, not connected, or wrongly addressed. */
    RETRY_EXC_ERR(12),
    /** The peer had no receive posted, and the retries that the queue pair allows are used up. */
    RNR_RETRY_EXC_ERR(13),
    /** Local reliable datagram domain violation; of reliable datagrams. */
    LOC_RDD_VIOL_ERR(14),
    /** Remote invalid reliable datagram request; of reliable datagrams. */
    REM_INV_RD_REQ_ERR(15),
    /** The peer aborted the operation. */
    REM_ABORT_ERR(16),
    /** Invalid end-to-end context number; of reliable datagrams. */
    INV_EECN_ERR(17),
    /** Invalid state of an end-to-end context; of reliable datagrams. */
    INV_EEC_STATE_ERR(18),
    /** The device or its transport failed for good. */
    FATAL_ERR(19),
    /** The peer did not respond in time. */
    RESP_TIMEOUT_ERR(20),
    /** An error of no other kind; the vendor's error code may tell more. */
    GENERAL_ERR(21),
    /** A tag matching error. */
    TM_ERR(22),
    /** A tag matching rendezvous that software must complete. */
    TM_RNDV_INCOMPLETE(23),
    /** A number that is none of the outcomes known here. */
    UNKNOWN(-1);

    private static final CodeTable<WcStatus> BY_CODE = CodeTable.of(values(), WcStatus::code, UNKNOWN);

    private final int code;

    WcStatus(int code) {
        this.code = code;
    }

    /** {@return the number that verbs use, {@code enum ibv_wc_status}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Finds a status by its number.
     *
     * @param code a value of {@code enum ibv_wc_status}
     * @return its constant, {@link #UNKNOWN} if this class has none for it
     */
    public static WcStatus of(int code) {
        return BY_CODE.find(code);
    }
}
