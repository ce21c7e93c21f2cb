package io.jverbs;

import io.jverbs.spi.Handle;
import java.time.Duration;

/**
 * Where threads wait for completion events, as {@code struct ibv_comp_channel}; see ibv_get_cq_event(3). Any number of
 * completion queues may share one; any thread may wait, virtual ones too.
 *
 * {@snippet :
 * cq.requestNotification(false);
 * while (cq.poll(completions) == 0) {          // arm, then look: what came before arming raises no event
 *     CompletionQueue fired = channel.awaitEvent(Duration.ofSeconds(10));
 *     if (fired != null) {
 *         fired.acknowledgeEvents(1);
 *         fired.requestNotification(false);
 *     }
 * }
 * }
 */
public final class CompletionChannel extends Resource {
    private final Handle.Channel handle;

    CompletionChannel(RdmaContext context) {
        super("create_comp_channel", context);
        try {
            handle = context.ops().createChannel();
        } catch (RuntimeException e) {
            abandon();
            throw e;
        }
    }

    /**
     * Waits for a completion event. Each must be acknowledged with {@link CompletionQueue#acknowledgeEvents}.
     *
     * @param timeout how long to wait; {@link Duration#ZERO} looks without waiting
     * @return the queue that fired, or null when the time is over
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalStateException if the channel is closed, also while waiting
     */
    public CompletionQueue awaitEvent(Duration timeout) throws InterruptedException {
        checkOpen();
        Object owner = context().closingOps().awaitEvent(handle, Waiting.nanos(timeout));
        if (owner == null) {
            checkOpen();
            return null;
        }
        CompletionQueue queue = (CompletionQueue) owner;
        queue.eventRetrieved();
        return queue;
    }

    /** {@return the device's handle, for providers} */
    public Handle.Channel handle() {
        return handle;
    }

    @Override
    Rank rank() {
        return Rank.COMPLETION_CHANNEL;
    }

    @Override
    void destroy() {
        context().closingOps().destroyChannel(handle);
    }

    @Override
    public String toString() {
        return "completion channel of " + context().device();
    }
}
