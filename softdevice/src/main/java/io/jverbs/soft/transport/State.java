package io.jverbs.soft.transport;

/** The numbers of {@link io.jverbs.QpState}, and one for a queue pair that is gone. */
public final class State {
    /** Fresh. */
    public static final int RESET = 0;
    /** Receives can be posted. */
    public static final int INIT = 1;
    /** Ready to receive. */
    public static final int RTR = 2;
    /** Ready to send. */
    public static final int RTS = 3;
    /** Send queue drained: no request is begun. */
    public static final int SQD = 4;
    /** Send queue in error, UC and UD only. */
    public static final int SQE = 5;
    /** Everything flushes. */
    public static final int ERR = 6;
    /** Destroyed. */
    public static final int GONE = 7;

    private State() {}

    /** Whether inbound requests are processed. */
    static boolean receives(int state) {
        return state >= RTR && state <= SQE;
    }
}
