package io.jverbs.soft.protocol;

/**
 * The values of {@code enum ibv_qp_state} as constants for the data path, and one for a destroyed queue pair. See
 * {@link io.jverbs.QpState}.
 */
public final class QpStateCode {
    /** Reset: no requests can be posted. */
    public static final int RESET = 0;
    /** Initialised: receive requests can be posted. */
    public static final int INIT = 1;
    /** Ready to receive: inbound requests are processed. */
    public static final int RTR = 2;
    /** Ready to send: send requests are executed, too. */
    public static final int RTS = 3;
    /** Send queue drain: no further send request is started. */
    public static final int SQD = 4;
    /** Send queue error: send requests are flushed; UC and UD only. */
    public static final int SQE = 5;
    /** Error: all requests are flushed. */
    public static final int ERR = 6;
    /** Destroyed. */
    public static final int DESTROYED = 7;

    private QpStateCode() {}

    /** Whether inbound requests are processed in a state. */
    public static boolean receives(int state) {
        return state >= RTR && state <= SQE;
    }
}
