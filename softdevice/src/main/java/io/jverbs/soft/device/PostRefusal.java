package io.jverbs.soft.device;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.MemoryRegion;
import io.jverbs.SendFlags;
import io.jverbs.SendWorkRequest;
import io.jverbs.soft.memory.MappedMemory;
import io.jverbs.soft.queue.ErrnoCode;
import io.jverbs.soft.transport.SoftQp;
import io.jverbs.spi.SendWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.MemorySegment;

/**
 * Explains why the software device refused a send request, if the reason is specific to this device or depends on the
 * state of the memory. The posting thread calls it after the refusal.
 */
final class PostRefusal {
    private PostRefusal() {}

    /** Returns the reason why this thread's post was refused; null if the reason applies to every device. */
    static String reason(SoftQp qp, SendWorkRequest request, int errno) {
        if (errno == ErrnoCode.EFAULT) {
            return ofMemory(request);
        }
        if (errno == ErrnoCode.ENOMEM) {
            return qp.postErrors().reason();
        }
        if (errno != ErrnoCode.EINVAL) {
            return null;
        }
        return switch (request.opcode()) {
            case RDMA_READ, ATOMIC_CMP_AND_SWP, ATOMIC_FETCH_AND_ADD -> maxRdAtomic(qp) == 0
                    ? request.opcode() + " needs a maxRdAtomic of 1 to " + Limits.MAX_RD_ATOMIC
                            + ", but the queue pair was moved to RTS with 0"
                    : ofInline(request);
            default -> ofInline(request);
        };
    }

    private static int maxRdAtomic(SoftQp qp) {
        qp.lock();
        try {
            return qp.settings().maxRdAtomic;
        } finally {
            qp.unlock();
        }
    }

    private static String ofInline(SendWorkRequest request) {
        if ((request.flags() & SendFlags.INLINE) == 0) {
            return null;
        }
        return switch (request.opcode()) {
            case SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE, RDMA_WRITE_WITH_IMM -> ofRawAddresses(request);
            default -> "INLINE is allowed for SEND, SEND_WITH_IMM, SEND_WITH_INV, RDMA_WRITE and RDMA_WRITE_WITH_IMM;"
                    + " " + request.opcode() + " sends no local data";
        };
    }

    private static String ofRawAddresses(SendWorkRequest request) {
        for (int i = 0; i < request.sgeCount(); i++) {
            if (length(request, i) != 0 && request.named(i) == null) {
                return "INLINE element " + i + " is given by a raw address, and this device cannot read memory by"
                        + " address: give a region or a segment";
            }
        }
        return null;
    }

    /** Returns which element of an inline request this thread cannot read, and why. */
    private static String ofMemory(SendWorkRequest request) {
        for (int i = 0; i < request.sgeCount(); i++) {
            long length = length(request, i);
            String why = length == 0
                    ? null
                    : request.named(i) instanceof MemoryRegion region
                            ? ofRegion(region, address(request, i), length)
                            : ofSegment((MemorySegment) request.named(i), 0, length);
            if (why != null) {
                return "element " + i + why;
            }
        }
        // only memory that a file backs can come back
        return "all elements can be read now, but not when the request was posted: a mapped file was truncated and has"
                + " been extended since";
    }

    private static String ofRegion(MemoryRegion region, long address, long length) {
        if (region.isClosed()) {
            return " refers to " + region + ", which has been closed";
        }
        MemorySegment segment = region.segment();
        long offset = address - region.address();
        return offset < 0 || offset > segment.byteSize() - length
                ? " refers to " + length + " bytes at offset " + offset + " of " + region
                        + ", which was re-registered after the element was set: set the element again"
                : ofSegment(segment, offset, length);
    }

    private static String ofSegment(MemorySegment segment, long offset, long length) {
        if (!segment.scope().isAlive()) {
            return " refers to a segment whose arena has been closed";
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            return " refers to a segment of another thread's confined arena, which " + Thread.currentThread()
                    + " cannot access: use a shared or an automatic arena, or post from the thread that created it";
        }
        return segment.isMapped() && !MappedMemory.isReadable(segment, offset, length)
                ? " is in a mapped file, which has been truncated below the mapped length"
                : null;
    }

    private static long length(SendWorkRequest request, int element) {
        return Integer.toUnsignedLong(request.memory().get(JAVA_INT,
                SendWrLayout.SIZE + element * SgeLayout.SIZE + SgeLayout.LENGTH));
    }

    private static long address(SendWorkRequest request, int element) {
        return request.memory().get(JAVA_LONG, SendWrLayout.SIZE + element * SgeLayout.SIZE + SgeLayout.ADDR);
    }
}
