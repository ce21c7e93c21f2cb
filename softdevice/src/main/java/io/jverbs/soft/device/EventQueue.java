package io.jverbs.soft.device;

import io.jverbs.soft.fabric.WaitQueue;

/**
 * The completion events of a channel or the asynchronous events of a context that the program has not retrieved yet.
 *
 * <p>
 * The events are linked to each other, each event at most once, and the queue allocates nothing. Its length is bounded
 * by the number of objects times the event types of an object, even if the program never retrieves an event. Adding
 * and removing an event take constant time.
 */
final class EventQueue extends WaitQueue<PendingEvent> {
    private PendingEvent first;
    private PendingEvent last;

    /**
     * Adds an event, unless the queue is closed or the event's owner is destroyed. After an Error the event was not
     * added, so that the call can be repeated.
     */
    void add(PendingEvent event) {
        lock();
        try {
            EventForwarder owner = event.owner();
            if (!isClosed() && (owner == null || !owner.isDestroyed())) {
                // first, as it can fail; the thread that it wakes needs the lock to look for the event
                signal();
                enqueue(event);
            }
        } finally {
            unlock();
        }
    }

    private void enqueue(PendingEvent event) {
        switch (event.repeat) {
            case COUNT -> event.times = Math.max(event.times + 1, event.times);
            case KEEP_POSITION -> event.times = 1;
            case MOVE_TO_END -> {
                event.times = 1;
                unlink(event);
            }
        }
        link(event);
    }

    /** Appends an event, unless it is queued already. */
    private void link(PendingEvent event) {
        if (event.isQueued) {
            return;
        }
        event.isQueued = true;
        event.before = last;
        if (last == null) {
            first = event;
        } else {
            last.after = event;
        }
        last = event;
    }

    private void unlink(PendingEvent event) {
        if (!event.isQueued) {
            return;
        }
        event.isQueued = false;
        if (event.before == null) {
            first = event.after;
        } else {
            event.before.after = event.after;
        }
        if (event.after == null) {
            last = event.before;
        } else {
            event.after.before = event.before;
        }
        event.before = null;
        event.after = null;
    }

    @Override
    protected boolean isEmpty() {
        assert isLocked();
        return first == null;
    }

    /** An event that occurred several times is appended again for the remaining occurrences. */
    @Override
    protected PendingEvent take() {
        assert isLocked();
        PendingEvent event = first;
        if (event != null) {
            unlink(event);
            event.retrieved++;
            if (--event.times > 0) {
                link(event);
            }
        }
        return event;
    }

    @Override
    protected void clear() {
        assert isLocked();
        while (first != null) {
            unlink(first);
        }
    }

    /** Discards an event whose owner is destroyed; returns how many times it has been retrieved. */
    int forget(PendingEvent event) {
        lock();
        try {
            unlink(event);
            event.times = 0;
            return event.retrieved;
        } finally {
            unlock();
        }
    }
}
