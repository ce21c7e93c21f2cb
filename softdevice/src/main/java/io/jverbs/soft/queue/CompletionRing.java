package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The fields that both sides read and that are rarely written. */
abstract class CompletionRingMemory {
    final SpinLock putLock = new SpinLock();
    /** Replaced under the put lock, by {@link CompletionRing#resize}. */
    @SuppressWarnings("unused")
    long[] entries;
    /** {@link CompletionRing#remove} may have moved entries at positions before this one; guarded as it says. */
    volatile long movedEnd;
}

/** Padding: keeps the fields that the poll side writes on cache lines of their own. */
@SuppressWarnings("unused")
abstract class CompletionRingPadPoll extends CompletionRingMemory {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}

/** The fields that the poll side writes. */
abstract class CompletionRingPoll extends CompletionRingPadPoll {
    /** The position of the next entry to be polled: the number of entries ever polled or removed. */
    @SuppressWarnings("unused")
    long taken;
    /** How many polls of virtual threads have found the ring empty. Some are lost if several threads poll. */
    private int emptyPolls;

    /** Counts a poll of a virtual thread that has found the ring empty; returns the number of such polls. */
    final int countEmptyPoll() {
        return ++emptyPolls;
    }
}

/** Padding: keeps the fields that the put side writes on cache lines of their own. */
@SuppressWarnings("unused")
abstract class CompletionRingPadPut extends CompletionRingPoll {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}

/** The fields that the put side writes; guarded by the put lock. */
abstract class CompletionRingPut extends CompletionRingPadPut {
    /** The number of entries ever added. */
    long put;
    /**
     * A past value of {@code taken}, so that {@code put} rarely reads the other side's cache line. Written with release
     * order, for {@link CompletionRing#polledAtLeast}.
     */
    long takenSeen;
}

/**
 * A ring of completions for any number of producers and consumers. Producers take a lock; consumers take none.
 *
 * <p>
 * An entry consists of the first 40 bytes of {@code ibv_wc} and a mark, which is the entry's position plus 1. The mark
 * is written last, with release order. Polling an empty ring reads the next entry's mark; a platform thread writes
 * nothing then, a virtual one counts the poll.
 *
 * <p>
 * The number of an entry counts all entries ever added. An entry is added at the position that its number says. When
 * entries of a queue pair are removed, those before them move to later positions and keep their numbers. So the numbers
 * that queue pairs have recorded stay valid, and adding and polling an entry need no number.
 *
 * <p>
 * An entry has the size of a cache line, but the array need not start at the beginning of one. Therefore the words of
 * an entry that both sides use are adjacent. The last 8 bytes of {@code ibv_wc} are always zero in this device and are
 * not stored. So three of eight possible alignments keep an entry in one cache line; the others spread it over two.
 */
final class CompletionRing extends CompletionRingPut {
    private static final int STRIDE_SHIFT = 3;
    /** Immediate data and QPN. */
    private static final int QP_NUMBER = 3;
    private static final int MARK = 5;
    /** A word that is written by {@link #prefetch} and never read. */
    private static final int UNUSED = 6;
    /** The number of an entry minus 1, if its position is before {@link #movedEnd}; otherwise it is the position. */
    private static final int NUMBER = 7;
    /** In place of a mark: the entry has been or is being moved, so a poll must read the ring again. */
    private static final long MOVED = Long.MAX_VALUE;
    private static final int STRIDE = 1 << STRIDE_SHIFT;
    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
    private static final VarHandle TAKEN;
    private static final VarHandle TAKEN_SEEN;
    private static final VarHandle ENTRIES;

    static {
        try {
            TAKEN = MethodHandles.lookup().findVarHandle(CompletionRingPoll.class, "taken", long.class);
            TAKEN_SEEN = MethodHandles.lookup().findVarHandle(CompletionRingPut.class, "takenSeen", long.class);
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

    /** The lock of the producers. */
    SpinLock putLock() {
        return putLock;
    }

    int capacity() {
        return ((long[]) ENTRIES.getAcquire(this)).length >>> STRIDE_SHIFT;
    }

    /**
     * Prefetches the next entry for writing: a write beside its mark fetches the cache line from the polling thread's
     * core before the entry is added. Needs no lock.
     *
     * @param exclusive whether no other thread adds entries: then the entry's first word, which may be in another cache
     *        line, is written, too
     */
    void prefetch(boolean exclusive) {
        long[] ring = entries;
        long number = put;
        int at = (int) number << STRIDE_SHIFT & ring.length - 1;
        ring[at + UNUSED] = 0;
        if (exclusive && number - takenSeen < ring.length >>> STRIDE_SHIFT) {
            // the slot is free: a poll that is still copying it will fail to claim it
            ring[at] = 0;
        }
    }

    /** The number of entries ever added. Exact if the put lock is held or the caller is the only producer. */
    long added() {
        return put;
    }

    /** The number of the last entry before the next one to be polled: all up to it have been polled or removed. */
    long polled() {
        long position = (long) TAKEN.getAcquire(this);
        return position >= movedEnd ? position : polledOfMoved();
    }

    /** A number that {@link #polled} is not less than, from the fields of the put side. Needs no lock. */
    long polledAtLeast() {
        // acquired: if removed entries are included, the end of the entries that were moved then is read below
        long position = (long) TAKEN_SEEN.getAcquire(this);
        // the entries that are moved later have not been polled yet, so their numbers are greater
        return position >= movedEnd ? position : 0;
    }

    private long polledOfMoved() {
        while (true) {
            long position = (long) TAKEN.getAcquire(this);
            if (position >= movedEnd) {
                return position;
            }
            long[] ring = (long[]) ENTRIES.getAcquire(this);
            int mark = markOf(ring, position);
            if ((long) LONGS.getAcquire(ring, mark) == position + 1) {
                long number = (long) LONGS.getAcquire(ring, mark - MARK + NUMBER);
                // otherwise the word may be that of a later entry at the same place
                if (position == (long) TAKEN.getAcquire(this)) {
                    return number;
                }
            }
            Thread.onSpinWait();
        }
    }

    /** The {@code wr_id} of the n-th entry ever added, counted from 1; undefined once it has been polled or removed. */
    long wrId(long n) {
        long position = Math.max(n - 1, (long) TAKEN.getAcquire(this));
        long end = movedEnd;
        long[] ring = (long[]) ENTRIES.getAcquire(this);
        while (position < end && ring[markOf(ring, position) - MARK + NUMBER] != n - 1) {
            position++;
        }
        return ring[markOf(ring, position) - MARK];
    }

    /**
     * Adds an entry; returns false if the ring is full. The caller holds the put lock or is the only producer, as
     * {@link CompletionQueueCore} asserts.
     *
     * @param receives the receive ring of the completed request, which records the entry's number before the entry can
     *        be polled; null if there is none
     */
    boolean put(long wrId, int status, int opcode, int byteLength, int immediate, int qpNumber, int sourceQp,
            int flags, ReceiveRing receives) {
        long[] ring = entries;
        long number = put;
        int capacity = ring.length >>> STRIDE_SHIFT;
        if (number - takenSeen >= capacity) {
            TAKEN_SEEN.setRelease(this, (long) TAKEN.getAcquire(this));
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
        if (receives != null) {
            receives.completed(number + 1);
        }
        LONGS.setRelease(ring, at + MARK, number + 1);
        put = number + 1;
        return true;
    }

    /**
     * Moves at most {@code max} entries to the start of {@code memory}; returns their number. Entries are copied first
     * and then claimed by one compare-and-set; no producer overwrites an entry before it is claimed.
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
            // another thread has polled meanwhile
        }
    }

    /**
     * Copies the entries after the first; returns the number of entries including the first. This loop is a method of
     * its own so that the code for a single entry has no loop.
     */
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

    /** Copies an entry. A layout without alignment, so that each access has one check less. */
    private static void copy(long[] ring, int mark, MemorySegment memory, long to) {
        int from = mark - MARK;
        memory.set(JAVA_LONG_UNALIGNED, to, ring[from]);
        memory.set(JAVA_LONG_UNALIGNED, to + 8, ring[from + 1]);
        memory.set(JAVA_LONG_UNALIGNED, to + 16, ring[from + 2]);
        memory.set(JAVA_LONG_UNALIGNED, to + 24, ring[from + 3]);
        memory.set(JAVA_LONG_UNALIGNED, to + 32, ring[from + 4]);
        memory.set(JAVA_LONG_UNALIGNED, to + 40, 0);
    }

    private static int markOf(long[] ring, long number) {
        return (int) number << STRIDE_SHIFT & ring.length - 1 | MARK;
    }

    /**
     * Changes the capacity and keeps the entries; returns false if the ring holds more entries than requested.
     * Concurrent polls find the entries in the old and in the new array.
     */
    boolean resize(int capacity, int requested) {
        putLock.lock();
        try {
            long from = (long) TAKEN.getAcquire(this);
            if (put - from > requested) {
                return false;
            }
            long[] ring = entries;
            long[] resized = new long[capacity << STRIDE_SHIFT];
            for (long number = from; number < put; number++) {
                System.arraycopy(ring, markOf(ring, number) - MARK, resized, markOf(resized, number) - MARK, STRIDE);
            }
            ENTRIES.setRelease(this, resized);
            TAKEN_SEEN.setRelease(this, from);
            // a poll that still reads the former array must not find entries that were added or moved since
            for (int mark = MARK; mark < ring.length; mark += STRIDE) {
                LONGS.setRelease(ring, mark, MOVED);
            }
            return true;
        } finally {
            putLock.unlock();
        }
    }

    /**
     * Removes the entries of a queue pair. The entries before them move up to the places that become free, as in
     * mlx5_cq_clean() of Linux: so the position of the next entry that is added does not change. No other thread adds
     * entries meanwhile. Concurrent polls return an entry before it is moved, or wait until all are moved.
     */
    void remove(int qpNumber) {
        long[] ring = entries;
        long end = put;
        long first = (long) TAKEN.getAcquire(this);
        if (count(ring, first, end, qpNumber) == 0) {
            return;
        }
        // from here to the end, nothing throws: polls would wait forever
        for (long position = first; position < end; position++) {
            LONGS.setRelease(ring, markOf(ring, position), MOVED);
        }
        long formerEnd = movedEnd;
        movedEnd = end;
        long from;
        do {
            // a poll that has copied entries before may still claim them
            from = (long) TAKEN.getAcquire(this);
        } while (!TAKEN.compareAndSet(this, from, from + count(ring, from, end, qpNumber)));
        long to = end;
        for (long position = end - 1; position >= from; position--) {
            if (!isOf(ring, position, qpNumber)) {
                to--;
                move(ring, position, to, formerEnd);
            }
        }
        for (long position = first; position < end; position++) {
            LONGS.setRelease(ring, markOf(ring, position), position + 1);
        }
    }

    private static long count(long[] ring, long from, long end, int qpNumber) {
        long count = 0;
        for (long position = from; position < end; position++) {
            count += isOf(ring, position, qpNumber) ? 1 : 0;
        }
        return count;
    }

    private static boolean isOf(long[] ring, long position, int qpNumber) {
        return Words.second(ring[markOf(ring, position) - MARK + QP_NUMBER]) == qpNumber;
    }

    private static void move(long[] ring, long position, long to, long formerEnd) {
        int source = markOf(ring, position) - MARK;
        int target = markOf(ring, to) - MARK;
        long number = position < formerEnd ? ring[source + NUMBER] : position;
        for (int i = 0; i < MARK; i++) {
            ring[target + i] = ring[source + i];
        }
        LONGS.setRelease(ring, target + NUMBER, number);
    }

    /** The number of entries that have not been polled; exact only while no thread adds or polls entries. */
    long size() {
        putLock.lock();
        long size = put - (long) TAKEN.getAcquire(this);
        putLock.unlock();
        return size;
    }
}
