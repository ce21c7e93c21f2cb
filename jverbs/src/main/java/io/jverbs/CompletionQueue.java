package io.jverbs;

import io.jverbs.spi.ContextOps;
import io.jverbs.spi.DataPath;
import io.jverbs.spi.Handle;

/**
 * A completion queue, as {@code struct ibv_cq}; see ibv_create_cq(3). All methods may be called by any thread; each completion
 * is returned once. A polled completion makes the data it stands for visible to the polling thread.
 */
public final class CompletionQueue extends Resource {
    private final ContextOps ops;
    private final DataPath dataPath;
    private final CompletionChannel channel;
    private final Object userContext;
    private final EventLedger events = new EventLedger();
    private final EventLedger asyncEvents = new EventLedger();
    private final Handle.Cq handle;

    CompletionQueue(RdmaContext context, CqInitAttributes attributes) {
        super("create_cq", context, attributes.channel());
        this.ops = context.closingOps();
        this.dataPath = ops.dataPath();
        this.channel = attributes.channel();
        this.userContext = attributes.userContext();
        try {
            handle = context.ops().createCq(attributes.cqe(), channel == null ? null : channel.handle(),
                    attributes.completionVector(), this);
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /**
     * Takes completions, oldest first, as many as fit; see ibv_poll_cq(3). Never blocks, allocates nothing.
     *
     * @param completions filled from its start; what it held is gone
     * @return how many there were, 0 when the queue is empty
     * @throws IllegalStateException if the queue is closed
     */
    public int poll(WorkCompletions completions) {
        return take(completions, completions.capacity());
    }

    /**
     * Takes at most so many completions, oldest first.
     *
     * @param completions filled from its start; what it held is gone
     * @param max the greatest number to take, 0 to the array's capacity
     * @return how many there were, 0 when the queue is empty
     * @throws IllegalArgumentException if {@code max} is out of range
     * @throws IllegalStateException if the queue is closed
     */
    public int poll(WorkCompletions completions, int max) {
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
     * Arms the queue: the next completion that is added raises one event on the channel; see ibv_req_notify_cq(3). What the
     * queue already holds raises none, so poll once more after arming. Errors always count as solicited.
     *
     * @param solicitedOnly whether only completions that the sender marked solicited, and errors, count
     * @throws VerbsException with EINVAL if the queue has no channel
     * @throws IllegalStateException if the queue is closed
     */
    public void requestNotification(boolean solicitedOnly) {
        checkOpen();
        int errno = dataPath.requestNotification(handle, solicitedOnly);
        if (errno != 0) {
            throw new VerbsException("req_notify_cq", errno, channel == null
                    ? this + " has no completion channel: create it with one"
                    : "the device refused to arm " + this);
        }
    }

    /**
     * Acknowledges completion events; see ibv_ack_cq_events(3). {@link #close()} waits for events that are not.
     *
     * @param count how many
     * @throws VerbsException with EINVAL if that is more than were retrieved
     */
    public void acknowledgeEvents(int count) {
        events.acknowledge("ack_cq_events", count);
    }

    /** {@return how many events of this queue, completion and asynchronous, were retrieved and not acknowledged} */
    public int unacknowledgedEvents() {
        return events.outstanding() + asyncEvents.outstanding();
    }

    /**
     * Changes the size; what the queue holds stays, in order. See ibv_resize_cq(3).
     *
     * @param cqe the least number of completions it must hold
     * @throws VerbsException with EINVAL if the size is out of range or below what the queue holds
     */
    public void resize(int cqe) {
        checkOpen();
        ops.resizeCq(handle, cqe);
    }

    /** {@return how many completions the queue can hold} */
    public int cqe() {
        return handle.cqe();
    }

    /** {@return where its events go, or null} */
    public CompletionChannel channel() {
        return channel;
    }

    /** {@return what the program attached at creation, or null} */
    public Object userContext() {
        return userContext;
    }

    /** {@return the device's handle, for providers} */
    public Handle.Cq handle() {
        return handle;
    }

    void eventRetrieved() {
        events.retrieved();
    }

    EventLedger asyncEvents() {
        return asyncEvents;
    }

    /**
     * Destroys the queue; events that were not retrieved are discarded. Waits until those that were are acknowledged; see
     * ibv_destroy_cq(3).
     *
     * @throws VerbsException with EBUSY if a queue pair uses it; with EINTR if the thread is interrupted while waiting, then
     *             call again
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
        ContextOps.EventsReported reported = ops.destroyCq(handle);
        events.destroyed(reported.completion());
        asyncEvents.destroyed(reported.async());
    }

    @Override
    void awaitReturned() {
        events.awaitAcknowledged("destroy_cq");
        asyncEvents.awaitAcknowledged("destroy_cq");
    }

    @Override
    public String toString() {
        return "completion queue of " + context().device() + (handle == null ? "" : ", " + cqe() + " entries")
                + (userContext == null ? "" : ", " + userContext);
    }
}
