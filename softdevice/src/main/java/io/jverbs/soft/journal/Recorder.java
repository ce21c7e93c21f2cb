package io.jverbs.soft.journal;

import io.jverbs.QpState;
import io.jverbs.WcStatus;

/** Creates and commits the events. The class is loaded only when Java Flight Recorder is in use. */
final class Recorder {
    private Recorder() {}

    private static void commit(QueuePairEvent event, Subject subject) {
        event.setSubject(subject);
        event.commit();
    }

    static void state(Subject subject, QpState from, QpState to, boolean byItself) {
        StateEvent event = new StateEvent();
        if (event.shouldCommit()) {
            event.from = from.toString();
            event.to = to.toString();
            event.byItself = byItself;
            commit(event, subject);
        }
    }

    static void retransmission(Subject subject, String reason, int psn, int retriesLeft) {
        RetransmissionEvent event = new RetransmissionEvent();
        if (event.shouldCommit()) {
            event.reason = reason;
            event.psn = psn;
            event.retriesLeft = retriesLeft;
            commit(event, subject);
        }
    }

    static void rnrWait(Subject subject, long nanos, int retriesLeft) {
        RnrWaitEvent event = new RnrWaitEvent();
        if (event.shouldCommit()) {
            event.wait = nanos;
            event.retriesLeft = retriesLeft;
            commit(event, subject);
        }
    }

    static void nak(Subject subject, boolean sent, String reason) {
        NakEvent event = new NakEvent();
        if (event.shouldCommit()) {
            event.sent = sent;
            event.reason = reason;
            commit(event, subject);
        }
    }

    static void completionError(Subject subject, boolean receive, long wrId, WcStatus status, int count) {
        CompletionErrorEvent event = new CompletionErrorEvent();
        if (event.shouldCommit()) {
            event.receive = receive;
            event.wrId = wrId;
            event.count = count;
            event.status = status.toString();
            event.explanation = Explanation.of(status, receive, subject.peerNumber());
            commit(event, subject);
        }
    }

    static void postStall(Subject subject, int queued, long oldestWrId, String reason) {
        PostStallEvent event = new PostStallEvent();
        if (event.shouldCommit()) {
            event.queued = queued;
            event.oldestWrId = oldestWrId;
            event.reason = reason;
            commit(event, subject);
        }
    }

    static void connectionState(String device, int localCommId, int remoteCommId, Enum<?> input, Enum<?> from,
            Enum<?> to) {
        ConnectionStateEvent event = new ConnectionStateEvent();
        if (event.shouldCommit()) {
            event.device = device;
            event.communicationId = localCommId;
            event.remoteCommunicationId = remoteCommId;
            event.input = input.name();
            event.from = from.name();
            event.to = to.name();
            event.commit();
        }
    }
}
