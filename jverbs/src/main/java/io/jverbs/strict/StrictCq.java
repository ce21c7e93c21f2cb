package io.jverbs.strict;

import io.jverbs.spi.Handle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** What is known of a completion queue. */
final class StrictCq {
    private final Handle.Cq handle;
    /** Held by who polls, so that completions are noted in their order. Taken before locks of queue pairs. */
    private final ReentrantLock polling = new ReentrantLock();
    private final AtomicInteger expected = new AtomicInteger();

    StrictCq(Handle.Cq handle) {
        this.handle = handle;
    }

    Handle.Cq handle() {
        return handle;
    }

    ReentrantLock polling() {
        return polling;
    }

    /** More completions are to come, or fewer. */
    void expect(int change) {
        expected.addAndGet(change);
    }

    /** How many completions are to come, or wait to be polled, with so many more than now. */
    int expectedWith(int more) {
        return expected.get() + more;
    }
}
