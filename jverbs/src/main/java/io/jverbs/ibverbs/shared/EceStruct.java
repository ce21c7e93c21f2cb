package io.jverbs.ibverbs.shared;

import io.jverbs.ffm.ibverbs.ibv_ece;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** Makes {@code struct ibv_ece}, the options of enhanced connection establishment. */
public final class EceStruct {
    private EceStruct() {}

    /**
     * {@return a new struct}
     *
     * @param vendorId the vendor
     * @param options the vendor's options
     * @param allocator allocates the struct
     */
    public static MemorySegment write(int vendorId, int options, SegmentAllocator allocator) {
        MemorySegment struct = ibv_ece.allocate(allocator);
        ibv_ece.vendor_id(struct, vendorId);
        ibv_ece.options(struct, options);
        return struct;
    }
}
