package io.jverbs.soft.journal;

import io.jverbs.QpState;
import io.jverbs.WcStatus;
import io.jverbs.spi.journal.FlightRecording;

/**
 * Records what happens to queue pairs and connections as events of Java Flight Recorder, if this JVM has it and it is
 * in use. Otherwise each call only tests a flag. The methods are called in exceptional cases and by the connection
 * manager only, with or without locks held. They throw nothing: an event that cannot be recorded is lost. Thread-safe.
 */
public final class Journal {

    private Journal() {}

    /**
     * Records that a queue pair changed its state.
     *
     * @param subject the queue pair
     * @param from the previous state, {@code enum ibv_qp_state}
     * @param to the new state, {@code enum ibv_qp_state}
     * @param byItself whether an error caused the change
     */
    public static void state(Subject subject, int from, int to, boolean byItself) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.state(subject, QpState.of(from), QpState.of(to), byItself);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }

    /**
     * Records that a requester retransmits.
     *
     * @param subject the queue pair
     * @param reason why it retransmits
     * @param psn the PSN of the first packet that is retransmitted
     * @param retriesLeft the number of retries that remain
     */
    public static void retransmission(Subject subject, String reason, int psn, int retriesLeft) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.retransmission(subject, reason, psn, retriesLeft);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }

    /**
     * Records that a requester waits after an RNR NAK.
     *
     * @param subject the queue pair
     * @param nanos the time until it retransmits
     * @param retriesLeft the number of RNR retries that remain, 7 for unlimited
     */
    public static void rnrWait(Subject subject, long nanos, int retriesLeft) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.rnrWait(subject, nanos, retriesLeft);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }

    /**
     * Records a NAK.
     *
     * @param subject the queue pair that sent or received the NAK
     * @param sent whether the queue pair sent it
     * @param reason the label of the counter that counts this kind of NAK
     */
    public static void nak(Subject subject, boolean sent, String reason) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.nak(subject, sent, reason);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }

    /**
     * Records that work requests completed in error.
     *
     * @param subject the queue pair
     * @param receive whether they are receive requests
     * @param wrId the ID of the first request
     * @param status the completion status, {@code enum ibv_wc_status}
     * @param count the number of requests
     */
    public static void completionError(Subject subject, boolean receive, long wrId, int status, int count) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.completionError(subject, receive, wrId, WcStatus.of(status), count);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }

    /**
     * Records that a post failed because the send queue is full.
     *
     * @param subject the queue pair
     * @param queued the number of slots in use
     * @param oldestWrId the ID of the oldest request that occupies a slot, 0 if it is not known
     * @param reason what that request waits for
     */
    public static void postStall(Subject subject, int queued, long oldestWrId, String reason) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.postStall(subject, queued, oldestWrId, reason);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }

    /**
     * Records that one half of a connection changed its state.
     *
     * @param device the name of the device
     * @param localCommId the communication ID of this half
     * @param remoteCommId the communication ID of the peer, 0 if it is not known
     * @param input what caused the change
     * @param from the previous state
     * @param to the new state
     */
    public static void connectionState(String device, int localCommId, int remoteCommId, Enum<?> input, Enum<?> from,
            Enum<?> to) {
        if (FlightRecording.isOn()) {
            try {
                Recorder.connectionState(device, localCommId, remoteCommId, input, from, to);
            } catch (RuntimeException | Error e) {
                // no memory or stack for the event, which is lost
            }
        }
    }
}
