package io.jverbs;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.jverbs.spi.RecvWrLayout;

/**
 * A receive work request, {@code struct ibv_recv_wr}, with its scatter/gather elements in off-heap memory of its own;
 * see ibv_post_recv(3) and ibv_post_srq_recv(3).
 *
 * <p>
 * A request can be prepared once and posted any number of times: posting copies it. Setters do not allocate. A request
 * holds references to the objects that it names; posting fails with {@link IllegalStateException} if one of them is
 * closed. Not thread-safe: use a request in one thread at a time.
 *
 * {@snippet :
 * ReceiveWorkRequest request = ReceiveWorkRequest.create(1);
 * for (int i = 0; i < 16; i++) {
 *     qp.postReceive(request.wrId(i).sge(region, i * 4096L, 4096));
 * }
 * }
 */
public final class ReceiveWorkRequest extends WorkRequest {
    private ReceiveWorkRequest next;

    private ReceiveWorkRequest(int maxSge) {
        super(RecvWrLayout.SIZE, maxSge);
    }

    /**
     * Creates a request without elements.
     *
     * @param maxSge the maximum number of scatter/gather elements, 0 to 65536
     * @return the request; its memory is freed when the request is no longer reachable
     * @throws IllegalArgumentException if {@code maxSge} is out of range
     */
    public static ReceiveWorkRequest create(int maxSge) {
        return new ReceiveWorkRequest(SgeArray.checkMax(maxSge));
    }

    /**
     * Sets the work request ID, which the completion of this request carries.
     *
     * @param wrId any 64-bit value
     * @return this request
     */
    public ReceiveWorkRequest wrId(long wrId) {
        memory.set(JAVA_LONG, RecvWrLayout.WR_ID, wrId);
        return this;
    }

    /**
     * Sets the next request of the chain. Posting a request posts its whole chain.
     *
     * @param next the request to post after this one; null if this is the last request of the chain
     * @return this request
     */
    public ReceiveWorkRequest next(ReceiveWorkRequest next) {
        this.next = next;
        link(next);
        return this;
    }

    /**
     * Sets an element to a range of a memory region.
     *
     * @param index the index of the element, from 0; {@link #sgeCount()} is increased to include it
     * @param region the memory region
     * @param offset the offset of the range in the region, in bytes
     * @param length the length of the range in bytes, at most 2^32 - 1
     * @return this request
     * @throws IndexOutOfBoundsException if the range is not within the region, or the index is not less than {@link
     *         #maxSge()}
     */
    public ReceiveWorkRequest sge(int index, MemoryRegion region, long offset, long length) {
        elements.set(index, region, offset, length);
        return this;
    }

    /**
     * Sets the only element to a range of a memory region; {@link #sgeCount()} becomes 1.
     *
     * @param region the memory region
     * @param offset the offset of the range in the region, in bytes
     * @param length the length of the range in bytes, at most 2^32 - 1
     * @return this request
     * @throws IndexOutOfBoundsException if the range is not within the region, or {@link #maxSge()} is 0
     */
    public ReceiveWorkRequest sge(MemoryRegion region, long offset, long length) {
        elements.set(0, region, offset, length);
        elements.count(1);
        return this;
    }

    /**
     * Sets an element from raw values. The device checks them when a message arrives.
     *
     * @param index the index of the element, from 0; {@link #sgeCount()} is increased to include it
     * @param address the address of the range: {@link MemoryRegion#address()} of its region plus the offset
     * @param length the length in bytes, unsigned
     * @param lkey the local key of the memory region
     * @return this request
     * @throws IndexOutOfBoundsException if the index is not less than {@link #maxSge()}
     */
    public ReceiveWorkRequest sge(int index, long address, int length, int lkey) {
        elements.setRaw(index, address, length, lkey);
        return this;
    }

    /**
     * Sets the number of elements that are used.
     *
     * @param count the number of elements, 0 to {@link #maxSge()}
     * @return this request
     * @throws IllegalArgumentException if {@code count} is out of range
     */
    public ReceiveWorkRequest sgeCount(int count) {
        elements.count(count);
        return this;
    }

    @Override
    public ReceiveWorkRequest next() {
        return next;
    }

    @Override
    public ReceiveWorkRequest failed() {
        return (ReceiveWorkRequest) super.failed();
    }

    /**
     * Returns whether the objects that the requests of the chain name belong to a context. Throws IllegalStateException
     * if one of them is closed. Checks at most limit requests. Called before any request of the chain is posted.
     */
    boolean check(RdmaContext context, int limit) {
        ReceiveWorkRequest request = this;
        for (int i = 0; request != null && i < limit; i++, request = request.next) {
            if (!request.elements.check(context)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString() {
        return "receive request " + Hex.address(wrId()) + ": " + elements;
    }
}
