package io.jverbs.cm;

import io.jverbs.Errno;
import io.jverbs.ProtectionDomain;
import io.jverbs.QpInitAttributes;
import io.jverbs.VerbsException;
import io.jverbs.cm.StepEvents.Limit;
import java.util.function.BiFunction;

/**
 * The connect requests of a synchronous ID that listens, and the queue pairs of the IDs that they create. One thread at
 * a time may use it.
 */
final class ConnectRequests {
    private final CmId listener;
    private final StepEvents events;
    /** Null if the program creates the queue pairs. */
    private QueuePairs queuePairs;
    private volatile boolean isListening;

    /**
     * What the queue pairs of IDs are made of.
     *
     * @param pd the protection domain, null for the default one
     * @param attributes the attributes
     */
    record QueuePairs(ProtectionDomain pd, QpInitAttributes attributes) {
        void create(CmId id) {
            if (pd == null) {
                id.createQueuePair(attributes);
            } else {
                id.createQueuePair(pd, attributes);
            }
        }
    }

    ConnectRequests(CmId listener, StepEvents events) {
        this.listener = listener;
        this.events = events;
    }

    /** Sets what the queue pairs are made of; null if the program creates them. */
    void queuePairs(QueuePairs wanted) {
        queuePairs = wanted;
    }

    void listen(int backlog) {
        listener.listen(backlog);
        isListening = true;
    }

    /**
     * Waits for a request, and moves its ID to a channel of its own.
     *
     * @param result makes the result of the ID and its events
     * @return the result; null if the time is up
     */
    <T> T next(Limit limit, BiFunction<CmId, StepEvents, T> result) throws InterruptedException {
        if (!isListening) {
            throw new VerbsException("get_request", Errno.EINVAL,
                    "synchronous " + listener + " does not listen: call its listen first");
        }
        CmEvent request = events.nextOfStep(limit);
        if (request == null) {
            return null;
        }
        StepEvents.check("get_request", request, CmEventType.CONNECT_REQUEST);
        CmId child = request.id();
        events.forget();
        CmEventChannel own = null;
        try {
            own = CmEventChannel.create(listener.context());
            child.migrate(own);
            if (queuePairs != null) {
                queuePairs.create(child);
            }
            return result.apply(child, new StepEvents(own, request));
        } catch (RuntimeException | Error e) {
            StepEvents.closeAfter(e, child, own);
            throw e;
        }
    }
}
