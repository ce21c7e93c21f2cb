package io.jverbs.ibverbs;

import io.jverbs.ffm.NativeMemory;
import io.jverbs.ffm.ibverbs.ibv_mr;
import io.jverbs.ffm.ibverbs.ibv_mw;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** A {@code struct ibv_mr} whose keys are 0, for drivers that follow the region's pointer of an unbind too. */
final class EmptyRegion {
    /** Where one of zeroes is, for as long as the program runs. */
    static final long ADDRESS = ibv_mr.allocate(Arena.global()).address();

    private EmptyRegion() {}

    /** The address of one in a window's domain, which {@code ibv_bind_mw} compares; it lives as long as the arena. */
    static long inDomainOf(long mw, Arena arena) {
        MemorySegment region = ibv_mr.allocate(arena);
        ibv_mr.pd(region, MemorySegment.ofAddress(NativeMemory.getLong(mw + ibv_mw.pd$offset())));
        return region.address();
    }
}
