package io.jverbs.soft.queue;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.WcLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The fields that both sides read and only {@link CompletionRing#resize} writes. */
abstract class CompletionRingMemory {
    final SpinLock putLock = new SpinLock();
    /** Replaced under the put lock. */
    @SuppressWarnings("unused")
    long[] entries;
}

/** Padding: keeps the fields that the poll side writes on cache lines of their own. */
@SuppressWarnings("unused")
abstract class CompletionRingPadPoll extends CompletionRingMemory {
    private long p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, p12, p13, p14, p15;
}

/** The field that the poll side writes. */
abstract class CompletionRingPoll extends CompletionRingPadPoll {
    /** The number of entries ever polled. */
    @SuppressWarnings("unused")
    long taken;
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
    /** A past value of {@code taken}, so that {@code put} rarely reads the other side's cache line. */
    long takenSeen;
}

/**
 * A ring of completions for any number of producers and consumers. Producers take a lock; consumers take none.
 *
 * <p>
 * An entry consists of the first 40 bytes of {@code ibv_wc} and a mark, which is the entry's number plus 1. The mark is
 * written last, with release order. Polling an empty ring reads the next entry's mark and writes nothing.
 *
 * <p>
 * An entry has the size of a cache line, but the array need not start at the beginning of one. Therefore the words of
 * an entry that both sides use are adjacent. The last 8 bytes of {@code ibv_wc} are always zero in this device and are
 * not stored. So three of eight possible alignments keep an entry in one cache line; the others spread it over two.
 */
final class CompletionRing extends CompletionRingPut {
    private static final int STRIDE_SHIFT = 3;
    private static final int MARK = 5;
    /** A word that is written by {@link #prefetch} and never read. */
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

    /** The number of entries ever polled. */
    long polled() {
        return (long) TAKEN.getAcquire(this);
    }

    /** The {@code wr_id} of the n-th entry ever added, counted from 1; undefined once the entry has been polled. */
    long wrId(long n) {
        long[] ring = (long[]) ENTRIES.getAcquire(this);
        return ring[markOf(ring, n - 1) - MARK];
    }

    /**
     * Adds an entry; returns false if the ring is full. The caller holds the put lock or is the only producer.
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
                System.arraycopy(ring, markOf(ring, number) - MARK, resized, markOf(resized, number) - MARK, MARK + 1);
            }
            ENTRIES.setRelease(this, resized);
            takenSeen = from;
            return true;
        } finally {
            putLock.unlock();
        }
    }

    /** The number of entries that have not been polled; exact only while no thread adds or polls entries. */
    long size() {
        putLock.lock();
        long size = put - (long) TAKEN.getAcquire(this);
        putLock.unlock();
        return size;
    }
}
