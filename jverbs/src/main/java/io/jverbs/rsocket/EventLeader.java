package io.jverbs.rsocket;

import io.jverbs.CompletionChannel;
import io.jverbs.CompletionQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which thread waits for the events of the completion queues of all streams: one that waits for its stream, if there is
 * one, so that it need not be woken by another one; otherwise the thread of the context. Thread-safe.
 */
final class EventLeader {
    /** How long a thread that waits for its stream leads, before it checks what raises no event. */
    private static final Duration LEAD = Duration.ofMillis(50);
    private static final long LEAD_NANOS = LEAD.toNanos();
    private static final Logger LOG = LoggerFactory.getLogger(EventLeader.class);

    private final CompletionChannel channel;
    private final AtomicReference<Thread> leader = new AtomicReference<>();
    /** The number of threads that wait for their streams, the leader included. */
    private final AtomicInteger waiting = new AtomicInteger();
    /** The number of streams that are to notify the program. */
    private final AtomicInteger notifications = new AtomicInteger();
    /** What the latest thread waits for that could lead, and does not; null if there was none since. */
    private final AtomicReference<StreamWait> successor = new AtomicReference<>();
    /** The queue whose event the leader has retrieved and not acknowledged; only the leader changes it. */
    private volatile CompletionQueue raised;

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

    /** Notes that a stream is to notify the program. */
    void beginNotification() {
        notifications.incrementAndGet();
    }

    /** Notes that a stream has notified the program, or need not any more. */
    void endNotification() {
        notifications.decrementAndGet();
    }

    /** Returns whether threads wait or streams are to notify the program, and no thread leads. */
    boolean isNeeded() {
        return (waiting.get() > 0 || notifications.get() > 0) && leader.get() == null;
    }

    /** Makes the calling thread the leader, unless another one is; returns whether it is now. */
    boolean tryLead() {
        Thread present = leader.get();
        return present == Thread.currentThread()
                || present == null && leader.compareAndSet(null, Thread.currentThread());
    }

    /** Ends the lead of the calling thread, if it leads. */
    void resign() {
        leader.compareAndSet(Thread.currentThread(), null);
    }

    /** Notes that a thread that could lead is about to block; it checks {@link #isNeeded} afterwards. */
    void offer(StreamWait wait) {
        successor.set(wait);
    }

    /** Wakes a thread that can lead, after the leader has resigned; returns false if none is known. */
    boolean wakeSuccessor() {
        StreamWait next = successor.getAndSet(null);
        return next != null && next.wake();
    }

    /** Waits for an event, for a time; the leader calls {@link #process} afterwards. Returns whether there is one. */
    boolean awaitEvent(long nanos) throws InterruptedException {
        if (raised == null) {
            raised = channel.awaitEvent(nanos == LEAD_NANOS ? LEAD : Duration.ofNanos(nanos));
        }
        return raised != null;
    }

    /** Waits for an event of any stream, at most for {@link #LEAD}, and lets the stream process it. */
    void lead(StreamConnection own, long nanos) throws InterruptedException {
        awaitEvent(Math.min(nanos, LEAD_NANOS));
        process(own);
    }

    /**
     * Lets the stream of the event that the leader has retrieved process it, and acknowledges it. After an Error before
     * that, the next leader does so.
     *
     * @param own the stream of the calling thread, which gets an Error of this one only; null for none
     */
    void process(StreamConnection own) {
        CompletionQueue queue = raised;
        if (queue == null) {
            return;
        }
        StreamConnection stream = (StreamConnection) queue.userContext();
        try {
            stream.progress();
            stream.waits().eventProcessed();
        } catch (Error e) {
            stream.failed("processing an event", e);
            if (stream == own) {
                throw e;
            }
            LOG.warn("processing an event of {} has failed", stream, e);
        } finally {
            acknowledge(queue);
        }
    }

    private void acknowledge(CompletionQueue queue) {
        queue.acknowledgeEvents(1);
        raised = null;
    }

    /**
     * Acknowledges the event of a queue that is about to be closed, if an Error has ended its processing; returns
     * whether this thread has led meanwhile.
     */
    boolean drop(CompletionQueue queue) {
        if (raised != queue || !tryLead()) {
            return false;
        }
        try {
            if (raised == queue) {
                acknowledge(queue);
            }
            return true;
        } finally {
            resign();
        }
    }
}
