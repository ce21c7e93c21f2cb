package io.jverbs.soft.queue;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Work that was found while locks were held and is done after all of them are released: events, flushes of the other half,
 * errors of a completion queue. Finding it only sets a bit; {@link Agenda#run} does it. Any thread may do what another found.
 */
public abstract class Deferral {
    private static final int LISTED = 1 << 31;

    private final Agenda agenda;
    private final AtomicInteger pending = new AtomicInteger();
    private Deferral next;

    /**
     * @param agenda where this object's work is listed
     */
    protected Deferral(Agenda agenda) {
        this.agenda = agenda;
    }

    /**
     * Notes work to do; callable with locks held.
     *
     * @param bits what to do, in the subclass's terms; bit 31 is not free
     */
    public final void defer(int bits) {
        int before;
        do {
            before = pending.get();
        } while (!pending.compareAndSet(before, before | bits | LISTED));
        if ((before & LISTED) == 0) {
            agenda.list(this);
        }
    }

    /**
     * Does the work; no lock is held.
     *
     * @param bits what was noted since the last time
     */
    protected abstract void perform(int bits);

    /** {@return where this object's work is listed} */
    public final Agenda agenda() {
        return agenda;
    }

    /** The objects of one network that have work noted. */
    public static final class Agenda {
        private final AtomicReference<Deferral> newest = new AtomicReference<>();

        private void list(Deferral item) {
            Deferral head;
            do {
                head = newest.get();
                item.next = head;
            } while (!newest.compareAndSet(head, item));
        }

        /** Does what is noted, and what that brings up. To be called with no lock held; costs one read when there is nothing. */
        public void run() {
            if (newest.getPlain() != null) {
                runListed();
            }
        }

        private void runListed() {
            Throwable failure = null;
            Deferral item;
            while ((item = oldestFirst(newest.getAndSet(null))) != null) {
                while (item != null) {
                    Deferral following = item.next;
                    int bits = item.pending.getAndSet(0);
                    try {
                        item.perform(bits & ~LISTED);
                    } catch (RuntimeException | Error e) {
                        // what others are owed is done first
                        failure = failure == null ? e : failure;
                    }
                    item = following;
                }
            }
            if (failure instanceof Error error) {
                throw error;
            }
            if (failure instanceof RuntimeException exception) {
                throw exception;
            }
        }

        private static Deferral oldestFirst(Deferral head) {
            Deferral reversed = null;
            while (head != null) {
                Deferral following = head.next;
                head.next = reversed;
                reversed = head;
                head = following;
            }
            return reversed;
        }
    }
}
