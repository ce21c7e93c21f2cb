package io.jverbs.strict;

import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.spi.Handle;
import io.jverbs.strict.Violation.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentHashMap;

/** The objects of a context that are open, and where each was made. */
final class Creations {
    /** How many objects a report names. */
    private static final int MAX_NAMED = 8;

    private final StrictMode mode;
    private final Owed owed;
    private final Map<Handle, Creation> open = new ConcurrentHashMap<>();
    /** Filled by the one thread that closes the context. */
    private final List<Creation> leaked = new ArrayList<>();

    private record Creation(String what, Object owner, StackTraceElement place) {}

    Creations(StrictMode mode, Owed owed) {
        this.mode = mode;
        this.owed = owed;
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
            owed.report(new Violation(Kind.EVENTS_NOT_ACKNOWLEDGED, explanation, Places.caller(), remedy));
        } else {
            mode.refuse(Kind.EVENTS_NOT_ACKNOWLEDGED, explanation, remedy);
        }
    }

    /** Notes that an object was destroyed. */
    void destroyed(Handle handle) {
        Creation creation = open.remove(handle);
        if (creation != null && Places.isContextClosing()) {
            leaked.add(creation);
        }
    }

    /** Reports what the context had to close itself, all of it closed by now. */
    void closed() {
        if (leaked.isEmpty()) {
            return;
        }
        StringJoiner list = new StringJoiner(", ");
        leaked.stream().limit(MAX_NAMED).forEach(each -> list.add(each.what() + " made at " + each.place()));
        int more = leaked.size() - MAX_NAMED;
        owed.report(new Violation(Kind.OBJECT_LEAKED,
                leaked.size() + " objects were open when their context closed here: " + list
                        + (more > 0 ? " and " + more + " more" : ""),
                Places.caller(),
                "Close each when it is needed no more, before what it was made from"));
    }
}
