package io.jverbs.samples.nodes;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.RdmaContext;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import io.jverbs.samples.console.SampleFailure;
import java.time.Duration;

/** Waits for the completions of queues that share a channel. Used by one thread. */
public final class Completions implements AutoCloseable {
    private static final int BATCH = 8;
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(50);

    private final RdmaContext context;
    private final Idle idle;
    private final CompletionChannel channel;
    private final WorkCompletions polled = WorkCompletions.create(BATCH);

    /** Decides whether a wait goes on: a peer that has ended sends nothing, and may leave no event. */
    @FunctionalInterface
    public interface Idle {
        /**
         * Called every 50 ms while there is no completion.
         *
         * @param waited how long the wait has lasted
         * @throws SampleFailure if there will be no completion
         * @throws InterruptedException if the thread is interrupted
         */
        void check(Duration waited) throws InterruptedException;
    }

    /**
     * Creates the channel.
     *
     * @param context the open device
     * @param idle decides whether a wait goes on
     */
    public Completions(RdmaContext context, Idle idle) {
        this.context = context;
        this.idle = idle;
        channel = context.createCompletionChannel();
    }

    /**
     * Creates a queue.
     *
     * @param depth the number of completions that it must hold
     * @return the queue, which the caller closes before this object
     */
    public CompletionQueue createQueue(int depth) {
        CompletionQueue cq = context.createCompletionQueue(depth, channel);
        cq.requestNotification(false);
        return cq;
    }

    /**
     * Waits for at least one completion of a queue. {@link #polled} has those that were polled.
     *
     * @param cq the queue
     * @return the number of completions that were polled
     * @throws SampleFailure if a request has failed, or the wait does not go on
     * @throws InterruptedException if the thread is interrupted
     */
    public int await(CompletionQueue cq) throws InterruptedException {
        int count = cq.poll(polled);
        long start = System.nanoTime();
        while (count == 0) {
            CompletionQueue fired = channel.awaitEvent(CHECK_INTERVAL);
            if (fired != null) {
                fired.acknowledgeEvents(1);
                fired.requestNotification(false);
            }
            count = cq.poll(polled);
            if (count == 0 && fired == null) {
                idle.check(Duration.ofNanos(System.nanoTime() - start));
            }
        }
        for (int i = 0; i < count; i++) {
            if (!polled.isSuccess(i)) {
                throw new SampleFailure(polled.status(i) == WcStatus.WR_FLUSH_ERR
                        ? "the peer disconnected before all requests had completed"
                        : "a request failed with " + polled.status(i));
            }
        }
        return count;
    }

    /**
     * Waits for a number of completions of a queue.
     *
     * @param cq the queue
     * @param count the number
     * @throws SampleFailure if a request has failed
     * @throws InterruptedException if the thread is interrupted
     */
    public void await(CompletionQueue cq, int count) throws InterruptedException {
        int done = 0;
        while (done < count) {
            done += await(cq);
        }
    }

    /** {@return the completions that were polled last} */
    public WorkCompletions polled() {
        return polled;
    }

    @Override
    public void close() {
        channel.close();
    }
}
