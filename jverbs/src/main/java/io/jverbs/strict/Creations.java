package io.jverbs.strict;

import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.spi.Handle;
import io.jverbs.strict.Violation.Kind;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The objects of a context that are open, and where each was made. */
final class Creations {
    private final StrictMode mode;
    private final Map<Handle, Creation> open = new ConcurrentHashMap<>();

    private record Creation(String what, Object owner, StackTraceElement place) {}

    Creations(StrictMode mode) {
        this.mode = mode;
    }

    /**
     * Notes an object.
     *
     * @param owner what the API calls it, null if it has no events
     */
    <H extends Handle> H made(String what, Object owner, H handle) {
        open.put(handle, new Creation(what, owner, Places.caller()));
        return handle;
    }

    /** Looks at an object that is about to be destroyed. */
    void checkEvents(Handle handle) {
        Creation creation = open.get(handle);
        int count = creation == null ? 0 : switch (creation.owner()) {
            case CompletionQueue cq -> cq.unacknowledgedEvents();
            case QueuePair qp -> qp.unacknowledgedEvents();
            case SharedReceiveQueue srq -> srq.unacknowledgedEvents();
            case null, default -> 0;
        };
        if (count == 0) {
            return;
        }
        String explanation = count + " events of the " + creation.what()
                + " are retrieved and not acknowledged: closing it waits"
                + " until they are";
        String remedy = "Acknowledge each event that is retrieved, with acknowledgeEvents or AsyncEvent.acknowledge";
        if (Places.isContextClosing()) {
            mode.report(new Violation(Kind.EVENTS_NOT_ACKNOWLEDGED, explanation, Places.caller(), remedy));
        } else {
            mode.refuse(Kind.EVENTS_NOT_ACKNOWLEDGED, explanation, remedy);
        }
    }

    /** Notes that an object was destroyed. */
    void destroyed(Handle handle) {
        Creation creation = open.remove(handle);
        if (creation != null && Places.isContextClosing()) {
            mode.report(new Violation(Kind.OBJECT_LEAKED, "the " + creation.what()
                    + " that was made here was open when its context closed, at " + Places.caller(), creation.place(),
                    "Close it when it is needed no more, before what it was made from"));
        }
    }
}
