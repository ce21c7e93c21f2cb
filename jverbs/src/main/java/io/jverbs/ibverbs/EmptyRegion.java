package io.jverbs.ibverbs;

import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.ibv_mr;
import io.jverbs.ffm.ibverbs.ibv_mw;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A {@code struct ibv_mr} whose keys are 0, for drivers that dereference the region pointer of a bind request even if
 * the request unbinds; see {@link Drivers.Unbinding#EMPTY_REGION}.
 */
final class EmptyRegion {
    /** The address of an {@code ibv_mr} of zeros that is never freed. */
    static final long ADDRESS = ibv_mr.allocate(Arena.global()).address();

    private EmptyRegion() {}

    /**
     * The address of an empty region in the protection domain of a window, because {@code ibv_bind_mw} compares the
     * domains. It is valid while the arena is open.
     */
    static long inDomainOf(long mw, Arena arena) {
        MemorySegment region = ibv_mr.allocate(arena);
        ibv_mr.pd(region, MemorySegment.ofAddress(NativeMemory.getLong(mw + ibv_mw.pd$offset())));
        return region.address();
    }
}
