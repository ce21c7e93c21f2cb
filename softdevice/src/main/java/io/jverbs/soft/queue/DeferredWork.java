package io.jverbs.soft.queue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
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
                logLost(e);
            }
        }
    }

    private void logLost(Throwable failure) {
        try {
            LOG.warn("Deferred work of {} failed twice and is not tried again: {}", this, failure.toString(), failure);
        } catch (Throwable e) {
            // the caller would take it for work not performed, while another thread may have listed this object again
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

    /**
     * The objects of one network that have deferred work, in lists without locks. A thread takes one object at a time,
     * so that other threads can perform the rest: it may have to wait for a lock, and does not run if it is a virtual
     * thread whose carrier others occupy. If several threads perform work, there is no order between the objects.
     */
    public static final class DeferredQueue {
        private static final VarHandle NEWEST;
        private static final VarHandle OLDEST;

        static {
            try {
                NEWEST = MethodHandles.lookup().findVarHandle(DeferredQueue.class, "newest", DeferredWork.class);
                OLDEST = MethodHandles.lookup().findVarHandle(DeferredQueue.class, "oldest", DeferredWork.class);
            } catch (ReflectiveOperationException e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        /** The objects listed since a thread has taken this list, the newest one first. */
        private volatile DeferredWork newest;
        /** The objects that threads have taken from the other list and put back, the oldest one first. */
        private volatile DeferredWork oldest;

        /** Makes a queue without work. */
        public DeferredQueue() {
            // the first call of each kind links it, which needs memory and stack: not while objects are in no list
            DeferredWork none = (DeferredWork) NEWEST.get(this);
            OLDEST.compareAndSet(this, none, (DeferredWork) OLDEST.getAndSet(this, none));
        }

        private void list(DeferredWork item) {
            DeferredWork head;
            do {
                head = newest;
                item.next = head;
            } while (!NEWEST.compareAndSet(this, head, item));
        }

        /**
         * Performs all work noted, including work noted meanwhile, unless another thread has taken it. Such a thread
         * performs it, or puts it back and takes it again, possibly after this method has returned. The caller holds no
         * lock. If there is no work, this costs two reads. Work that fails is tried once more; if it fails again, the
         * failure is logged and not thrown, because the work need not be the caller's.
         */
        public void run() {
            if ((DeferredWork) NEWEST.get(this) != null || (DeferredWork) OLDEST.get(this) != null) {
                try {
                    runListed();
                } catch (Throwable e) {
                    LOG.warn("Deferred work could not be performed: {}", e.toString(), e);
                }
            }
        }

        private void runListed() {
            DeferredWork item;
            while ((item = take()) != null) {
                try {
                    item.performNoted();
                } catch (Throwable e) {
                    // its work, which may be noted again but not listed, must not be lost
                    item.performNoted();
                }
            }
        }

        /** Takes an object, the oldest one of a list; returns null if there is none. */
        private DeferredWork take() {
            DeferredWork none = null;
            // without work, a read is cheaper than an exchange
            DeferredWork item = oldest == null ? none : (DeferredWork) OLDEST.getAndSet(this, none);
            if (item == null && newest != null) {
                item = takeNewest();
            }
            if (item != null && item.next != null) {
                DeferredWork following = item.next;
                // the link would keep objects reachable after they are destroyed
                item.next = null;
                try {
                    putBack(following);
                } catch (Throwable e) {
                    // for lack of stack; nothing can fail after they have been put back
                    putBack(following);
                }
            }
            return item;
        }

        /** Puts a list back. If this fails, it can be repeated for the same object. */
        private void putBack(DeferredWork first) {
            DeferredWork none = null;
            while (!OLDEST.compareAndSet(this, none, first)) {
                // another thread has put some back, too; between taking and linking them, nothing is called
                DeferredWork last = first;
                while (last.next != null) {
                    last = last.next;
                }
                last.next = (DeferredWork) OLDEST.getAndSet(this, none);
            }
        }

        /** Takes all objects from the list of new ones; returns them with the oldest first. */
        private DeferredWork takeNewest() {
            DeferredWork none = null;
            DeferredWork item = (DeferredWork) NEWEST.getAndSet(this, none);
            // no call from here, which could fail while the objects are in no list
            DeferredWork reversed = null;
            while (item != null) {
                DeferredWork following = item.next;
                item.next = reversed;
                reversed = item;
                item = following;
            }
            return reversed;
        }
    }
}
