package io.jverbs;

/**
 * The status of a completed work request; see ibv_poll_cq(3) and ibv_wc_status_str(3).
 *
 * <p>
 * If the status is not {@link #SUCCESS}, only the work request ID, the status, the queue pair number and the vendor
 * error of the completion are valid. Every error of an RC queue pair moves it to {@link QpState#ERR}.
 */
public enum WcStatus {
    /** The request completed successfully. */
    SUCCESS(0),
    /** Local length error: the message is too long for the receive request that it consumed, or for the queue pair. */
    LOC_LEN_ERR(1),
    /** Local queue pair operation error: the request is inconsistent, or not valid for its queue pair. */
    LOC_QP_OP_ERR(2),
    /** Local end-to-end context operation error. Reliable datagrams only, which no device implements. */
    LOC_EEC_OP_ERR(3),
    /** Local protection error: a local key does not permit this access to this memory. */
    LOC_PROT_ERR(4),
    /** Work request flushed error: the queue pair entered an error state before the request was executed. */
    WR_FLUSH_ERR(5),
    /**
     * Memory window bind error: the access rights, the range, the protection domain or the state do not permit the
     * bind.
     */
    MW_BIND_ERR(6),
    /** Bad response error: the peer sent a response that matches no outstanding request. */
    BAD_RESP_ERR(7),
    /** Local access error: an incoming RDMA WRITE with immediate data failed. */
    LOC_ACCESS_ERR(8),
    /**
     * Remote invalid request error: the peer does not allow or support the request, or its receive buffer is too small
     * for the message.
     */
    REM_INV_REQ_ERR(9),
    /** Remote access error: the remote key does not permit this access to this memory. */
    REM_ACCESS_ERR(10),
    /**
     * Remote operation error: the peer could not complete the request, for example because of a bad local key there.
     */
    REM_OP_ERR(11),
    /**
     * Transport retry counter exceeded: no acknowledgement arrived within the timeout and its retries. The peer is
     * unreachable, not connected, or the address is wrong.
     */
    RETRY_EXC_ERR(12),
    /**
     * RNR retry counter exceeded: the peer had no receive request posted, and all retries that the queue pair allows
     * were used.
     */
    RNR_RETRY_EXC_ERR(13),
    /** Local reliable datagram domain violation. Reliable datagrams only. */
    LOC_RDD_VIOL_ERR(14),
    /** Remote invalid reliable datagram request. Reliable datagrams only. */
    REM_INV_RD_REQ_ERR(15),
    /** Remote aborted error: the peer aborted the operation. */
    REM_ABORT_ERR(16),
    /** Invalid end-to-end context number. Reliable datagrams only. */
    INV_EECN_ERR(17),
    /** Invalid end-to-end context state. Reliable datagrams only. */
    INV_EEC_STATE_ERR(18),
    /** Fatal error: the device or its transport failed and does not recover. */
    FATAL_ERR(19),
    /** Response timeout error: the peer did not respond in time. */
    RESP_TIMEOUT_ERR(20),
    /** General error: none of the other errors. The vendor error may give details. */
    GENERAL_ERR(21),
    /** Tag matching error. */
    TM_ERR(22),
    /** Tag matching rendezvous that software must complete. */
    TM_RNDV_INCOMPLETE(23),
    /** Any other value. */
    UNKNOWN(-1);

    private static final CodeTable<WcStatus> BY_CODE = CodeTable.of(values(), WcStatus::code, UNKNOWN);

    private final int code;

    WcStatus(int code) {
        this.code = code;
    }

    /** {@return the value in {@code enum ibv_wc_status}; -1 for {@link #UNKNOWN}} */
    public int code() {
        return code;
    }

    /**
     * Returns the constant for a numeric value.
     *
     * @param code a value of {@code enum ibv_wc_status}
     * @return the constant, or {@link #UNKNOWN} if no other constant has this value
     */
    public static WcStatus of(int code) {
        return BY_CODE.find(code);
    }
}
