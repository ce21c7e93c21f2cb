package io.jverbs.soft.queue;

/** The numbers of {@link io.jverbs.WcStatus} that the device uses, as constants for the data path. */
public final class WcStatusCode {
    /** Success. */
    public static final int SUCCESS = 0;
    /** The message does not fit. */
    public static final int LOC_LEN_ERR = 1;
    /** The request makes no sense for the queue pair. */
    public static final int LOC_QP_OP_ERR = 2;
    /** An element names memory that the request may not use. */
    public static final int LOC_PROT_ERR = 4;
    /** The queue pair failed before the request was executed. */
    public static final int WR_FLUSH_ERR = 5;
    /** A memory window could not be bound or invalidated. */
    public static final int MW_BIND_ERR = 6;
    /** An answer that does not fit its request. */
    public static final int BAD_RESP_ERR = 7;
    /** The peer found the request invalid. */
    public static final int REM_INV_REQ_ERR = 9;
    /** The peer refused access. */
    public static final int REM_ACCESS_ERR = 10;
    /** The peer could not complete the request. */
    public static final int REM_OP_ERR = 11;
    /** The peer did not answer. */
    public static final int RETRY_EXC_ERR = 12;
    /** The peer had no receive request. */
    public static final int RNR_RETRY_EXC_ERR = 13;

    private WcStatusCode() {}
}
