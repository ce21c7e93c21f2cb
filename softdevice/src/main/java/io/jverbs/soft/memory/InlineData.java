package io.jverbs.soft.memory;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.MemoryRegion;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.queue.Words;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;

/** Copies the inline data of work requests when they are posted. */
public final class InlineData {
    /** In place of a length: an element is invalid. */
    public static final long INVALID = -1;

    private InlineData() {}

    /**
     * The length of the inline data of a request, or {@link #INVALID} if an element is given by a raw address: this
     * device does not access raw memory.
     */
    public static long length(SendWorkRequest request, int count) {
        MemorySegment memory = request.memory();
        long length = 0;
        for (int i = 0; i < count; i++) {
            long piece = lengthOf(memory, i);
            length += piece;
            if (piece != 0 && request.named(i) == null) {
                return INVALID;
            }
        }
        return length;
    }

    /**
     * Copies the elements of a request to contiguous memory; returns 0 or an errno.
     *
     * @param target the memory
     * @param start the offset of the first byte in it
     */
    public static int copy(SendWorkRequest request, int count, MemorySegment target, long start) {
        MemorySegment memory = request.memory();
        long to = start;
        for (int i = 0; i < count; i++) {
            long piece = lengthOf(memory, i);
            if (piece != 0) {
                long address = memory.get(JAVA_LONG, SendWrLayout.SIZE + i * SgeLayout.SIZE + SgeLayout.ADDR);
                try {
                    copyNamed(request.named(i), address, target, to, piece);
                } catch (IllegalStateException | IndexOutOfBoundsException | WrongThreadException | InternalError e) {
                    // the memory was closed or re-registered meanwhile, belongs to another thread, or is a mapping of a
                    // file that was truncated
                    return ErrnoCode.EFAULT;
                }
                to += piece;
            }
        }
        return 0;
    }

    private static long lengthOf(MemorySegment memory, int element) {
        return Words.firstUnsigned(
                memory.get(JAVA_LONG, SendWrLayout.SIZE + element * SgeLayout.SIZE + SgeLayout.LENGTH));
    }

    private static void copyNamed(Object source, long address, MemorySegment target, long to, long length) {
        if (source instanceof MemoryRegion region) {
            copy(region.segment(), address - region.address(), target, to, length);
        } else {
            copy((MemorySegment) source, 0, target, to, length);
        }
    }

    private static void copy(MemorySegment from, long at, MemorySegment target, long to, long length) {
        MemorySegment.copy(from, at, target, to, length);
        if (from.isMapped()) {
            MappedMemory.deliverFault();
        }
    }
}
