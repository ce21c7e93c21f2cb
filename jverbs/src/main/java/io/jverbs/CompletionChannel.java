package io.jverbs;

import io.jverbs.spi.Handle;
import io.jverbs.spi.StackReserve;
import io.jverbs.spi.Waits;
import java.time.Duration;

/**
 * A completion channel, {@code struct ibv_comp_channel}: threads wait on it for completion events. See
 * ibv_create_comp_channel(3) and ibv_get_cq_event(3).
 *
 * <p>
 * Any number of completion queues can share a channel. Any thread can wait on it, including virtual threads. This class
 * is thread-safe.
 *
 * <p>
 * Arm the completion queue first and poll it afterwards, because completions that were added before it was armed raise
 * no event:
 *
 * {@snippet :
 * CompletionChannel channel = context.createCompletionChannel();
 * CompletionQueue cq = context.createCompletionQueue(64, channel);
 * WorkCompletions completions = WorkCompletions.create(16);
 * cq.requestNotification(false);
 * while (cq.poll(completions) == 0) {
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
        super(context);
        try {
            adopt();
            handle = context.ops().createChannel();
            created();
        } catch (RuntimeException | Error e) {
            abandon(e);
            throw e;
        }
    }

    /**
     * Waits for a completion event; see ibv_get_cq_event(3). Every event must be acknowledged with {@link
     * CompletionQueue#acknowledgeEvents}.
     *
     * @param timeout the maximum time to wait; {@link Duration#ZERO} returns immediately
     * @return the completion queue that raised the event, or null if the timeout expired
     * @throws InterruptedException if the thread is interrupted
     * @throws IllegalArgumentException if the timeout is negative
     * @throws IllegalStateException if the channel is closed, before or during the wait
     */
    public CompletionQueue awaitEvent(Duration timeout) throws InterruptedException {
        StackReserve.check();
        checkOpen();
        Object owner = context().closingOps().awaitEvent(handle, Waits.nanos(timeout));
        if (owner == null) {
            checkOpen();
            return null;
        }
        CompletionQueue queue = (CompletionQueue) owner;
        queue.eventRetrieved();
        return queue;
    }

    /** {@return the device's handle of this object, for service providers} */
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
