package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.DataPath;
import io.jverbs.spi.RecvWrLayout;
import io.jverbs.spi.SgeLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A receive work request: a {@code struct ibv_recv_wr} with its scatter/gather elements in memory of its own; see
 * ibv_post_recv(3). Reuse, threads and references are as for {@link SendWorkRequest}.
 */
public final class ReceiveWorkRequest {
    private final MemorySegment memory;
    private final MemorySegment readable;
    private final long address;
    private final long badWrAddress;
    private final SgeArray elements;
    private ReceiveWorkRequest next;
    private ReceiveWorkRequest failed;

    private ReceiveWorkRequest(int maxSge) {
        memory = Arena.ofAuto().allocate(RecvWrLayout.SIZE + maxSge * SgeLayout.SIZE + Long.BYTES, 64);
        elements = new SgeArray(memory, RecvWrLayout.SIZE, RecvWrLayout.NUM_SGE, maxSge);
        readable = memory.asReadOnly();
        address = memory.address();
        badWrAddress = address + memory.byteSize() - Long.BYTES;
        memory.set(JAVA_LONG, RecvWrLayout.SG_LIST, maxSge == 0 ? 0 : address + RecvWrLayout.SIZE);
    }

    /**
     * Makes a request without elements.
     *
     * @param maxSge the greatest number of scatter/gather elements it can hold, 0 to 65536
     * @return the request, whose memory lives as long as it is reachable
     */
    public static ReceiveWorkRequest create(int maxSge) {
        return new ReceiveWorkRequest(SgeArray.checkMax(maxSge));
    }

    /**
     * Sets what the completion will carry to name this request.
     *
     * @param wrId any 64 bits
     * @return this
     */
    public ReceiveWorkRequest wrId(long wrId) {
        memory.set(JAVA_LONG, RecvWrLayout.WR_ID, wrId);
        return this;
    }

    /**
     * Chains a request behind this one; both go with one post.
     *
     * @param next the request to post after this one, null to end the chain here
     * @return this
     */
    public ReceiveWorkRequest next(ReceiveWorkRequest next) {
        this.next = next;
        memory.set(JAVA_LONG, RecvWrLayout.NEXT, next == null ? 0 : next.address);
        return this;
    }

    /**
     * Sets an element to part of a region.
     *
     * @param index the element, from 0; the count is raised to include it
     * @param region the region
     * @param offset where the part starts in it
     * @param length the part's length in bytes, at most 2^32 - 1
     * @return this
     * @throws IndexOutOfBoundsException if the part is not within the region, or there is no such element
     */
    public ReceiveWorkRequest sge(int index, MemoryRegion region, long offset, long length) {
        elements.set(index, region, offset, length);
        return this;
    }

    /**
     * Sets the only element to part of a region.
     *
     * @param region the region
     * @param offset where the part starts in it
     * @param length the part's length in bytes, at most 2^32 - 1
     * @return this
     * @throws IndexOutOfBoundsException if the part is not within the region, or this request has room for no element
     */
    public ReceiveWorkRequest sge(MemoryRegion region, long offset, long length) {
        elements.set(0, region, offset, length);
        elements.count(1);
        return this;
    }

    /**
     * Sets an element from raw values; the device checks them when a message arrives.
     *
     * @param index the element, from 0; the count is raised to include it
     * @param address the address in the region's own terms
     * @param length the length, unsigned
     * @param lkey the region's local key
     * @return this
     */
    public ReceiveWorkRequest sge(int index, long address, int length, int lkey) {
        elements.setRaw(index, address, length, lkey);
        return this;
    }

    /**
     * Sets how many elements count.
     *
     * @param count 0 to {@link #maxSge()}
     * @return this
     */
    public ReceiveWorkRequest sgeCount(int count) {
        elements.count(count);
        return this;
    }

    /** {@return what names this request in its completion} */
    public long wrId() {
        return memory.get(JAVA_LONG, RecvWrLayout.WR_ID);
    }

    /** {@return the request chained behind this one, or null} */
    public ReceiveWorkRequest next() {
        return next;
    }

    /** {@return how many elements fit} */
    public int maxSge() {
        return elements.max();
    }

    /** {@return how many elements count} */
    public int sgeCount() {
        return elements.count();
    }

    /** {@return the request of the chain that starts here at which the last post failed; null if it succeeded} */
    public ReceiveWorkRequest failed() {
        return failed;
    }

    /**
     * {@return the memory, in the layout of {@code ibv_recv_wr}, elements behind it: what a device reads; it cannot be written
     * through}
     */
    public MemorySegment memory() {
        return readable;
    }

    /** {@return the address of {@link #memory()}, for devices that hand it to a driver} */
    public long address() {
        return address;
    }

    /** {@return the address of a word in which a driver may leave, during a post, the address of the request that failed} */
    public long badWrAddress() {
        return badWrAddress;
    }

    /** Refuses a chain that names something closed, before any of it is posted; looks at no more than limit requests. */
    void checkOpen(int limit) {
        ReceiveWorkRequest request = this;
        for (int i = 0; request != null && i < limit; i++, request = request.next) {
            request.elements.checkOpen();
        }
    }

    /** Notes the outcome of a post of the chain that starts here; returns the errno. */
    int posted(long result) {
        if (result == DataPath.POSTED) {
            if (failed != null) {
                failed = null;
            }
            return 0;
        }
        ReceiveWorkRequest request = this;
        for (int i = DataPath.index(result); i > 0; i--) {
            request = request.next;
        }
        failed = request;
        return DataPath.errno(result);
    }

    @Override
    public String toString() {
        return "receive request " + Hex.address(wrId()) + ": " + elements;
    }
}
