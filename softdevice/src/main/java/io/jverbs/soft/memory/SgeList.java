package io.jverbs.soft.memory;

import io.jverbs.soft.queue.Words;
import java.lang.foreign.MemorySegment;

/**
 * A scatter/gather list whose keys have been looked up: a list of pieces of memory, which may be accessed until the
 * lock under which the keys were looked up is released. Guarded by that lock.
 */
public final class SgeList {
    private final MemorySegment[] segments;
    private final long[] offsets;
    private final long[] lengths;
    private int count;
    private long total;
    private boolean mapped;

    /**
     * Makes an empty list.
     *
     * @param max the maximum number of pieces
     */
    public SgeList(int max) {
        segments = new MemorySegment[max];
        offsets = new long[max];
        lengths = new long[max];
    }

    /**
     * Looks up the keys of scatter/gather elements. Elements of length 0 are skipped and not checked.
     *
     * @param keys the check of the half of a queue pair whose lock is held
     * @param needed the access bits that the regions must grant
     * @param elements two words for each element, as in {@code ibv_sge}
     * @param from the index of the first element's first word
     * @param sgeCount the number of elements
     * @param limit the number of bytes that will be accessed: elements beyond it are not checked
     * @return false if an element may not be used with this access
     */
    public boolean resolve(KeyCheck keys, int needed, long[] elements, int from, int sgeCount, long limit) {
        clear();
        if (sgeCount == 1) {
            return resolveOne(keys, needed, elements[from], elements[from + 1], limit);
        }
        for (int i = from; i < from + 2 * sgeCount && total < limit; i += 2) {
            if (!resolveOne(keys, needed, elements[i], elements[i + 1], limit)) {
                return false;
            }
        }
        return true;
    }

    private boolean resolveOne(KeyCheck keys, int needed, long address, long packed, long limit) {
        long length = Math.min(Words.firstUnsigned(packed), limit - total);
        if (length != 0) {
            KeyEntry entry = keys.checkLkey(Words.second(packed), address, length, needed);
            if (entry == null) {
                return false;
            }
            add(entry.segment(), entry.offsetOf(address), length, entry.isMapped());
        }
        return true;
    }

    /**
     * {@return the sum of the lengths of scatter/gather elements}
     *
     * @param elements two words for each element, as in {@code ibv_sge}
     * @param from the index of the first element's first word
     * @param sgeCount the number of elements
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
        mapped = false;
    }

    /**
     * Sets the list to one piece of memory that is not mapped.
     *
     * @param segment the memory
     * @param offset the start of the piece in the segment
     * @param length the length of the piece
     */
    public void set(MemorySegment segment, long offset, long length) {
        clear();
        add(segment, offset, length, false);
    }

    /**
     * Sets the list to one piece of the memory of a key.
     *
     * @param entry the key's entry
     * @param address the start of the piece, as an address that the entry contains
     * @param length the length of the piece
     */
    public void set(KeyEntry entry, long address, long length) {
        clear();
        add(entry.segment(), entry.offsetOf(address), length, entry.isMapped());
    }

    private void add(MemorySegment segment, long offset, long length, boolean isMapped) {
        if (segments[count] != segment) {
            segments[count] = segment;
        }
        offsets[count] = offset;
        lengths[count] = length;
        count++;
        total += length;
        mapped |= isMapped;
    }

    /** {@return the sum of the lengths of all pieces} */
    public long total() {
        return total;
    }

    /** {@return the number of pieces} */
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

    /** The number of bytes from an offset in the list to the end of the piece that contains it. */
    long contiguous(long skip) {
        int piece = 0;
        long at = skip;
        while (at >= lengths[piece]) {
            at -= lengths[piece++];
        }
        return lengths[piece] - at;
    }

    /** {@return whether a file backs any piece: see {@link MappedMemory}} */
    public boolean isMapped() {
        return mapped;
    }

    /**
     * {@return whether the memory of every piece still exists: its arena is open, and a file that backs it was not
     * truncated} This reads each page of the mapped pieces, so it is used only after an access has failed.
     */
    public boolean exists() {
        for (int i = 0; i < count; i++) {
            if (!segments[i].scope().isAlive()
                    || segments[i].isMapped() && !MappedMemory.isReadable(segments[i], offsets[i], lengths[i])) {
                return false;
            }
        }
        return true;
    }
}
