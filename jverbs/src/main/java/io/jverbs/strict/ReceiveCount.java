package io.jverbs.strict;

import java.util.concurrent.atomic.AtomicLong;

/** How many receives were posted to a queue, and how many of them reliable senders in this JVM count on. */
final class ReceiveCount {
    private final boolean isShared;
    private final AtomicLong left = new AtomicLong();

    ReceiveCount(boolean isShared) {
        this.isShared = isShared;
    }

    void posted(int count) {
        left.addAndGet(count);
    }

    /** Takes one for a message. */
    void claim() {
        left.decrementAndGet();
    }

    /** Gives one back: the message was not posted. */
    void giveBack() {
        left.incrementAndGet();
    }

    /** Gives one back that a message may not have taken, as it failed; a queue of one queue pair starts anew after that. */
    void giveBackIfShared() {
        if (isShared) {
            giveBack();
        }
    }

    /** Whether no more than so many are left. */
    boolean isAtMost(int count) {
        return left.get() <= count;
    }

    /** Forgets what was posted, as the reset of a queue pair does with its own queue. */
    void resetUnlessShared() {
        if (!isShared) {
            left.set(0);
        }
    }
}
