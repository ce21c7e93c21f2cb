package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.RecvWrLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What both sides read and nobody writes in normal operation. */
abstract class ReceiveRingMemory {
    final SpinLock postLock = new SpinLock();
    final int maxSge;
    final int stride;
    /** Replaced under both sides' locks. */
    long[] slots;
    int mask;

    ReceiveRingMemory(int capacity, int maxSge, int header) {
        this.maxSge = maxSge;
        this.stride = header + 2 * maxSge;
        this.slots = new long[capacity * stride];
        this.mask = capacity - 1;
    }
}

/** Keeps what the take side writes on cache lines of its own. */
@SuppressWarnings("unused")
abstract class ReceiveRingPadTake extends ReceiveRingMemory {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    ReceiveRingPadTake(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/** What the take side writes. */
abstract class ReceiveRingTake extends ReceiveRingPadTake {
    /** How many requests were ever taken; written with release order by the one taker of the moment. */
    @SuppressWarnings("unused")
    long taken;
    /** A past value of {@code posted}, so that a take rarely reads the other side's cache line. */
    long postedSeen;

    ReceiveRingTake(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/** Keeps what the post side writes on cache lines of its own. */
@SuppressWarnings("unused")
abstract class ReceiveRingPadPost extends ReceiveRingTake {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;

    ReceiveRingPadPost(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/** What the post side writes. */
abstract class ReceiveRingPost extends ReceiveRingPadPost {
    @SuppressWarnings("unused")
    long posted;
    /** A past value of {@code taken}, so that a post rarely reads the other side's cache line. */
    long takenSeen;

    ReceiveRingPost(int capacity, int maxSge, int header) {
        super(capacity, maxSge, header);
    }
}

/**
 * A ring of receive requests. Posting has a lock of its own and never waits for a taker; who takes is exclusive by a lock
 * outside this class (the responder's, or a shared queue's take lock), except that a request is loaded first and counted as
 * taken in a second step, so that a message that turns out not to fit leaves it in place.
 */
public final class ReceiveRing extends ReceiveRingPost {
    private static final int HEADER = 2;
    private static final VarHandle TAKEN;
    private static final VarHandle POSTED;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(ReceiveRingTake.class, "taken", long.class);
            POSTED = MethodHandles.lookup().findVarHandle(ReceiveRingPost.class, "posted", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    /**
     * @param capacity how many requests fit, a power of two, or 0
     * @param maxSge how many elements each may have
     */
    public ReceiveRing(int capacity, int maxSge) {
        super(capacity, maxSge, HEADER);
    }

    /** {@return the exclusive right to post} */
    public SpinLock postLock() {
        return postLock;
    }

    /** {@return how many requests fit} */
    public int capacity() {
        return mask + 1;
    }

    /** {@return how many elements each may have} */
    public int maxSge() {
        return maxSge;
    }

    /**
     * Adds a request, the post lock held.
     *
     * @param memory an {@code ibv_recv_wr} with its elements behind it
     * @return 0, ENOMEM if the ring is full, or EINVAL if the request has too many elements
     */
    public int post(MemorySegment memory) {
        int count = memory.get(JAVA_INT, RecvWrLayout.NUM_SGE);
        if (count > maxSge) {
            return ErrnoCode.EINVAL;
        }
        long number = posted;
        if (number - takenSeen > mask) {
            takenSeen = (long) TAKEN.getAcquire(this);
            if (number - takenSeen > mask) {
                return ErrnoCode.ENOMEM;
            }
        }
        long[] ring = slots;
        int at = ((int) number & mask) * stride;
        ring[at] = memory.get(JAVA_LONG, RecvWrLayout.WR_ID);
        ring[at + 1] = count;
        if (count == 1) {
            ring[at + HEADER] = memory.get(JAVA_LONG, RecvWrLayout.SIZE);
            ring[at + HEADER + 1] = memory.get(JAVA_LONG, RecvWrLayout.SIZE + Long.BYTES);
        } else {
            postElements(memory, count, ring, at + HEADER);
        }
        POSTED.setRelease(this, number + 1);
        return 0;
    }

    private static void postElements(MemorySegment memory, int count, long[] ring, int at) {
        for (int i = 0; i < 2 * count; i++) {
            ring[at + i] = memory.get(JAVA_LONG, RecvWrLayout.SIZE + i * Long.BYTES);
        }
    }

    /**
     * Copies the oldest request, which stays in the ring until {@link #taken()}.
     *
     * @param into filled
     * @return false if there is none
     */
    public boolean load(ReceiveWqe into) {
        long number = taken;
        if (number >= postedSeen) {
            postedSeen = (long) POSTED.getAcquire(this);
            if (number == postedSeen) {
                return false;
            }
        }
        if (into.number != number) {
            copy(number, into);
        }
        return true;
    }

    /**
     * Copies the oldest request if it was seen to be there; for when there is time.
     *
     * @param into filled
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

    /** {@return whether there is no request} */
    public boolean isEmpty() {
        return taken == (long) POSTED.getAcquire(this);
    }

    /** Frees the place of the request that was loaded. */
    public void taken() {
        TAKEN.setRelease(this, taken + 1);
    }

    /** {@return how many requests are posted and not taken} */
    public long size() {
        return (long) POSTED.getAcquire(this) - (long) TAKEN.getAcquire(this);
    }

    /** Drops all requests; the caller holds the post lock and is the taker. */
    public void clear() {
        TAKEN.setRelease(this, posted);
    }

    /**
     * Changes the capacity and keeps the requests; the caller holds the post lock and is the taker.
     *
     * @param capacity the new capacity, a power of two
     */
    public void resize(int capacity) {
        long[] resized = new long[capacity * stride];
        for (long number = taken; number < posted; number++) {
            System.arraycopy(slots, ((int) number & mask) * stride, resized, ((int) number & capacity - 1) * stride,
                    stride);
        }
        slots = resized;
        mask = capacity - 1;
        takenSeen = taken;
    }
}
