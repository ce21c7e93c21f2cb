package io.jverbs.strict;

import io.jverbs.spi.Handle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/** The state that strict mode tracks for a completion queue. Thread-safe. */
final class StrictCq {
    private final Handle.Cq handle;
    /**
     * Held during a poll, so that completions are recorded in their order. Lock order: before the locks of queue pairs.
     */
    private final ReentrantLock polling = new ReentrantLock();
    /** How many completions are expected or wait to be polled. */
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

    /** Changes the number of expected completions. */
    void expect(int change) {
        expected.addAndGet(change);
    }

    /** How many completions are expected or wait to be polled, plus {@code more}. */
    int expectedWith(int more) {
        return expected.get() + more;
    }
}
