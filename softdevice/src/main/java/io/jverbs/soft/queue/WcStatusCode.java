package io.jverbs.soft.queue;

/**
 * The values of {@code enum ibv_wc_status} that the device uses, as {@code int} constants for the data path. See {@link
 * io.jverbs.WcStatus}.
 */
public final class WcStatusCode {
    /** The request completed successfully. */
    public static final int SUCCESS = 0;
    /** Local length error: a message is longer than the receive request, or a send request is too long. */
    public static final int LOC_LEN_ERR = 1;
    /** Local queue pair operation error: the request is invalid for the queue pair. */
    public static final int LOC_QP_OP_ERR = 2;
    /** Local protection error: a scatter/gather element names memory that the request may not use. */
    public static final int LOC_PROT_ERR = 4;
    /** Work request flushed error: the queue pair went to an error state before the request was executed. */
    public static final int WR_FLUSH_ERR = 5;
    /** Memory window bind error: a memory window could not be bound or invalidated. */
    public static final int MW_BIND_ERR = 6;
    /** Bad response error: the peer's response does not match the request. */
    public static final int BAD_RESP_ERR = 7;
    /** Remote invalid request error: the peer rejected the request as invalid. */
    public static final int REM_INV_REQ_ERR = 9;
    /** Remote access error: the peer refused access to its memory. */
    public static final int REM_ACCESS_ERR = 10;
    /** Remote operation error: the peer could not complete the request. */
    public static final int REM_OP_ERR = 11;
    /** Transport retry counter exceeded: the peer did not respond. */
    public static final int RETRY_EXC_ERR = 12;
    /** RNR retry counter exceeded: the peer had no receive request posted. */
    public static final int RNR_RETRY_EXC_ERR = 13;

    private WcStatusCode() {}
}
