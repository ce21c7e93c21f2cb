package io.jverbs.soft.journal;

import io.jverbs.QpState;
import io.jverbs.WcStatus;
import jdk.jfr.FlightRecorder;

/**
 * Tells Java Flight Recorder what happens to queue pairs, if there is one in this JVM and somebody records: otherwise each call is a
 * look at a field. Called only where something is out of the ordinary; locks may be held.
 */
public final class Journal {
    private static final boolean PRESENT = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Journal() {}

    /** {@return whether anybody might record; who has something to find out first asks} */
    public static boolean isOn() {
        return PRESENT && FlightRecorder.isInitialized();
    }

    /**
     * A queue pair has changed its state.
     *
     * @param subject which
     * @param from {@code enum ibv_qp_state}
     * @param to {@code enum ibv_qp_state}
     * @param byItself whether that is because of an error
     */
    public static void state(Subject subject, int from, int to, boolean byItself) {
        if (isOn()) {
            Recorder.state(subject, QpState.of(from), QpState.of(to), byItself);
        }
    }

    /**
     * A requester sends again.
     *
     * @param subject which
     * @param reason why
     * @param psn from which packet on
     * @param retriesLeft how often it may once more
     */
    public static void retransmission(Subject subject, String reason, int psn, int retriesLeft) {
        if (isOn()) {
            Recorder.retransmission(subject, reason, psn, retriesLeft);
        }
    }

    /**
     * A requester waits for its peer to get ready.
     *
     * @param subject which
     * @param nanos how long
     * @param retriesLeft how often it may try once more
     */
    public static void rnrWait(Subject subject, long nanos, int retriesLeft) {
        if (isOn()) {
            Recorder.rnrWait(subject, nanos, retriesLeft);
        }
    }

    /**
     * A request was refused.
     *
     * @param subject who has sent or received the NAK
     * @param sent whether it has sent it
     * @param reason why
     */
    public static void nak(Subject subject, boolean sent, String reason) {
        if (isOn()) {
            Recorder.nak(subject, sent, reason);
        }
    }

    /**
     * Requests have ended in error.
     *
     * @param subject of which queue pair
     * @param receive whether they are receive requests
     * @param wrId the first of them
     * @param status {@code enum ibv_wc_status}
     * @param count how many there are
     */
    public static void completionError(Subject subject, boolean receive, long wrId, int status, int count) {
        if (isOn()) {
            Recorder.completionError(subject, receive, wrId, WcStatus.of(status), count);
        }
    }

    /**
     * A send queue is full.
     *
     * @param subject whose
     * @param queued how many requests it has
     * @param oldestWrId the oldest of them
     * @param reason what that waits for
     */
    public static void postStall(Subject subject, int queued, long oldestWrId, String reason) {
        if (isOn()) {
            Recorder.postStall(subject, queued, oldestWrId, reason);
        }
    }
}
