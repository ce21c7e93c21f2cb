package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What both sides read and only a resize writes. */
abstract class CompletionRingMemory {
    final SpinLock putLock = new SpinLock();
    /** Replaced under the put lock. */
    @SuppressWarnings("unused")
    long[] entries;
}

/** Keeps what the poll side writes on cache lines of its own. */
@SuppressWarnings("unused")
abstract class CompletionRingPadPoll extends CompletionRingMemory {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}

/** What the poll side writes. */
abstract class CompletionRingPoll extends CompletionRingPadPoll {
    /** How many entries were ever taken. */
    @SuppressWarnings("unused")
    long taken;
}

/** Keeps what the put side writes on cache lines of its own. */
@SuppressWarnings("unused")
abstract class CompletionRingPadPut extends CompletionRingPoll {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}

/** What the put side writes; guarded by the put lock. */
abstract class CompletionRingPut extends CompletionRingPadPut {
    long put;
    /** A past value of {@code taken}, so that a put rarely reads the other side's cache line. */
    long takenSeen;
}

/**
 * A ring of completions with any number of producers and consumers. An entry is the first 40 bytes of {@code ibv_wc} and a mark,
 * the entry's number plus 1, written last with release order: a poll of an empty ring reads the next entry's mark and writes
 * nothing. Who puts takes a lock; who polls takes none.
 *
 * <p>
 * Entries are as far apart as cache lines, but nobody can say where in a line an array begins. So what both sides need lies
 * close together, and the last 8 bytes of {@code ibv_wc}, always zero here, are not kept: three entries in eight are in one
 * line, the others in two.
 */
final class CompletionRing extends CompletionRingPut {
    private static final int STRIDE_SHIFT = 3;
    private static final int MARK = 5;
    /** Never read. */
    private static final int UNUSED = 6;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TAKEN;
    private static final VarHandle ENTRIES;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(CompletionRingPoll.class, "taken", long.class);
            ENTRIES = MethodHandles.lookup().findVarHandle(CompletionRingMemory.class, "entries", long[].class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long q0, q1, q2, q3, q4, q5, q6, q7;

    CompletionRing(int capacity) {
        entries = new long[capacity << STRIDE_SHIFT];
    }

    /** Exclusive right to add entries. */
    SpinLock putLock() {
        return putLock;
    }

    int capacity() {
        return ((long[]) ENTRIES.getAcquire(this)).length >>> STRIDE_SHIFT;
    }

    /**
     * Writes beside the next entry's mark, for who will add that entry in a moment: the cache line is on its way then, from who
     * polls. Needs no lock.
     *
     * @param exclusive nobody else adds entries: then the entry's first word is written too, which may be in another line
     */
    void approach(boolean exclusive) {
        long[] ring = entries;
        long number = put;
        int at = (int) number << STRIDE_SHIFT & ring.length - 1;
        ring[at + UNUSED] = 0;
        if (exclusive && number - takenSeen < ring.length >>> STRIDE_SHIFT) {
            // its place is free: who still copies what was there does so in vain
            ring[at] = 0;
        }
    }

    /** Adds an entry, the put lock held; false if the ring is full. */
    boolean put(long wrId, int status, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp,
            int flags) {
        long[] ring = entries;
        long number = put;
        int capacity = ring.length >>> STRIDE_SHIFT;
        if (number - takenSeen >= capacity) {
            takenSeen = (long) TAKEN.getAcquire(this);
            if (number - takenSeen >= capacity) {
                return false;
            }
        }
        int at = ((int) number & capacity - 1) << STRIDE_SHIFT;
        ring[at] = wrId;
        ring[at + 1] = Words.of(status, opcode);
        ring[at + 2] = Words.of(0, byteLength);
        ring[at + 3] = Words.of(immediate, qpNumber);
        ring[at + 4] = Words.of(sourceQp, flags);
        LONGS.setRelease(ring, at + MARK, number + 1);
        put = number + 1;
        return true;
    }

    /**
     * Moves at most max entries to the start of the memory; returns how many. Entries are copied first and claimed then, by one
     * compare-and-set: as long as nobody has claimed them, nothing overwrites them.
     */
    int poll(MemorySegment memory, int max) {
        while (true) {
            long[] ring = (long[]) ENTRIES.getAcquire(this);
            long number = (long) TAKEN.getAcquire(this);
            int mark = markOf(ring, number);
            long marked = (long) LONGS.getAcquire(ring, mark);
            if (max == 0 || marked <= number) {
                return 0;
            }
            if (marked == number + 1) {
                copy(ring, mark, memory, 0);
                int count = max == 1 ? 1 : copyMore(ring, number, memory, max);
                if (TAKEN.compareAndSet(this, number, number + count)) {
                    return count;
                }
            }
            // others have polled meanwhile
        }
    }

    /** Copies what follows the first entry; a loop of its own, so that the code for a single one is straight. Returns how many in all. */
    private static int copyMore(long[] ring, long first, MemorySegment memory, int max) {
        int count = 1;
        int mark = markOf(ring, first + 1);
        while (count < max && (long) LONGS.getAcquire(ring, mark) == first + count + 1) {
            copy(ring, mark, memory, count * WcLayout.SIZE);
            count++;
            mark = markOf(ring, first + count);
        }
        return count;
    }

    private static void copy(long[] ring, int mark, MemorySegment memory, long to) {
        int from = mark - MARK;
        memory.set(JAVA_LONG, to, ring[from]);
        memory.set(JAVA_LONG, to + 8, ring[from + 1]);
        memory.set(JAVA_LONG, to + 16, ring[from + 2]);
        memory.set(JAVA_LONG, to + 24, ring[from + 3]);
        memory.set(JAVA_LONG, to + 32, ring[from + 4]);
        memory.set(JAVA_LONG, to + 40, 0);
    }

    private static int markOf(long[] ring, long number) {
        return (int) number << STRIDE_SHIFT & ring.length - 1 | MARK;
    }

    /** Changes the capacity and keeps the entries; false if they do not fit. Whoever polls meanwhile finds them in either place. */
    boolean resize(int capacity, int least) {
        putLock.lock();
        try {
            long from = (long) TAKEN.getAcquire(this);
            if (put - from > least) {
                return false;
            }
            long[] ring = entries;
            long[] resized = new long[capacity << STRIDE_SHIFT];
            for (long number = from; number < put; number++) {
                System.arraycopy(ring, markOf(ring, number) - MARK, resized, markOf(resized, number) - MARK, MARK + 1);
            }
            ENTRIES.setRelease(this, resized);
            takenSeen = from;
            return true;
        } finally {
            putLock.unlock();
        }
    }

    /** How many entries wait to be polled; exact only when nobody puts or polls. */
    long size() {
        putLock.lock();
        long size = put - (long) TAKEN.getAcquire(this);
        putLock.unlock();
        return size;
    }
}
