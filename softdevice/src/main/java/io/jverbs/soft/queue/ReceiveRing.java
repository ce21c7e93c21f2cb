package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jverbs.spi.RecvWrLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The fields that both sides read and only a resize writes. */
abstract class ReceiveRingMemory {
    final SpinLock postLock = new SpinLock();
    final int maxSge;
    final int stride;
    /** Replaced while the locks of both sides are held. */
    long[] slots;
    int mask;

    ReceiveRingMemory(int capacity, int maxSge, int header) {
        this.maxSge = maxSge;
        this.stride = header + 2 * maxSge;
        this.slots = new long[capacity * stride];
        this.mask = capacity - 1;
    }
}

/** Padding: keeps the fields that the take side writes on cache lines of their own. */
@SuppressWarnings("unused")
abstract class ReceiveRingPadTake extends ReceiveRingMemory {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    ReceiveRingPadTake(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/** The fields that the take side writes. */
abstract class ReceiveRingTake extends ReceiveRingPadTake {
    /** The number of requests ever taken; written with release order by the thread that holds the takers' lock. */
    @SuppressWarnings("unused")
    long taken;
    /** A past value of {@code posted}, so that a taker rarely reads the other side's cache line. */
    long postedSeen;
    /** The number of requests whose completion numbers are recorded: {@code taken}, or one more. */
    @SuppressWarnings("unused")
    long recorded;
    /** For the latest run, the completion number of a request minus the number of requests before it. */
    long shift = Long.MIN_VALUE;
    /** The number of runs ever started; written with release order. */
    @SuppressWarnings("unused")
    long runCount;

    ReceiveRingTake(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/** Padding: keeps the fields that the post side writes on cache lines of their own. */
@SuppressWarnings("unused")
abstract class ReceiveRingPadPost extends ReceiveRingTake {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    ReceiveRingPadPost(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/** The fields that the post side writes. */
abstract class ReceiveRingPost extends ReceiveRingPadPost {
    /** The number of requests ever posted; written with release order under the post lock. */
    @SuppressWarnings("unused")
    long posted;
    /** The slots of all requests before this one are free. Lets a post rarely read the other side's cache line. */
    long freed;
    /** The run of the request before {@code freed}, or a run before that. */
    long freedRun;

    ReceiveRingPost(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/**
 * A ring of receive requests: the receive queue of a queue pair or of a shared receive queue.
 *
 * <p>
 * Posting is guarded by the post lock and never waits for a taker. Taking is guarded by a lock outside this class: the
 * responder's lock, or the take lock of a shared receive queue. A taker first loads the oldest request and in a second
 * step marks it as taken; so a request that cannot hold a message stays in the ring.
 *
 * <p>
 * The slot of a request becomes free when its completion has been polled, or removed by RESET. In the ring of a shared
 * receive queue, whose requests complete in the completion queues of many queue pairs, the slot becomes free when the
 * request is taken.
 *
 * <p>
 * Therefore the taker records the number of each completion before it can be polled, as runs: in a run, the completions
 * were added to the completion queue one directly after the other, so that the number of a completion and that of its
 * request differ by the same amount. So a taker that does not share the completion queue writes no memory that the post
 * side reads, except its counters. Each run after the one of the last free slot has a request whose slot is not free,
 * so there are no more such runs than slots. A completion that was lost has the number of the last one that was added.
 */
public final class ReceiveRing extends ReceiveRingPost {
    /** The result of {@link #oldest} if the ring is empty. */
    public static final int NONE = -1;
    private static final int HEADER = 2;
    private static final VarHandle TAKEN;
    private static final VarHandle POSTED;
    private static final VarHandle RECORDED;
    private static final VarHandle RUN_COUNT;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(ReceiveRingTake.class, "taken", long.class);
            POSTED = MethodHandles.lookup().findVarHandle(ReceiveRingPost.class, "posted", long.class);
            RECORDED = MethodHandles.lookup().findVarHandle(ReceiveRingTake.class, "recorded", long.class);
            RUN_COUNT = MethodHandles.lookup().findVarHandle(ReceiveRingTake.class, "runCount", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CompletionQueueCore cq;
    /** A ring of runs: for each, the low bits of the number of requests taken before its first one. */
    private final int[] runStarts;
    /** A ring of runs: the shift of each. */
    private final long[] runShifts;
    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    /**
     * Makes the ring of a shared receive queue.
     *
     * @param capacity the number of requests that fit, a power of two, or 0
     * @param maxSge the maximum number of scatter elements of a request
     */
    public ReceiveRing(int capacity, int maxSge) {
        super(capacity, maxSge, HEADER);
        this.cq = null;
        this.runStarts = null;
        this.runShifts = null;
    }

    /**
     * Makes the ring of one queue pair.
     *
     * @param capacity the number of requests that fit, a power of two, or 0
     * @param maxSge the maximum number of scatter elements of a request
     * @param cq the completion queue of all requests: each request has one completion, in the order of the requests
     */
    public ReceiveRing(int capacity, int maxSge, CompletionQueueCore cq) {
        super(capacity, maxSge, HEADER);
        this.cq = cq;
        this.runStarts = new int[Math.max(capacity, 1)];
        this.runShifts = new long[Math.max(capacity, 1)];
    }

    /** {@return the lock under which requests are posted} */
    public SpinLock postLock() {
        return postLock;
    }

    /** {@return the number of requests that fit} */
    public int capacity() {
        return mask + 1;
    }

    /** {@return the maximum number of scatter elements of a request} */
    public int maxSge() {
        return maxSge;
    }

    /**
     * Adds a request. The caller holds the post lock.
     *
     * @param memory an {@code ibv_recv_wr}, followed by its scatter elements
     * @return 0, ENOMEM if the ring is full, or EINVAL if the request has too many scatter elements
     */
    public int post(MemorySegment memory) {
        assert postLock.isHeldByCurrentThread();
        // long words in a layout without alignment, and before a call, so that the JIT checks the segment once
        int count = Words.first(memory.get(JAVA_LONG_UNALIGNED, RecvWrLayout.NUM_SGE));
        if (count > maxSge) {
            return ErrnoCode.EINVAL;
        }
        long wrId = memory.get(JAVA_LONG_UNALIGNED, RecvWrLayout.WR_ID);
        long address = 0;
        long lengthKey = 0;
        if (count == 1) {
            address = memory.get(JAVA_LONG_UNALIGNED, RecvWrLayout.SIZE);
            lengthKey = memory.get(JAVA_LONG_UNALIGNED, RecvWrLayout.SIZE + Long.BYTES);
        }
        long number = posted;
        if (number - freed > mask && !free(number)) {
            return ErrnoCode.ENOMEM;
        }
        long[] ring = slots;
        int at = ((int) number & mask) * stride;
        ring[at] = wrId;
        ring[at + 1] = count;
        if (count == 1) {
            ring[at + HEADER] = address;
            ring[at + HEADER + 1] = lengthKey;
        } else {
            postElements(memory, count, ring, at + HEADER);
        }
        POSTED.setRelease(this, number + 1);
        return 0;
    }

    /** Frees the slots that can be freed; returns whether a slot is free. */
    private boolean free(long number) {
        if (cq == null) {
            freed = (long) TAKEN.getAcquire(this);
        } else {
            freePolled();
        }
        return number - freed <= mask;
    }

    /**
     * Frees the slots of requests whose completions have been polled, run by run. A thread that has polled a completion
     * sees its number here, although the request may not be counted as taken yet.
     */
    private void freePolled() {
        long polled = cq.polled();
        long end = (long) RECORDED.getAcquire(this);
        // read after the number of requests, so that the runs include all of them
        long count = (long) RUN_COUNT.getAcquire(this);
        while (freed < end) {
            while (freedRun + 1 < count && untilRun(freedRun + 1) <= 0) {
                freedRun++;
            }
            long runEnd = freedRun + 1 < count ? Math.min(freed + untilRun(freedRun + 1), end) : end;
            long next = Math.min(runEnd, polled - runShifts[runAt(freedRun)] + 1);
            if (next > freed) {
                freed = next;
            }
            if (next < runEnd) {
                return;
            }
        }
    }

    /** Returns the number of requests from {@link #freed} to the first one of a run; not positive if it is before. */
    private int untilRun(long run) {
        return runStarts[runAt(run)] - (int) freed;
    }

    private int runAt(long run) {
        return (int) run & runStarts.length - 1;
    }

    /** Records the number of the oldest request's completion, before it can be polled. Called by the taker. */
    void completed(long completion) {
        long number = taken;
        if (completion - number != shift) {
            startRun(number, completion - number);
        }
        RECORDED.setRelease(this, number + 1);
    }

    private void startRun(long first, long next) {
        long run = runCount;
        if (run != 0 && runStarts[runAt(run - 1)] == (int) first) {
            // the addition of the completion ended with an Error, and is tried again
            run--;
        }
        runStarts[runAt(run)] = (int) first;
        runShifts[runAt(run)] = next;
        RUN_COUNT.setRelease(this, run + 1);
        // last: if an Error is thrown before, the next completion starts the run again
        shift = next;
    }

    private static void postElements(MemorySegment memory, int count, long[] ring, int at) {
        for (int i = 0; i < 2 * count; i++) {
            ring[at + i] = memory.get(JAVA_LONG, RecvWrLayout.SIZE + i * Long.BYTES);
        }
    }

    /**
     * Copies the oldest request, which stays in the ring until {@link #taken()} is called. Called by the taker.
     *
     * @param into receives the copy
     * @return false if the ring is empty
     */
    public boolean load(ReceiveWqe into) {
        if (oldest() == NONE) {
            return false;
        }
        if (!isLoaded(into)) {
            copy(taken, into);
        }
        return true;
    }

    /**
     * {@return whether a copy is that of the oldest request} Called by the taker.
     *
     * @param copy the copy
     */
    public boolean isLoaded(ReceiveWqe copy) {
        return copy.number == taken;
    }

    /**
     * {@return the place of the oldest request, as an argument for the methods below, or {@link #NONE}} Called by the
     * taker. The request stays at its place until {@link #taken()} is called.
     */
    public int oldest() {
        long number = taken;
        if (number >= postedSeen) {
            postedSeen = (long) POSTED.getAcquire(this);
            if (number == postedSeen) {
                return NONE;
            }
        }
        return ((int) number & mask) * stride;
    }

    /**
     * {@return the {@code wr_id} of a request}
     *
     * @param at its place
     */
    public long wrId(int at) {
        return slots[at];
    }

    /**
     * {@return whether a request has exactly one scatter element}
     *
     * @param at its place
     */
    public boolean hasOneSge(int at) {
        return slots[at + 1] == 1;
    }

    /**
     * {@return the address of a request's first scatter element}
     *
     * @param at its place
     */
    public long firstAddress(int at) {
        return slots[at + HEADER];
    }

    /**
     * {@return the length and the lkey of a request's first scatter element, as in {@code ibv_sge}}
     *
     * @param at its place
     */
    public long firstLengthKey(int at) {
        return slots[at + HEADER + 1];
    }

    /**
     * Copies the oldest request in advance, if an earlier call has seen that one is posted. Called by the taker.
     *
     * @param into receives the copy
     */
    public void prepare(ReceiveWqe into) {
        long number = taken;
        if (number < postedSeen) {
            copy(number, into);
        }
    }

    private void copy(long number, ReceiveWqe into) {
        into.number = number;
        long[] ring = slots;
        int at = ((int) number & mask) * stride;
        into.wrId = ring[at];
        int count = (int) ring[at + 1];
        into.sgeCount = count;
        long[] elements = into.elements;
        if (count == 1) {
            elements[0] = ring[at + HEADER];
            elements[1] = ring[at + HEADER + 1];
        } else {
            System.arraycopy(ring, at + HEADER, elements, 0, 2 * count);
        }
    }

    /** {@return whether the ring has no request that is not taken} */
    public boolean isEmpty() {
        return taken == (long) POSTED.getAcquire(this);
    }

    /**
     * Marks the oldest request as taken. In the ring of a queue pair, the completion of the request has been added
     * before. Called by the taker.
     */
    public void taken() {
        TAKEN.setRelease(this, taken + 1);
    }

    /** {@return the number of requests that are posted and not taken} */
    public long size() {
        return (long) POSTED.getAcquire(this) - (long) TAKEN.getAcquire(this);
    }

    /**
     * {@return the number of requests that are posted and not taken, or a part of it} Called by the taker. Does not
     * read the other side's cache line if an earlier call has seen enough requests.
     *
     * @param enough if the result is less, it is exact
     */
    public long available(int enough) {
        if (postedSeen - taken < enough) {
            postedSeen = (long) POSTED.getAcquire(this);
        }
        return postedSeen - taken;
    }

    /** Removes all requests. The caller holds the post lock and the takers' lock. */
    public void clear() {
        assert postLock.isHeldByCurrentThread();
        TAKEN.setRelease(this, posted);
        freed = posted;
        // no run before the latest one has a request whose slot is not free
        freedRun = Math.max(runCount - 1, 0);
    }

    /**
     * Changes the capacity and keeps the requests. The caller holds the post lock and the takers' lock.
     *
     * @param capacity the new capacity, a power of two
     */
    public void resize(int capacity) {
        assert postLock.isHeldByCurrentThread();
        long[] resized = new long[capacity * stride];
        for (long number = taken; number < posted; number++) {
            System.arraycopy(slots, ((int) number & mask) * stride, resized, ((int) number & capacity - 1) * stride,
                    stride);
        }
        slots = resized;
        mask = capacity - 1;
        freed = taken;
    }
}
