package io.jverbs.soft.memory;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Copies between scatter/gather lists, each byte once. Throws what the access throws when memory is gone: an
 * IllegalStateException for a closed arena, an InternalError for a mapping that lost its file.
 */
public final class Copier {
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final VarHandle SHORT = JAVA_SHORT.varHandle();
    private static final VarHandle BYTE = JAVA_BYTE.varHandle();

    private Copier() {}

    /**
     * Copies part of one list to part of another.
     *
     * @param from the source
     * @param fromSkip where to start in it
     * @param to the destination
     * @param toSkip where to start in it
     * @param length how much, within both lists
     */
    public static void copy(SgeList from, long fromSkip, SgeList to, long toSkip, long length) {
        if (from.count() == 1 && to.count() == 1) {
            copy(from.segment(0), from.offset(0) + fromSkip, to.segment(0), to.offset(0) + toSkip, length);
            return;
        }
        int target = 0;
        long skip = toSkip;
        long at = fromSkip;
        long left = length;
        while (left > 0) {
            while (skip >= to.length(target)) {
                skip -= to.length(target++);
            }
            long piece = Math.min(left, to.length(target) - skip);
            gather(from, at, to.segment(target), to.offset(target) + skip, piece);
            skip += piece;
            at += piece;
            left -= piece;
        }
    }

    /**
     * Copies part of a list to a stretch of memory.
     *
     * @param from the source
     * @param fromSkip where to start in it
     * @param to the destination
     * @param toOffset where to start in it
     * @param length how much, within the list
     */
    public static void gather(SgeList from, long fromSkip, MemorySegment to, long toOffset, long length) {
        int source = 0;
        long skip = fromSkip;
        long at = toOffset;
        long left = length;
        while (left > 0) {
            while (skip >= from.length(source)) {
                skip -= from.length(source++);
            }
            long piece = Math.min(left, from.length(source) - skip);
            copy(from.segment(source), from.offset(source) + skip, to, at, piece);
            skip += piece;
            at += piece;
            left -= piece;
        }
    }

    /**
     * Copies a stretch of memory; an aligned word at once.
     *
     * @param from the source
     * @param fromOffset where to start in it
     * @param to the destination
     * @param toOffset where to start in it
     * @param length how much
     */
    public static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        if (length == Long.BYTES && (to.address() + toOffset & Long.BYTES - 1) == 0) {
            to.set(JAVA_LONG, toOffset, from.get(JAVA_LONG_UNALIGNED, fromOffset));
        } else {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
        }
    }

    /**
     * Copies part of a list to a stretch of memory so that who sees the last word, reading with acquire order, sees all: the
     * widest naturally aligned word that ends the stretch is stored last, with release order. Each aligned 8-byte word
     * within is stored whole.
     *
     * @param from the source
     * @param fromSkip where to start in it
     * @param to the destination
     * @param toOffset where to start in it
     * @param length how much, at least 1, within the list
     */
    public static void gatherReleasing(SgeList from, long fromSkip, MemorySegment to, long toOffset, long length) {
        int lead = (int) -(to.address() + toOffset) & Long.BYTES - 1;
        if (lead == 0 && (length & Long.BYTES - 1) == 0) {
            releaseWords(from, fromSkip, to, toOffset, length);
        } else {
            gatherUneven(from, fromSkip, to, toOffset, length, lead);
        }
    }

    /**
     * As {@link #gatherReleasing} for a source of one piece.
     *
     * @param from the source
     * @param at where to start in it
     * @param to the destination
     * @param toOffset where to start in it
     * @param length how much, at least 1
     * @param list to work with
     */
    public static void copyReleasing(MemorySegment from, long at, MemorySegment to, long toOffset, long length,
            SgeList list) {
        if (((to.address() + toOffset | length) & Long.BYTES - 1) == 0) {
            long head = length - Long.BYTES;
            if (head != 0) {
                MemorySegment.copy(from, at, to, toOffset, head);
            }
            LONG.setRelease(to, toOffset + head, from.get(JAVA_LONG_UNALIGNED, at + head));
        } else {
            list.set(from, at, length);
            gatherReleasing(list, 0, to, toOffset, length);
        }
    }

    /** Whole words, the last one released. */
    private static void releaseWords(SgeList from, long skip, MemorySegment to, long at, long length) {
        long head = length - Long.BYTES;
        if (head != 0) {
            storeWords(from, skip, to, at, head);
        }
        LONG.setRelease(to, at + head, word(from, skip + head));
    }

    /** Whole words, each stored at once. */
    private static void storeWords(SgeList from, long skip, MemorySegment to, long at, long length) {
        if (from.count() == 1) {
            MemorySegment.copy(from.segment(0), from.offset(0) + skip, to, at, length);
            return;
        }
        long done = 0;
        while (done < length) {
            long whole = Math.min(length - done, from.contiguous(skip + done)) & -Long.BYTES;
            if (whole == 0) {
                to.set(JAVA_LONG, at + done, word(from, skip + done));
                done += Long.BYTES;
            } else {
                gather(from, skip + done, to, at + done, whole);
                done += whole;
            }
        }
    }

    private static long word(SgeList from, long skip) {
        return from.count() == 1
                ? from.segment(0).get(JAVA_LONG_UNALIGNED, from.offset(0) + skip)
                : word(from, skip, Long.BYTES);
    }

    /** A stretch that does not start or does not end on a word. */
    private static void gatherUneven(SgeList from, long skip, MemorySegment to, long at, long length, int lead) {
        long head = Math.min(lead, length);
        long whole = length - head & -Long.BYTES;
        long tail = length - head - whole;
        if (tail == 0 && whole != 0) {
            gather(from, skip, to, at, head);
            releaseWords(from, skip + head, to, at + head, whole);
            return;
        }
        if (whole != 0) {
            gather(from, skip, to, at, head);
            storeWords(from, skip + head, to, at + head, whole);
        }
        long last = whole == 0 ? 0 : head + whole;
        releaseTail(from, skip + last, to, at + last, length - last);
    }

    /** Less than a word, or a few bytes across the border of two: its last naturally aligned unit is released. */
    private static void releaseTail(SgeList from, long skip, MemorySegment to, long at, long length) {
        long end = to.address() + at + length;
        int unit = (end & Integer.BYTES - 1) == 0 && length >= Integer.BYTES
                ? Integer.BYTES
                : (end & Short.BYTES - 1) == 0 && length >= Short.BYTES ? Short.BYTES : 1;
        long head = length - unit;
        gather(from, skip, to, at, head);
        long value = word(from, skip + head, unit);
        switch (unit) {
            case Integer.BYTES -> INT.setRelease(to, at + head, (int) value);
            case Short.BYTES -> SHORT.setRelease(to, at + head, (short) value);
            default -> BYTE.setRelease(to, at + head, (byte) value);
        }
    }

    /** A word in native order from a list, byte by byte, as its bytes may lie in several pieces. */
    private static long word(SgeList from, long skip, int bytes) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            int shift = LITTLE_ENDIAN ? i : bytes - 1 - i;
            value |= (byteAt(from, skip + i) & 0xFFL) << Byte.SIZE * shift;
        }
        return value;
    }

    private static byte byteAt(SgeList from, long skip) {
        int source = 0;
        long at = skip;
        while (at >= from.length(source)) {
            at -= from.length(source++);
        }
        return from.segment(source).get(JAVA_BYTE, from.offset(source) + at);
    }

    /**
     * Adds to a word, atomically against everybody.
     *
     * @param segment the memory
     * @param offset where the word is, naturally aligned
     * @param add what to add
     * @return the former value
     */
    public static long fetchAndAdd(MemorySegment segment, long offset, long add) {
        return (long) LONG.getAndAdd(segment, offset, add);
    }

    /**
     * Replaces a word if it has a value, atomically against everybody.
     *
     * @param segment the memory
     * @param offset where the word is, naturally aligned
     * @param compare the value expected
     * @param swap the value to store
     * @return the former value
     */
    public static long compareAndSwap(MemorySegment segment, long offset, long compare, long swap) {
        return (long) LONG.compareAndExchange(segment, offset, compare, swap);
    }

    /**
     * Stores a word in native order at the start of a list of at least 8 bytes, which may be in several pieces.
     *
     * @param to the destination
     * @param value the word
     */
    public static void storeLong(SgeList to, long value) {
        if (to.length(0) >= Long.BYTES) {
            to.segment(0).set(JAVA_LONG_UNALIGNED, to.offset(0), value);
            return;
        }
        int target = 0;
        long skip = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            while (skip >= to.length(target)) {
                skip -= to.length(target++);
            }
            int shift = LITTLE_ENDIAN ? i : Long.BYTES - 1 - i;
            to.segment(target).set(JAVA_BYTE, to.offset(target) + skip++, (byte) (value >>> Byte.SIZE * shift));
        }
    }
}
