package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What send and receive work requests have in common: off-heap memory with the request in the layout of C, followed by
 * its scatter/gather elements, and the request at which the last post failed. {@code struct ibv_send_wr} begins with
 * the fields of {@code struct ibv_recv_wr}, so this class uses {@link RecvWrLayout} for both. Not thread-safe.
 */
public abstract sealed class WorkRequest permits SendWorkRequest, ReceiveWorkRequest {
    final MemorySegment memory;
    final SgeArray elements;
    private final MemorySegment readOnlyMemory;
    private final long address;
    private final long badWrAddress;
    /** The next request of the chain. Subclasses have it too, with their own type, so that a post needs no cast. */
    private WorkRequest successor;
    private WorkRequest failed;

    /** Allocates a request of a number of bytes, followed by its elements and the word for a failed request. */
    WorkRequest(long size, int maxSge) {
        memory = Arena.ofAuto().allocate(size + maxSge * SgeLayout.SIZE + Long.BYTES, 64);
        elements = new SgeArray(memory, size, RecvWrLayout.SG_LIST, RecvWrLayout.NUM_SGE, maxSge);
        readOnlyMemory = memory.asReadOnly();
        address = memory.address();
        badWrAddress = address + memory.byteSize() - Long.BYTES;
    }

    /** Sets the next request of the chain; null ends the chain. */
    final void link(WorkRequest next) {
        successor = next;
        memory.set(JAVA_LONG, RecvWrLayout.NEXT, next == null ? 0 : next.address);
    }

    /** {@return the work request ID} */
    public final long wrId() {
        return memory.get(JAVA_LONG, RecvWrLayout.WR_ID);
    }

    /** {@return the next request of the chain, or null} */
    public abstract WorkRequest next();

    /** {@return the maximum number of elements} */
    public final int maxSge() {
        return elements.max();
    }

    /** {@return the number of elements that are used} */
    public final int sgeCount() {
        return elements.count();
    }

    /**
     * {@return the request at which the last post of the chain that starts with this request failed; null if it
     * succeeded}
     */
    public WorkRequest failed() {
        return failed;
    }

    /** {@return a read-only view of the memory of this request and of its elements; for service providers} */
    public final MemorySegment memory() {
        return readOnlyMemory;
    }

    /** {@return the address of {@link #memory()}, for service providers that pass it to a driver} */
    public final long address() {
        return address;
    }

    /**
     * {@return the address of a 64-bit word to which a driver can write the address of the failed request during a
     * post, for service providers}
     */
    public final long badWrAddress() {
        return badWrAddress;
    }

    /** Notes that a post of the chain that starts here posted every request. */
    final void posted() {
        if (failed != null) {
            failed = null;
        }
    }

    /** Notes that a post of the chain that starts here failed at the request with an index in the chain. */
    final void failedAt(int index) {
        WorkRequest request = this;
        for (int i = index; i > 0; i--) {
            request = request.successor;
        }
        failed = request;
    }
}
