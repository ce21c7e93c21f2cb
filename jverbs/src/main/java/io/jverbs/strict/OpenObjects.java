package io.jverbs.strict;

import io.jverbs.CompletionQueue;
import io.jverbs.QueuePair;
import io.jverbs.SharedReceiveQueue;
import io.jverbs.cm.CmId;
import io.jverbs.spi.ContextOps.EventsReported;
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

/**
 * The open objects of a context, and where in the program each was created. Thread-safe; {@link #leaked} and {@link
 * #waitLeft} are used only by the thread that closes the context.
 */
final class OpenObjects {
    /** How long to wait for other threads to acknowledge events that they have just retrieved. */
    private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** How often to check whether they have. */
    private static final long POLL_INTERVAL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    /** The maximum number of objects that a report names. */
    private static final int MAX_NAMED = 8;

    private final StrictMode mode;
    private final TrackingState tracking;
    private final DeferredReports deferred;
    /** In the order of creation. */
    private final Map<Handle, Creation> open = Collections.synchronizedMap(new LinkedHashMap<>());
    /** The objects that were open when the context was closed. */
    private final List<Creation> leaked = new ArrayList<>();
    /** How much of {@link #MAX_WAIT_NANOS} is left while the context is closing. */
    private long waitLeft = MAX_WAIT_NANOS;

    private record Creation(String what, Object owner, StackTraceElement place) {}

    OpenObjects(StrictMode mode, TrackingState tracking, DeferredReports deferred) {
        this.mode = mode;
        this.tracking = tracking;
        this.deferred = deferred;
    }

    /**
     * Records an object that was created.
     *
     * @param owner the API object of the handle, null if it has no events
     */
    <H extends Handle> H created(String what, Object owner, H handle) {
        return created(what, null, owner, handle);
    }

    /** Sets the API object of a handle that was created before it. */
    void owner(Handle handle, Object owner) {
        try {
            open.computeIfPresent(handle, (same, creation) -> new Creation(creation.what(), owner, creation.place()));
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    /** As {@link #created(String, Object, Handle)}, with a number and a unit in the description. */
    <H extends Handle> H created(String what, long number, String unit, Object owner, H handle) {
        try {
            return created(what + number + unit, owner, handle);
        } catch (Error e) {
            tracking.disable(e);
            return handle;
        }
    }

    /** As {@link #created(String, Object, Handle)}, with a value at the end of the description. */
    <H extends Handle> H created(String what, Object value, Object owner, H handle) {
        try {
            open.put(handle, new Creation(value == null ? what : what + value, owner, CallSites.caller()));
        } catch (RuntimeException | Error e) {
            // the object exists, so the caller must get it
            tracking.disable(e);
        }
        return handle;
    }

    /**
     * Checks that the events of an object that is about to be destroyed are acknowledged. Waits up to a second, in
     * total where a context is closing, for threads that are about to acknowledge them.
     *
     * @return whether this logged that they are not
     */
    boolean checkEvents(Handle handle) {
        Creation creation = open.get(handle);
        if (creation == null || tracking.isDisabled() || unacknowledged(creation) == 0) {
            return false;
        }
        boolean isContextClosing = CallSites.isContextClosing();
        long start = System.nanoTime();
        long maxWait = isContextClosing ? waitLeft : MAX_WAIT_NANOS;
        while (unacknowledged(creation) > 0 && System.nanoTime() - start < maxWait) {
            if (Thread.currentThread().isInterrupted()) {
                // the acknowledgement might still have come in time; the close itself reports the missing ones
                return false;
            }
            LockSupport.parkNanos(this, POLL_INTERVAL_NANOS);
        }
        if (isContextClosing) {
            waitLeft -= System.nanoTime() - start;
        }
        int count = unacknowledged(creation);
        if (count == 0) {
            return false;
        }
        Violation violation = new Violation(Kind.EVENTS_NOT_ACKNOWLEDGED, "the " + creation.what() + " created at "
                + creation.place() + " has " + count + (count == 1 ? " unacknowledged event" : " unacknowledged events")
                + ". Closing it waits until each retrieved event is acknowledged", CallSites.caller(),
                "Acknowledge each retrieved event with acknowledgeEvents, or acknowledge of the event");
        if (isContextClosing) {
            // the close of a context does not wait for events
            deferred.report(violation);
            return false;
        }
        return mode.refuse(violation);
    }

    private static int unacknowledged(Creation creation) {
        return switch (creation.owner()) {
            case CompletionQueue cq -> cq.unacknowledgedEvents();
            case QueuePair qp -> qp.unacknowledgedEvents();
            case SharedReceiveQueue srq -> srq.unacknowledgedEvents();
            case CmId id -> id.unacknowledgedEvents();
            case null, default -> 0;
        };
    }

    /** Records that an object was destroyed. */
    void destroyed(Handle handle) {
        try {
            Creation creation = open.remove(handle);
            if (creation != null && CallSites.isContextClosing()) {
                leaked.add(creation);
            }
        } catch (RuntimeException | Error e) {
            tracking.disable(e);
        }
    }

    /**
     * As {@link #destroyed(Handle)}, for an object that had events.
     *
     * @param isLogged what {@link #checkEvents} has returned
     * @return the numbers of events, with the note that they were logged
     */
    EventsReported destroyed(Handle handle, EventsReported reported, boolean isLogged) {
        destroyed(handle);
        try {
            return isLogged ? new EventsReported(reported.completion(), reported.async(), true) : reported;
        } catch (Error e) {
            // the object is destroyed; its events are only logged twice
            return reported;
        }
    }

    /** Reports the objects that the close of the context had to destroy. They are all destroyed when this is called. */
    void closed() {
        if (leaked.isEmpty() || tracking.isDisabled()) {
            return;
        }
        try {
            deferred.report(new Violation(Kind.OBJECT_LEAKED,
                    "the context was closed here with " + objects(leaked) + " still open: " + list(leaked),
                    CallSites.caller(),
                    "Close each object when it is no longer needed, before the object that it was created from"));
            leaked.clear();
        } catch (Error e) {
            tracking.disable(e);
        }
    }

    private static String objects(List<Creation> objects) {
        return objects.size() + (objects.size() == 1 ? " object" : " objects");
    }

    private static String list(List<Creation> objects) {
        StringJoiner list = new StringJoiner(", ");
        objects.stream().limit(MAX_NAMED).forEach(each -> list.add(each.what() + " created at " + each.place()));
        int more = objects.size() - MAX_NAMED;
        return list + (more > 0 ? " and " + more + " more" : "");
    }

    /** Reports that the JVM exits while this context is open. */
    void neverClosed(String context, StackTraceElement place) {
        if (tracking.isDisabled()) {
            return;
        }
        List<Creation> objects = snapshot();
        deferred.report(new Violation(Kind.OBJECT_LEAKED, "the " + context
                + " that was opened here is still open at JVM exit, with " + objects(objects)
                + (objects.isEmpty() ? "" : ": " + list(objects)), place,
                "Close the context when it is no longer needed, for example with try-with-resources"));
    }

    /** The open objects, in the order of creation. */
    List<StrictMode.OpenObject> open() {
        return snapshot().stream().map(each -> new StrictMode.OpenObject(each.what(), each.place())).toList();
    }

    private List<Creation> snapshot() {
        synchronized (open) {
            return List.copyOf(open.values());
        }
    }
}
