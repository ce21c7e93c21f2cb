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
 * Copies between scatter/gather lists and memory; each byte is copied once.
 *
 * <p>
 * If memory no longer exists, the methods throw what the access throws: an {@link IllegalStateException} for a closed
 * arena, an {@link InternalError} for a mapping whose file was truncated. Methods that take lists or key entries check
 * for the latter themselves. Methods that take only segments do not: a caller that passes mapped memory calls {@link
 * MappedMemory#deliverFault()}.
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
     * @param fromSkip the offset in the source
     * @param to the destination
     * @param toSkip the offset in the destination
     * @param length the number of bytes, within both lists
     */
    public static void copy(SgeList from, long fromSkip, SgeList to, long toSkip, long length) {
        copyUnchecked(from, fromSkip, to, toSkip, length);
        if (from.isMapped() || to.isMapped()) {
            MappedMemory.deliverFault();
        }
    }

    private static void copyUnchecked(SgeList from, long fromSkip, SgeList to, long toSkip, long length) {
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
            gatherUnchecked(from, at, to.segment(target), to.offset(target) + skip, piece);
            skip += piece;
            at += piece;
            left -= piece;
        }
    }

    /**
     * Copies part of a list to contiguous memory that is not mapped.
     *
     * @param from the source
     * @param fromSkip the offset in the source
     * @param to the destination
     * @param toOffset the offset in the destination
     * @param length the number of bytes, within the list
     */
    public static void gather(SgeList from, long fromSkip, MemorySegment to, long toOffset, long length) {
        gatherUnchecked(from, fromSkip, to, toOffset, length);
        if (from.isMapped()) {
            MappedMemory.deliverFault();
        }
    }

    /**
     * Copies part of a list to the memory of a key.
     *
     * @param from the source
     * @param fromSkip the offset in the source
     * @param to the key's entry
     * @param address the start of the destination, as an address that the entry contains
     * @param length the number of bytes, within the list
     */
    public static void gather(SgeList from, long fromSkip, KeyEntry to, long address, long length) {
        gatherUnchecked(from, fromSkip, to.segment(), to.offsetOf(address), length);
        if (from.isMapped() || to.isMapped()) {
            MappedMemory.deliverFault();
        }
    }

    private static void gatherUnchecked(SgeList from, long fromSkip, MemorySegment to, long toOffset, long length) {
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
     * Copies contiguous memory. A single 8-byte word whose destination is aligned is stored by one access.
     *
     * @param from the source
     * @param fromOffset the offset in the source
     * @param to the destination
     * @param toOffset the offset in the destination
     * @param length the number of bytes
     */
    public static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        if (length == Long.BYTES && (to.address() + toOffset & Long.BYTES - 1) == 0) {
            to.set(JAVA_LONG, toOffset, from.get(JAVA_LONG_UNALIGNED, fromOffset));
        } else {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
        }
    }

    /**
     * Copies part of a list to the memory of a key and publishes it. The widest naturally aligned word at the end of
     * the destination is stored last, with release order: a thread that reads that word with acquire order sees all
     * bytes. Each aligned 8-byte word of the destination is stored by one access.
     *
     * @param from the source
     * @param fromSkip the offset in the source
     * @param to the key's entry
     * @param address the start of the destination, as an address that the entry contains
     * @param length the number of bytes, at least 1, within the list
     */
    public static void gatherReleasing(SgeList from, long fromSkip, KeyEntry to, long address, long length) {
        gatherReleasing(from, fromSkip, to.segment(), to.offsetOf(address), length);
        if (from.isMapped() || to.isMapped()) {
            MappedMemory.deliverFault();
        }
    }

    private static void gatherReleasing(SgeList from, long fromSkip, MemorySegment to, long toOffset, long length) {
        int lead = (int) -(to.address() + toOffset) & Long.BYTES - 1;
        if (lead == 0 && (length & Long.BYTES - 1) == 0) {
            releaseWords(from, fromSkip, to, toOffset, length);
        } else {
            gatherUneven(from, fromSkip, to, toOffset, length, lead);
        }
    }

    /**
     * Copies as {@link #gatherReleasing} does, for a contiguous source and for memory that is not mapped.
     *
     * @param from the source
     * @param at the offset in the source
     * @param to the destination
     * @param toOffset the offset in the destination
     * @param length the number of bytes, at least 1
     * @param list a list that this method may overwrite
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

    /** Copies whole aligned words; stores the last one with release order. */
    private static void releaseWords(SgeList from, long skip, MemorySegment to, long at, long length) {
        long head = length - Long.BYTES;
        if (head != 0) {
            storeWords(from, skip, to, at, head);
        }
        LONG.setRelease(to, at + head, word(from, skip + head));
    }

    /** Copies whole aligned words, each by one store. */
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
                gatherUnchecked(from, skip + done, to, at + done, whole);
                done += whole;
            }
        }
    }

    private static long word(SgeList from, long skip) {
        return from.count() == 1
                ? from.segment(0).get(JAVA_LONG_UNALIGNED, from.offset(0) + skip)
                : word(from, skip, Long.BYTES);
    }

    /** Copies to a destination that does not start or does not end at a word boundary. */
    private static void gatherUneven(SgeList from, long skip, MemorySegment to, long at, long length, int lead) {
        long head = Math.min(lead, length);
        long whole = length - head & -Long.BYTES;
        long tail = length - head - whole;
        if (tail == 0 && whole != 0) {
            gatherUnchecked(from, skip, to, at, head);
            releaseWords(from, skip + head, to, at + head, whole);
            return;
        }
        if (whole != 0) {
            gatherUnchecked(from, skip, to, at, head);
            storeWords(from, skip + head, to, at + head, whole);
        }
        long last = whole == 0 ? 0 : head + whole;
        releaseTail(from, skip + last, to, at + last, length - last);
    }

    /**
     * Copies less than a word, or a few bytes that extend over a word boundary; stores the last naturally aligned unit
     * with release order.
     */
    private static void releaseTail(SgeList from, long skip, MemorySegment to, long at, long length) {
        long end = to.address() + at + length;
        int unit = (end & Integer.BYTES - 1) == 0 && length >= Integer.BYTES
                ? Integer.BYTES
                : (end & Short.BYTES - 1) == 0 && length >= Short.BYTES ? Short.BYTES : 1;
        long head = length - unit;
        gatherUnchecked(from, skip, to, at, head);
        long value = word(from, skip + head, unit);
        switch (unit) {
            case Integer.BYTES -> INT.setRelease(to, at + head, (int) value);
            case Short.BYTES -> SHORT.setRelease(to, at + head, (short) value);
            default -> BYTE.setRelease(to, at + head, (byte) value);
        }
    }

    /** Reads a word in native byte order from a list, byte by byte, because several elements may contain its bytes. */
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
     * Adds to an 8-byte word, atomically with respect to all other accesses, those of the program included.
     *
     * @param target the entry of the key of the word's memory
     * @param address the address of the word, which the entry contains; naturally aligned
     * @param add the value to add
     * @return the former value
     */
    public static long fetchAndAdd(KeyEntry target, long address, long add) {
        MemorySegment segment = target.segment();
        long offset = target.offsetOf(address);
        if (target.isMapped()) {
            return MappedMemory.fetchAndAdd(segment, offset, add);
        }
        return (long) LONG.getAndAdd(segment, offset, add);
    }

    /**
     * Replaces an 8-byte word if it has the expected value, atomically with respect to all other accesses, those of the
     * program included.
     *
     * @param target the entry of the key of the word's memory
     * @param address the address of the word, which the entry contains; naturally aligned
     * @param compare the expected value
     * @param swap the value to store
     * @return the former value
     */
    public static long compareAndSwap(KeyEntry target, long address, long compare, long swap) {
        MemorySegment segment = target.segment();
        long offset = target.offsetOf(address);
        if (target.isMapped()) {
            return MappedMemory.compareAndSwap(segment, offset, compare, swap);
        }
        return (long) LONG.compareAndExchange(segment, offset, compare, swap);
    }

    /**
     * Stores an 8-byte word in native byte order at the start of a list. The list has at least 8 bytes, which may be in
     * several elements.
     *
     * @param to the destination
     * @param value the word
     */
    public static void storeLong(SgeList to, long value) {
        if (to.length(0) >= Long.BYTES) {
            to.segment(0).set(JAVA_LONG_UNALIGNED, to.offset(0), value);
        } else {
            storeBytes(to, value);
        }
        if (to.isMapped()) {
            MappedMemory.deliverFault();
        }
    }

    private static void storeBytes(SgeList to, long value) {
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
