package io.jverbs.strict;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The receive requests that were posted to a queue, less those that messages of RC queue pairs in this JVM take.
 * Thread-safe.
 */
final class ReceiveCount {
    private final boolean isShared;
    private final AtomicLong left = new AtomicLong();

    ReceiveCount(boolean isShared) {
        this.isShared = isShared;
    }

    void posted(int count) {
        left.addAndGet(count);
    }

    /** Takes a receive request for a message. */
    void claim() {
        left.decrementAndGet();
    }

    /** Returns a receive request, because the message was not posted. */
    void release() {
        left.incrementAndGet();
    }

    /**
     * Returns a receive request that a failed message may not have taken, if the queue is shared. The count of a queue
     * pair's own queue restarts at its next reset.
     */
    void releaseIfShared() {
        if (isShared) {
            release();
        }
    }

    /** Whether at most {@code count} receive requests are left. */
    boolean isAtMost(int count) {
        return left.get() <= count;
    }

    /** Restarts at 0 if the queue is not shared: the reset of a queue pair empties its own receive queue. */
    void resetUnlessShared() {
        if (!isShared) {
            left.set(0);
        }
    }
}
