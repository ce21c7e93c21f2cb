package io.jverbs.strict;

import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.spi.Handle;
import io.jverbs.strict.Violation.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** The objects of a context that are open, and where each was made. */
final class Creations {
    /** How long another thread may take to acknowledge what it has just retrieved. */
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How often one looks whether it has. */
    private static final long LOOK_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** How many objects a report names. */
    private static final int MAX_NAMED = 8;

    private final StrictMode mode;
    private final Owed owed;
    /** In the order in which they were made. */
    private final Map<Handle, Creation> open = Collections.synchronizedMap(new LinkedHashMap<>());
    /** Filled by the one thread that closes the context. */
    private final List<Creation> leaked = new ArrayList<>();
    /** What is left of its patience. */
    private long patienceLeft = PATIENCE_NANOS;

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

    /** Looks at an object that is about to be destroyed; waits a little for threads that are about to acknowledge its events. */
    void checkEvents(Handle handle) {
        Creation creation = open.get(handle);
        if (creation == null || unacknowledged(creation) == 0) {
            return;
        }
        boolean isContextClosing = Places.isContextClosing();
        long start = System.nanoTime();
        long patience = isContextClosing ? patienceLeft : PATIENCE_NANOS;
        while (unacknowledged(creation) > 0 && System.nanoTime() - start < patience) {
            if (Thread.currentThread().isInterrupted()) {
                // nobody knows whether they would have come in time; the close itself says that they are missing
                return;
            }
            LockSupport.parkNanos(this, LOOK_NANOS);
        }
        if (isContextClosing) {
            patienceLeft -= System.nanoTime() - start;
        }
        int count = unacknowledged(creation);
        if (count == 0) {
            return;
        }
        Violation violation = new Violation(Kind.EVENTS_NOT_ACKNOWLEDGED, count + " events of the " + creation.what()
                + " are retrieved and not acknowledged: verbs wait with its end until they are", Places.caller(),
                "Acknowledge each event that is retrieved, with acknowledgeEvents or AsyncEvent.acknowledge");
        if (isContextClosing) {
            owed.report(violation);
        } else {
            mode.refuse(violation);
        }
    }

    private static int unacknowledged(Creation creation) {
        return switch (creation.owner()) {
            case CompletionQueue cq -> cq.unacknowledgedEvents();
            case QueuePair qp -> qp.unacknowledgedEvents();
            case SharedReceiveQueue srq -> srq.unacknowledgedEvents();
            case null, default -> 0;
        };
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
        owed.report(new Violation(Kind.OBJECT_LEAKED,
                leaked.size() + " objects were open when their context closed here: " + list(leaked),
                Places.caller(),
                "Close each when it is needed no more, before what it was made from"));
    }

    private static String list(List<Creation> objects) {
        StringJoiner list = new StringJoiner(", ");
        objects.stream().limit(MAX_NAMED).forEach(each -> list.add(each.what() + " made at " + each.place()));
        int more = objects.size() - MAX_NAMED;
        return list + (more > 0 ? " and " + more + " more" : "");
    }

    /** Reports that the JVM ends with this context open. */
    void neverClosed(String context, StackTraceElement place) {
        List<Creation> objects = snapshot();
        owed.report(new Violation(Kind.OBJECT_LEAKED, "the " + context
                + " that was opened here is open when the JVM ends, with " + objects.size() + " objects"
                + (objects.isEmpty() ? "" : ": " + list(objects)), place,
                "Close the context when it is needed no more, for instance by try-with-resources"));
    }

    /** What is open. */
    List<StrictMode.OpenObject> open() {
        return snapshot().stream().map(each -> new StrictMode.OpenObject(each.what(), each.place())).toList();
    }

    private List<Creation> snapshot() {
        synchronized (open) {
            return List.copyOf(open.values());
        }
    }
}
