package io.jverbs.samples.tour.operation;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * A thread that waits for completion events and passes the completions to another thread through a queue. Only
 * {@link #next} and {@link #close} may be called by the other thread.
 */
final class EventLoop implements AutoCloseable {
    private static final int BATCH = 16;

    /** A copy of a work completion. */
    record Completion(long wrId, WcStatus status, WcOpcode opcode, long bytes) {}

    private final CompletionChannel channel;
    private final WorkCompletions taken = WorkCompletions.create(BATCH);
    private final Queue<Completion> completions = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    EventLoop(CompletionChannel channel, CompletionQueue queue) {
        this.channel = channel;
        // Armed before the first request is posted, so that no completion is missed.
        queue.requestNotification(false);
        this.thread = Thread.ofPlatform().name("event loop").daemon().start(this::run);
    }

    private void run() {
        try {
            while (true) {
                CompletionQueue fired = channel.awaitEvent(Completions.TIMEOUT);
                if (fired != null) {
                    fired.acknowledgeEvents(1);
                    // Rearm before polling: a completion that arrives after the poll raises the next event.
                    fired.requestNotification(false);
                    takeAll(fired);
                }
            }
        } catch (InterruptedException e) {
            // close() interrupts this thread
        }
    }

    private void takeAll(CompletionQueue queue) {
        while (queue.poll(taken) > 0) {
            for (int i = 0; i < taken.count(); i++) {
                completions.add(new Completion(taken.wrId(i), taken.status(i), taken.opcode(i), taken.byteLength(i)));
            }
        }
    }

    /** {@return the next completion; spins, so that the measured latency includes the wake-up of the loop only} */
    Completion next() {
        long start = System.nanoTime();
        Completion next = completions.poll();
        while (next == null) {
            if (System.nanoTime() - start > Completions.TIMEOUT.toNanos()) {
                throw new Mismatch("completion event", "one within " + Completions.TIMEOUT.toSeconds() + " s", "none");
            }
            Thread.onSpinWait();
            next = completions.poll();
        }
        return next;
    }

    @Override
    public void close() {
        thread.interrupt();
        boolean interrupted = Thread.interrupted();
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
