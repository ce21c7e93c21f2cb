package io.jverbs.soft.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object with work that is noted while locks are held and is performed after all of them have been released: events,
 * flushes of the other half of a queue pair, errors of a completion queue. {@link #defer} only sets bits and lists the
 * object in the {@link DeferredQueue}, without a lock; {@link DeferredQueue#run} performs the work. Any thread may
 * perform work that another thread noted.
 */
public abstract class DeferredWork {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredWork.class);
    private static final int LISTED = 1 << 31;
    /** The work has failed once and is tried again. */
    private static final int RETRY = 1 << 30;

    private final DeferredQueue queue;
    private final AtomicInteger pending = new AtomicInteger();
    private DeferredWork next;

    /**
     * Makes an object without work.
     *
     * @param queue the queue in which this object is listed while it has work
     */
    protected DeferredWork(DeferredQueue queue) {
        this.queue = queue;
    }

    /**
     * Notes work to be performed. May be called with locks held.
     *
     * @param bits the work, as bits that the subclass defines; bits 30 and 31 are reserved
     */
    public final void defer(int bits) {
        int before;
        do {
            before = pending.get();
        } while (!pending.compareAndSet(before, before | bits | LISTED));
        if ((before & LISTED) == 0) {
            queue.list(this);
        }
    }

    private void performNoted() {
        int bits = pending.getAndSet(0);
        try {
            perform(bits & ~(LISTED | RETRY));
        } catch (Throwable e) {
            if ((bits & RETRY) == 0) {
                defer(bits | RETRY);
            } else {
                LOG.warn("Deferred work of {} failed twice and is not tried again: {}", this, e.toString(), e);
            }
        }
    }

    /**
     * Performs the work. The caller holds no lock. If this method throws, it is called once more for the same
     * bits.
     *
     * @param bits the work noted since the last call
     */
    protected abstract void perform(int bits);

    /** {@return the queue in which this object is listed while it has work} */
    public final DeferredQueue deferredQueue() {
        return queue;
    }

    /** The objects of one network that have deferred work: a lock-free list. */
    public static final class DeferredQueue {
        private final AtomicReference<DeferredWork> newest = new AtomicReference<>();

        private void list(DeferredWork item) {
            DeferredWork head;
            do {
                head = newest.get();
                item.next = head;
            } while (!newest.compareAndSet(head, item));
        }

        /**
         * Performs all work noted, including work noted meanwhile. The caller holds no lock. If there is no work, this
         * costs one read. Work that fails is tried once more; if it fails again, the failure is logged and not thrown,
         * because the work need not be the caller's.
         */
        public void run() {
            if (newest.getPlain() != null) {
                try {
                    runListed();
                } catch (Throwable e) {
                    LOG.warn("Deferred work could not be performed: {}", e.toString(), e);
                }
            }
        }

        private void runListed() {
            DeferredWork item;
            while ((item = oldestFirst(newest.getAndSet(null))) != null) {
                while (item != null) {
                    DeferredWork following = item.next;
                    // the link would keep objects reachable after they are destroyed
                    item.next = null;
                    try {
                        item.performNoted();
                    } catch (Throwable e) {
                        // the items after this one must not be lost
                        item.performNoted();
                    }
                    item = following;
                }
            }
        }

        private static DeferredWork oldestFirst(DeferredWork head) {
            DeferredWork reversed = null;
            while (head != null) {
                DeferredWork following = head.next;
                head.next = reversed;
                reversed = head;
                head = following;
            }
            return reversed;
        }
    }
}
