package io.jverbs.strict;

import java.util.concurrent.atomic.AtomicLong;

/** How many receives were posted to a queue, and how many of them reliable senders in this JVM count on. */
final class ReceiveCount {
    private final AtomicLong left = new AtomicLong();

    void posted(int count) {
        left.addAndGet(count);
    }

    /** Takes one for a message. */
    void claim() {
        left.decrementAndGet();
    }

    /** Gives one back that a message did not take, for all one knows. */
    void giveBack() {
        left.incrementAndGet();
    }

    /** Whether no more than so many are left. */
    boolean isAtMost(int count) {
        return left.get() <= count;
    }

    void reset() {
        left.set(0);
    }
}
