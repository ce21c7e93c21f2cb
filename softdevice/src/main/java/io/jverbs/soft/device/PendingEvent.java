package io.jverbs.soft.device;

import io.jverbs.spi.ContextOps.Async;

/**
 * An event of one type of one object or port. It is in an {@link EventQueue} from when it occurs until the program
 * retrieves it. It is queued at most once, however often it occurs. The mutable fields are guarded by the queue's lock.
 */
final class PendingEvent {
    /** What a further occurrence means while the event is still queued. */
    enum Repeat {
        /**
         * Occurrences are counted, and the program retrieves the event once for each. Each arming of a completion queue
         * results in one completion event.
         */
        COUNT,
        /** The event is retrieved once and keeps its position in the queue. */
        KEEP_POSITION,
        /**
         * The event is retrieved once and moves to the end of the queue. Of events that contradict each other, such as
         * PORT_ERR and PORT_ACTIVE, the program sees the latest one last.
         */
        MOVE_TO_END
    }

    private final EventForwarder owner;
    private final Async event;
    final Repeat repeat;
    PendingEvent before;
    PendingEvent after;
    boolean isQueued;
    /** The number of occurrences that the program has yet to retrieve. */
    int times;
    /** The number of occurrences that the program has retrieved. */
    int retrieved;

    /**
     * @param owner the object concerned, null for an event of a port or the device
     * @param event the asynchronous event that the program gets, null for a completion event
     * @param repeat what a further occurrence means while the event is queued
     */
    PendingEvent(EventForwarder owner, Async event, Repeat repeat) {
        this.owner = owner;
        this.event = event;
        this.repeat = repeat;
    }

    EventForwarder owner() {
        return owner;
    }

    Async event() {
        return event;
    }
}
