package io.jverbs.samples.tour;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import io.jverbs.WcOpcode;
import io.jverbs.WcStatus;
import io.jverbs.WorkCompletions;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A thread that sleeps until a completion event wakes it, and hands on what has completed. */
final class EventLoop implements AutoCloseable {
    private static final int BATCH = 16;

    /** What a completion said. */
    record Arrival(long wrId, WcStatus status, WcOpcode opcode, long bytes) {}

    private final CompletionChannel channel;
    private final WorkCompletions taken = WorkCompletions.create(BATCH);
    private final Queue<Arrival> arrivals = new ConcurrentLinkedQueue<>();
    private final Thread thread;

    EventLoop(CompletionChannel channel, CompletionQueue queue) {
        this.channel = channel;
        // What comes from here on raises an event.
        queue.requestNotification(false);
        this.thread = Thread.ofPlatform().name("event loop").daemon().start(this::run);
    }

    private void run() {
        try {
            while (true) {
                CompletionQueue fired = channel.awaitEvent(Completions.PATIENCE);
                if (fired != null) {
                    fired.acknowledgeEvents(1);
                    // Arm again before looking: what comes after the look raises the next event.
                    fired.requestNotification(false);
                    takeAll(fired);
                }
            }
        } catch (InterruptedException e) {
            // close() asks for the end
        }
    }

    private void takeAll(CompletionQueue queue) {
        while (queue.poll(taken) > 0) {
            for (int i = 0; i < taken.count(); i++) {
                arrivals.add(new Arrival(taken.wrId(i), taken.status(i), taken.opcode(i), taken.byteLength(i)));
            }
        }
    }

    /** {@return the next arrival; the caller waits awake, so that only the loop's waking is timed} */
    Arrival next() {
        long start = System.nanoTime();
        Arrival next = arrivals.poll();
        while (next == null) {
            if (System.nanoTime() - start > Completions.PATIENCE.toNanos()) {
                throw new Mismatch("completion event", "one within " + Completions.PATIENCE.toSeconds() + " s", "none");
            }
            Thread.onSpinWait();
            next = arrivals.poll();
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
