package io.jverbs.rsocket;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Which thread waits for the events of the completion queues of all streams: one that waits for its stream, if there is
 * one, so that it need not be woken by another one; otherwise the thread of the context. Thread-safe.
 */
final class EventLeader {
    private final CompletionChannel channel;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    /** The number of threads that wait for their streams, the leader included. */
    private final AtomicInteger waiting = new AtomicInteger();

    EventLeader(CompletionChannel channel) {
        this.channel = channel;
    }

    /** Notes that a thread begins to wait. */
    void beginWait() {
        waiting.incrementAndGet();
    }

    /** Notes that a thread waits no more. */
    void endWait() {
        waiting.decrementAndGet();
    }

    /** Returns whether threads wait, and none of them leads. */
    boolean isNeeded() {
        return waiting.get() > 0 && leader.get() == null;
    }

    /** Makes the calling thread the leader, unless another one is. */
    boolean tryLead() {
        return leader.get() == null && leader.compareAndSet(null, Thread.currentThread());
    }

    /** Ends the lead of the calling thread. */
    void resign() {
        leader.set(null);
    }

    /** Waits for an event for a time, and lets its stream process it; returns whether there was one. */
    boolean await(long nanos) throws InterruptedException {
        return handle(channel.awaitEvent(Duration.ofNanos(nanos)));
    }

    /** Lets the stream of an event process it; returns false if there is none. */
    private static boolean handle(CompletionQueue fired) {
        if (fired == null) {
            return false;
        }
        try {
            ((StreamConnection) fired.userContext()).progress();
        } finally {
            fired.acknowledgeEvents(1);
        }
        return true;
    }
}
