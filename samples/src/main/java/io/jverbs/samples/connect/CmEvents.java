package io.jverbs.samples.connect;

import io.jverbs.RdmaContext;
import io.jverbs.VerbsException;
import io.jverbs.cm.CmEvent;
import io.jverbs.cm.CmEventChannel;
import io.jverbs.cm.CmEventType;
import io.jverbs.cm.CmId;
import io.jverbs.cm.PortSpace;
import io.jverbs.samples.console.SampleFailure;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** The event channel of the connections of a side, and its IDs. Used by one thread. */
class CmEvents implements AutoCloseable {
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);

    private final CmEventChannel channel;
    private final Duration patience;
    private final List<CmId> ids = new ArrayList<>();
    private final List<CmId> disconnected = new ArrayList<>();
    /** Events that arrived while this side waited for something else, oldest first. */
    private final Deque<CmEvent> kept = new ArrayDeque<>();

    CmEvents(RdmaContext context, Duration patience) {
        this.channel = CmEventChannel.create(context);
        this.patience = patience;
    }

    /** {@return a new ID} */
    CmId create(PortSpace space) {
        CmId id = channel.createId(space);
        ids.add(id);
        return id;
    }

    Duration patience() {
        return patience;
    }

    /** {@return the next event of a type; the caller closes it} It fails as with {@code false} as the last argument. */
    CmEvent await(CmEventType expected, CmId id, String what, Duration timeout) {
        return await(expected, id, what, timeout, false);
    }

    /**
     * Waits for an event of a type. Events of the connections that it does not wait for are ignored, and further
     * requests are kept.
     *
     * @param expected the type
     * @param id the ID whose events are awaited, null for a new one
     * @param what what the event brings, for errors
     * @param timeout the time to wait, null for no limit
     * @param mayBeRejected whether null is returned if the peer has rejected the connection
     * @return the event, which the caller closes
     * @throws SampleFailure if a failure is reported, or if the time is up
     */
    CmEvent await(CmEventType expected, CmId id, String what, Duration timeout, boolean mayBeRejected) {
        long deadline = System.nanoTime() + (timeout == null ? 0 : timeout.toNanos());
        int earlier = kept.size();
        while (true) {
            CmEvent event = earlier > 0 ? kept.poll() : next(CHECK_INTERVAL);
            earlier--;
            if (event == null) {
                if (timeout != null && System.nanoTime() - deadline > 0) {
                    throw new SampleFailure(what + " did not come within " + timeout.toSeconds() + " s.");
                }
                continue;
            }
            if (event.type() == expected && (id == null || event.id() == id)) {
                if (id == null) {
                    ids.add(event.id());
                }
                return event;
            }
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                kept.add(event);
                continue;
            }
            try (event) {
                // without a listener, a request for a UD queue pair gets the response UNREACHABLE
                boolean rejected = event.type() == CmEventType.REJECTED || event.type() == CmEventType.UNREACHABLE;
                if (event.id() == id && rejected && mayBeRejected) {
                    return null;
                }
                if (event.id() == id && event.isFailure() || event.type() == CmEventType.DEVICE_REMOVAL) {
                    throw failed(what, event);
                }
            }
        }
    }

    private static SampleFailure failed(String what, CmEvent event) {
        String reason = event.explanation();
        return new SampleFailure(what + " failed with " + event.type() + ", status " + event.status()
                + (reason == null || reason.isEmpty() ? "" : " (" + reason + ")") + ".");
    }

    private CmEvent next(Duration timeout) {
        try {
            CmEvent event = channel.awaitEvent(timeout);
            if (event != null && event.type() == CmEventType.DISCONNECTED) {
                disconnected.add(event.id());
                respond(event.id());
            }
            return event;
        } catch (InterruptedException e) {
            throw CompletionWait.interrupted();
        }
    }

    /** Ends the connection of this side too: a peer that has asked for the end may wait for the response. */
    private static void respond(CmId id) {
        try {
            id.disconnect();
        } catch (VerbsException e) {
            // both sides have asked for the end
        }
    }

    /** {@return whether the peer has ended the connection of an ID} */
    boolean isDisconnected(CmId id) {
        for (CmEvent event = next(Duration.ZERO); event != null; event = next(Duration.ZERO)) {
            keep(event);
        }
        return disconnected.contains(id);
    }

    /** Keeps an event for {@link #await}, as the request of the next connection. */
    private void keep(CmEvent event) {
        if (event.type() == CmEventType.DISCONNECTED) {
            event.close();
        } else {
            kept.add(event);
        }
    }

    /** Waits until the peer has ended the connection of an ID, or until the time is up. */
    void awaitDisconnection(CmId id, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!isDisconnected(id) && System.nanoTime() - deadline < 0) {
            CmEvent event = next(CHECK_INTERVAL);
            if (event != null) {
                keep(event);
            }
        }
    }

    /** Closes an ID, with its queue pair. */
    void close(CmId id) {
        ids.remove(id);
        id.close();
    }

    /** Closes all IDs, the newest first, and the channel. */
    @Override
    public void close() {
        for (CmEvent event = kept.poll(); event != null; event = kept.poll()) {
            if (event.type() == CmEventType.CONNECT_REQUEST) {
                ids.add(event.id());
            }
            event.close();
        }
        for (CmId id : ids.reversed()) {
            id.close();
        }
        ids.clear();
        channel.close();
    }
}
