package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.EventCounter;
import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.util.Objects;

/**
 * A completion queue, {@code struct ibv_cq}: it receives the completions of work requests. See ibv_create_cq(3).
 *
 * <p>
 * A completion queue is created with {@link RdmaContext#createCompletionQueue(int)}. Programs poll it, or wait on its
 * {@link CompletionChannel} for an event and then poll it. This class is thread-safe; each completion is returned to
 * one thread only. When a thread polls a completion, the data of the completed request is visible to that thread.
 *
 * {@snippet :
 * WorkCompletions completions = WorkCompletions.create(16);
 * int count = cq.poll(completions);
 * for (int i = 0; i < count; i++) {
 *     if (!completions.isSuccess(i)) {
 *         throw new IOException("request " + completions.wrId(i) + ": " + completions.status(i));
 *     }
 * }
 * }
 */
public final class CompletionQueue extends Resource {
    private final ContextOps ops;
    private final DataPath dataPath;
    private final CompletionChannel channel;
    private final Object userContext;
    private final EventCounter events = new EventCounter();
    private final EventCounter asyncEvents = new EventCounter();
    private final Handle.Cq handle;
    /** How many events the device had delivered when it destroyed its object; null before. */
    private ContextOps.EventsReported reported;

    CompletionQueue(RdmaContext context, CqInitAttributes attributes) {
        super(context, attributes.channel());
        this.ops = context.closingOps();
        this.dataPath = ops.dataPath();
        this.channel = attributes.channel();
        this.userContext = attributes.userContext();
        try {
            adopt();
            handle = context.ops().createCq(attributes.cqe(), channel == null ? null : channel.handle(),
                    attributes.completionVector(), this);
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * Removes completions from the queue, oldest first, up to the capacity of {@code completions}; see ibv_poll_cq(3).
     * Does not block and does not allocate. On the software device, a virtual thread that polls an empty queue
     * repeatedly lets others run on its carrier now and then, which may allocate.
     *
     * @param completions receives the completions, from index 0; its previous content is overwritten
     * @return the number of completions; 0 if the queue is empty
     * @throws IllegalStateException if the queue is closed
     */
    public int poll(WorkCompletions completions) {
        return take(completions, Objects.requireNonNull(completions, "completions").capacity());
    }

    /**
     * Removes at most {@code max} completions from the queue, oldest first. Does not block and does not allocate.
     *
     * @param completions receives the completions, from index 0; its previous content is overwritten
     * @param max the maximum number of completions, 0 to the capacity of {@code completions}
     * @return the number of completions; 0 if the queue is empty
     * @throws IllegalArgumentException if {@code max} is out of range
     * @throws IllegalStateException if the queue is closed
     */
    public int poll(WorkCompletions completions, int max) {
        Objects.requireNonNull(completions, "completions");
        if (max < 0 || max > completions.capacity()) {
            throw new IllegalArgumentException("max " + max + " is outside 0.." + completions.capacity());
        }
        return take(completions, max);
    }

    private int take(WorkCompletions completions, int max) {
        checkOpen();
        int count = dataPath.poll(handle, completions, max);
        completions.count(count);
        return count;
    }

    /**
     * Arms the queue: the next completion that is added raises one event on the channel; see ibv_req_notify_cq(3).
     * Completions that are already in the queue raise no event, so poll again after arming.
     *
     * @param solicitedOnly whether only solicited completions and errors raise an event; a receive completion is
     *         solicited if the sender set {@link SendFlags#SOLICITED}
     * @throws VerbsException with EINVAL if the queue has no channel
     * @throws IllegalStateException if the queue is closed
     */
    public void requestNotification(boolean solicitedOnly) {
        StackReserve.check();
        checkOpen();
        int errno = dataPath.requestNotification(handle, solicitedOnly);
        if (errno != 0) {
            throw new VerbsException("req_notify_cq", errno, channel == null
                    ? this + " has no completion channel: create it with one"
                    : "the device rejected the request to arm " + this);
        }
    }

    /**
     * Acknowledges completion events; see ibv_ack_cq_events(3). {@link #close()} waits until all retrieved events are
     * acknowledged.
     *
     * @param count the number of events to acknowledge
     * @throws VerbsException with EINVAL if {@code count} is negative or greater than the number of unacknowledged
     *         completion events; nothing is acknowledged then
     */
    public void acknowledgeEvents(int count) {
        StackReserve.check();
        events.acknowledge("ack_cq_events", count);
    }

    /**
     * {@return the number of events of this queue, completion and asynchronous, that were retrieved but not
     * acknowledged}
     */
    public int unacknowledgedEvents() {
        StackReserve.check();
        return events.outstanding() + asyncEvents.outstanding();
    }

    /**
     * Changes the size of the queue; see ibv_resize_cq(3). The completions in the queue are kept, in order.
     *
     * @param cqe the minimum number of completions that the queue must hold
     * @throws VerbsException with EINVAL if {@code cqe} is out of range or less than the number of completions in the
     *         queue
     */
    public void resize(int cqe) {
        StackReserve.check();
        checkOpen();
        ops.resizeCq(handle, cqe);
    }

    /** {@return the number of completions that the queue can hold} */
    public int cqe() {
        return handle.cqe();
    }

    /** {@return the completion channel of this queue, or null} */
    public CompletionChannel channel() {
        return channel;
    }

    /** {@return the user context given at creation, or null} */
    public Object userContext() {
        return userContext;
    }

    /** {@return the device's handle of this object, for service providers} */
    public Handle.Cq handle() {
        return handle;
    }

    void eventRetrieved() {
        events.retrieved();
    }

    EventCounter asyncEvents() {
        return asyncEvents;
    }

    /**
     * Destroys the queue; see ibv_destroy_cq(3). Events that were not retrieved are discarded. Waits until all
     * retrieved events are acknowledged.
     *
     * <p>
     * On a native device, no other thread may poll or arm the queue meanwhile: the driver takes no lock against that
     * and would access freed memory, which can crash the JVM. All other calls are safe.
     *
     * @throws VerbsException with EBUSY if a queue pair uses the queue; with EINTR if the thread is interrupted during
     *         the wait: acknowledge the events and call this method again
     */
    @Override
    public void close() {
        super.close();
    }

    @Override
    Rank rank() {
        return Rank.COMPLETION_QUEUE;
    }

    @Override
    void destroy() {
        if (reported == null) {
            reported = ops.destroyCq(handle);
        }
        events.destroyed(reported.completion(), reported.isLogged());
        asyncEvents.destroyed(reported.async(), reported.isLogged());
    }

    @Override
    void awaitEventsAcknowledged() {
        events.awaitAcknowledged("destroy_cq", "completion event", this);
        asyncEvents.awaitAcknowledged("destroy_cq", "asynchronous event", this);
    }

    @Override
    public String toString() {
        return "completion queue of " + context().device() + (handle == null ? "" : ", " + cqe() + " entries")
                + (userContext == null ? "" : ", " + userContext);
    }
}
