package io.jverbs.soft.queue;

/**
 * Counts the requests of a send queue that are done, that are not, and whose slots are free. Guarded by the lock of
 * the superclass, which is in the same object so that a request touches few cache lines. Two exceptions: any thread may
 * read whether the queue {@linkplain #isEmpty is empty}, as a hint; and the number of polled completions is that of the
 * completion queue, which reads it with acquire order.
 *
 * <p>
 * A slot becomes free when the program has polled the completion of its request or, if the request has none, that of a
 * later request. Therefore the completion numbers of all requests that are done are kept until then, as runs. A run
 * consists of successive requests whose completions were added to the completion queue one directly after the other, so
 * that number and position differ by the same amount; or of successive requests without completions. The latest run is
 * open: a request that continues it costs one comparison and the write of the counter. A completion of another queue in
 * between, a completion that was lost, or the next request that is signaled unlike the one before starts a new run.
 * Neither resizing a completion queue nor removing the completions of other queue pairs changes the numbers. RESET
 * frees all slots, and the completions of the requests are removed.
 *
 * <p>
 * Only a post that finds no free slot, or starts a run, checks how many completions have been polled; polling does no
 * work for it.
 *
 * <p>
 * Nothing is allocated after {@link #allocate}, and no method is called between writes that belong together. So an
 * Error leaves a request either not done or done.
 */
public abstract class SendSlots extends SendLock {
    /** In place of a completion number: the request is done and generates no completion. */
    public static final long NO_COMPLETION = 0;
    /** In place of a shift: the requests of the run have no completions. */
    private static final long UNSIGNALED = Long.MIN_VALUE;

    private final CompletionQueueCore sendCq;
    private final int mask;
    /** The number of requests that are not done. */
    private int outstanding;
    /** The number of requests ever done: the position of the oldest request that is not done. */
    private long done;
    /** The position after the latest request that fits: the slots of all requests older by a whole queue are free. */
    private long limit;
    /** The completions of requests before this position have been polled, or do not exist. */
    private long polled;
    /** For the open run, the completion number of a request minus its position, or {@link #UNSIGNALED}. */
    private long shift = UNSIGNALED;
    /**
     * A ring of the closed runs: for each, the position after its last request, and its shift. Each has a request at
     * {@link #polled} or later, and the open run has one, too; so there are fewer closed runs than slots.
     */
    private long[] runs;
    /** The number of closed runs ever removed. */
    private int firstRun;
    /** The number of closed runs ever added. */
    private int endRun;

    /**
     * Makes the slots of an empty send queue.
     *
     * @param slots the number of requests that fit, a power of two, or 0
     * @param sendCq the completion queue of all requests
     */
    protected SendSlots(int slots, CompletionQueueCore sendCq) {
        this.sendCq = sendCq;
        this.mask = slots - 1;
        this.limit = slots;
    }

    /**
     * Allocates the arrays of the queue. Called once, before the first request is added. The constructor does not
     * allocate them, so that a subclass can allocate other objects first.
     */
    protected void allocate() {
        runs = new long[2 * slots()];
    }

    /** {@return the completion queue of all requests} */
    public final CompletionQueueCore sendCq() {
        return sendCq;
    }

    /** {@return whether all requests are done} Slots may still be in use. */
    public final boolean isEmpty() {
        return outstanding == 0;
    }

    /** {@return the number of requests that are not done} */
    public final int count() {
        return outstanding;
    }

    /** {@return the number of slots that are not known to be free} */
    public final int used() {
        return (int) (done + outstanding + slots() - limit);
    }

    /** {@return the number of requests that fit} */
    public final int slots() {
        return mask + 1;
    }

    /** {@return the position of the oldest request that is not done} Positions are never reused. */
    public final long first() {
        return done;
    }

    /** {@return the position after the latest request} */
    public final long end() {
        return done + outstanding;
    }

    /**
     * {@return the slot of a request}
     *
     * @param position its position
     */
    protected final int slot(long position) {
        return (int) position & mask;
    }

    /** {@return whether a slot is free} */
    public final boolean hasRoom() {
        return done + outstanding < limit || free();
    }

    /** Frees the slots of requests whose completions have been polled; returns whether a slot is free. */
    private boolean free() {
        if (polled == done) {
            // no request that is done has a completion that has not been polled
            return false;
        }
        long last = sendCq.polled();
        if (!freeAll(last)) {
            freeRuns(last);
        }
        return done + outstanding < limit;
    }

    /** Frees the slots of all requests that are done if the completion of the latest one is not after {@code last}. */
    private boolean freeAll(long last) {
        boolean free = shift != UNSIGNALED && done - 1 + shift <= last;
        if (free) {
            limit = done + slots();
            polled = done;
            firstRun = endRun;
        }
        return free;
    }

    /** Frees slots run by run, the oldest first, up to the first completion that has not been polled. */
    private void freeRuns(long last) {
        while (polled < done) {
            boolean closed = firstRun != endRun;
            int at = 2 * (firstRun & mask);
            long end = closed ? runs[at] : done;
            long offset = closed ? runs[at + 1] : shift;
            if (offset != UNSIGNALED) {
                long next = Math.min(end, last - offset + 1);
                if (next <= polled) {
                    return;
                }
                limit = next + slots();
                polled = next;
                if (next < end) {
                    return;
                }
            }
            polled = end;
            if (closed) {
                firstRun++;
            }
        }
    }

    /**
     * {@return the number of the oldest completion that must be polled before slots become free, {@link #NO_COMPLETION}
     * for none} Exact if {@link #hasRoom()} has just returned false.
     */
    public final long oldestUnpolled() {
        if (polled == done) {
            return NO_COMPLETION;
        }
        long offset = firstRun == endRun ? shift : runs[2 * (firstRun & mask) + 1];
        return offset == UNSIGNALED ? NO_COMPLETION : polled + offset;
    }

    /** Counts a request that was written to the slot after the latest request's. A slot is free. */
    protected final void add() {
        outstanding++;
    }

    /**
     * Adds a request that is already done. All other requests are done, and a slot is free.
     *
     * @param completion the number of its completion, or {@link #NO_COMPLETION}
     */
    public final void appendDone(long completion) {
        continueRun(completion);
        done++;
    }

    /**
     * Marks the oldest request as done.
     *
     * @param completion the number of its completion, or {@link #NO_COMPLETION}
     */
    protected final void finishOldest(long completion) {
        continueRun(completion);
        done++;
        outstanding--;
    }

    /** Makes the open run one that the next request to be done belongs to. */
    private void continueRun(long completion) {
        long next = completion == NO_COMPLETION ? UNSIGNALED : completion - done;
        if (next != shift) {
            startRun(next);
        }
    }

    private void startRun(long next) {
        // with many queue pairs in turn, each request starts a run, and those before it were polled long ago
        if (polled != done && !freeAll(sendCq.polledAtLeast())) {
            int at = 2 * (endRun & mask);
            runs[at] = done;
            runs[at + 1] = shift;
            endRun++;
        }
        shift = next;
    }

    /** Removes all requests. All slots are free then; the completions of the requests have been removed before. */
    protected final void removeAll() {
        done += outstanding;
        outstanding = 0;
        limit = done + slots();
        polled = done;
        firstRun = endRun;
    }
}
