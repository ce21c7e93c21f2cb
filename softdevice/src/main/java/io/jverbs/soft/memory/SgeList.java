package io.jverbs.soft.memory;

import io.jverbs.soft.queue.Words;
import java.lang.foreign.MemorySegment;

/** A scatter/gather list with its keys looked up: pieces of memory that may be accessed until the lock at hand is released. */
public final class SgeList {
    private final MemorySegment[] segments;
    private final long[] offsets;
    private final long[] lengths;
    private int count;
    private long total;

    /**
     * @param max how many pieces there can be
     */
    public SgeList(int max) {
        segments = new MemorySegment[max];
        offsets = new long[max];
        lengths = new long[max];
    }

    /**
     * Looks up the keys of a list of elements. Elements of no length are skipped unseen.
     *
     * @param regions the device's regions
     * @param domain the protection domain that the elements must belong to
     * @param needed the access bits they must grant
     * @param elements two words an element, as in {@code ibv_sge}
     * @param from where the first is
     * @param sgeCount how many there are
     * @param limit how many bytes will be touched: elements beyond are not looked at
     * @return false if an element may not be used so
     */
    public boolean resolve(Regions regions, Domain domain, int needed, long[] elements, int from, int sgeCount,
            long limit) {
        count = 0;
        total = 0;
        if (sgeCount == 1) {
            return resolveOne(regions, domain, needed, elements[from], elements[from + 1], limit);
        }
        for (int i = from; i < from + 2 * sgeCount && total < limit; i += 2) {
            if (!resolveOne(regions, domain, needed, elements[i], elements[i + 1], limit)) {
                return false;
            }
        }
        return true;
    }

    private boolean resolveOne(Regions regions, Domain domain, int needed, long address, long packed, long limit) {
        long length = Math.min(Words.firstUnsigned(packed), limit - total);
        if (length != 0) {
            KeyEntry entry = regions.find(Words.second(packed));
            if (entry == null || !entry.allowsLocal(domain, needed) || !entry.contains(address, length)) {
                return false;
            }
            add(entry.segment(), entry.offsetOf(address), length);
        }
        return true;
    }

    /**
     * {@return the sum of the lengths of a list of elements}
     *
     * @param elements two words an element, as in {@code ibv_sge}
     * @param from where the first is
     * @param sgeCount how many there are
     */
    public static long length(long[] elements, int from, int sgeCount) {
        if (sgeCount == 1) {
            return Words.firstUnsigned(elements[from + 1]);
        }
        long sum = 0;
        for (int i = from; i < from + 2 * sgeCount; i += 2) {
            sum += Words.firstUnsigned(elements[i + 1]);
        }
        return sum;
    }

    /** Empties the list. */
    public void clear() {
        count = 0;
        total = 0;
    }

    /**
     * Makes the list one piece.
     *
     * @param segment the memory
     * @param offset where the piece starts in it
     * @param length the piece's length
     */
    public void set(MemorySegment segment, long offset, long length) {
        count = 0;
        total = 0;
        add(segment, offset, length);
    }

    private void add(MemorySegment segment, long offset, long length) {
        if (segments[count] != segment) {
            segments[count] = segment;
        }
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        total += length;
    }

    /** {@return the sum of the lengths} */
    public long total() {
        return total;
    }

    /** {@return how many pieces there are} */
    public int count() {
        return count;
    }

    MemorySegment segment(int i) {
        return segments[i];
    }

    long offset(int i) {
        return offsets[i];
    }

    long length(int i) {
        return lengths[i];
    }

    /** How many bytes from a place on lie in one piece. */
    long contiguous(long skip) {
        int piece = 0;
        long at = skip;
        while (at >= lengths[piece]) {
            at -= lengths[piece++];
        }
        return lengths[piece] - at;
    }

    /** {@return whether the memory of every piece still exists} */
    public boolean isAlive() {
        for (int i = 0; i < count; i++) {
            if (!segments[i].scope().isAlive()) {
                return false;
            }
        }
        return true;
    }
}
